// Kimi Code 2.1.0 with a provider of one's own.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const kimi: Client = {
  name: 'kimi',
  agent: 'kimi',
  protocol: chat,
  hooksFile: '.kimi-code/config.toml',
  settings: (_, url) => ({
    '.kimi-code/config.toml': `default_model = "mock"
telemetry = false

[providers.mock]
type = "openai"
base_url = "${url}/v1"
api_key = "mock"

[models.mock]
provider = "mock"
model = "mock-model"
max_context_size = 100000
`,
  }),
  env: () => ({ KIMI_CLI_NO_AUTO_UPDATE: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' }),
  args: (prompt, { resume, more = [] }) => [
    ...(resume ? ['--session', resume] : []),
    '--output-format',
    'stream-json',
    ...more,
    '-p',
    prompt,
  ],
}
