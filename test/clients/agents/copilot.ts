// Copilot CLI 1.0.102 with a provider of one's own: offline, and without a log-in.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const copilot: Client = {
  name: 'copilot',
  agent: 'copilot-cli',
  protocol: chat,
  hooksFile: '.copilot/hooks/recollect.json',
  settings: () => ({}),
  env: (_, url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'mock',
    COPILOT_MODEL: 'mock-model',
  }),
  args: (prompt, { resume, more = [] }) => [
    '-p',
    prompt,
    '--allow-all-tools',
    '--no-auto-update',
    ...(resume ? ['--resume', resume] : []),
    ...more,
  ],
}
