// Grok Build 1.0.41 with a model of one's own.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const grok: Client = {
  name: 'grok',
  agent: 'grok',
  protocol: chat,
  hooksFile: '.grok/hooks/recollect.json',
  settings: (_, url) => ({
    '.grok/config.toml': `[models]
default = "mock"

[model.mock]
model = "mock-model"
base_url = "${url}/v1"
api_key = "mock"
api_backend = "chat_completions"
context_window = 100000
`,
  }),
  env: () => ({
    GROK_DISABLE_AUTOUPDATER: '1',
    GROK_TELEMETRY_ENABLED: 'false',
    XAI_API_KEY: 'mock',
  }),
  args: (prompt, { resume, more = [] }) => [
    ...(resume ? ['--resume', resume] : []),
    '--always-approve',
    '--output-format',
    'json',
    ...more,
    '-p',
    prompt,
  ],
}
