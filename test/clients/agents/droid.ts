// Factory Droid 0.225.2 with a model of one's own.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const droid: Client = {
  name: 'droid',
  agent: 'droid',
  protocol: chat,
  hooksFile: '.factory/settings.json',
  settings: (_, url) => ({ '.factory/settings.json': `${JSON.stringify(settings(url), null, 2)}\n` }),
  env: () => ({ FACTORY_API_KEY: 'fk-mock', FACTORY_DISABLE_AUTO_UPDATE: '1', DROID_DISABLE_AUTO_UPDATE: '1' }),
  args: (prompt, { resume, more = [] }) => [
    'exec',
    '--skip-permissions-unsafe',
    '--model',
    'custom:mock-model-0',
    '--output-format',
    'json',
    ...(resume ? ['--session-id', resume] : []),
    ...more,
    prompt,
  ],
}

function settings(url: string): object {
  const custom = {
    model: 'mock-model',
    id: 'custom:mock-model-0',
    index: 0,
    displayName: 'Mock',
    baseUrl: `${url}/v1`,
    apiKey: 'mock',
    provider: 'generic-chat-completion-api',
    maxOutputTokens: 1000,
  }
  return { customModels: [custom], enableDroidShield: false, cloudSessionSync: false }
}
