// Pi 0.73.1 with a provider of one's own. It has no hooks; it is driven to continue sessions of others.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const pi: Client = {
  name: 'pi',
  agent: 'pi',
  protocol: chat,
  hooksFile: '',
  settings: (_, url) => ({ '.pi/agent/models.json': `${JSON.stringify({ providers: { mock: provider(url) } })}\n` }),
  env: () => ({ PI_OFFLINE: '1' }),
  args: (prompt, { resume, more = [] }) => [
    ...['--provider', 'mock', '--model', 'mock-model'],
    ...(resume ? ['--session', resume] : []),
    ...more,
    '-p',
    prompt,
  ],
}

function provider(url: string): object {
  const model = {
    ...{
      id: 'mock-model',
      name: 'Mock',
      reasoning: true,
      input: ['text', 'image'],
      contextWindow: 128_000,
      maxTokens: 4000,
    },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  }
  return { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'mock', models: [model] }
}
