// Kilo 7.7.7 with a provider of one's own. With a plugin it waits for a package beside its configuration, which it would
// download; any version of it will do.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const kilo: Client = {
  name: 'kilo',
  agent: 'kilo',
  protocol: chat,
  hooksFile: '.config/kilo/plugin/recollect.js',
  settings: (_, url) => ({
    '.config/kilo/kilo.json': `${JSON.stringify(settings(url), null, 2)}\n`,
    '.config/kilo/package.json': '{"dependencies":{"@kilocode/plugin":"7.3.1"}}\n',
  }),
  links: {
    '.config/kilo/node_modules': 'node_modules',
    '.config/kilo/package-lock.json': 'package-lock.json',
  },
  env: () => ({
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_SHARE: '1',
    KILO_TELEMETRY_LEVEL: 'off',
  }),
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
