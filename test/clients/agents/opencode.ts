// OpenCode 1.18.33 with a provider of one's own. It waits for a package beside its configuration, which it would download.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const opencode: Client = {
  name: 'opencode',
  agent: 'opencode',
  protocol: chat,
  hooksFile: '.config/opencode/plugin/recollect.js',
  settings: (_, url) => ({
    '.config/opencode/opencode.json': `${JSON.stringify(settings(url), null, 2)}\n`,
    '.config/opencode/package.json': '{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}\n',
  }),
  links: {
    '.config/opencode/node_modules': 'node_modules',
    '.config/opencode/package-lock.json': 'package-lock.json',
  },
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_SHARE: '1' }),
  args: (prompt, { resume, more = [] }) => [
    'run',
    '--format',
    'json',
    '--auto',
    ...(resume ? ['--session', resume] : []),
    ...more,
    prompt,
  ],
}

function settings(url: string): object {
  const models = { 'mock-model': { name: 'Mock', limit: { context: 100_000, output: 1000 } } }
  const options = { baseURL: `${url}/v1`, apiKey: 'mock' }
  return {
    autoupdate: false,
    model: 'mock/mock-model',
    small_model: 'mock/mock-model',
    provider: { mock: { npm: '@ai-sdk/openai-compatible', name: 'Mock', options, models } },
  }
}
