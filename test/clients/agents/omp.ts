// Oh My Pi 18.2.3 with a provider of one's own. It runs on Bun, which is installed beside it. It has no hooks that are used.
import { join } from 'node:path'
import type { Client } from '../client.ts'
import { folder } from '../install-clients.ts'
import { chat } from '../protocols/chat.ts'

export const omp: Client = {
  name: 'omp',
  agent: 'omp',
  protocol: chat,
  hooksFile: '',
  settings: (_, url) => ({ '.omp/agent/models.yml': `${JSON.stringify({ providers: { mock: provider(url) } })}\n` }),
  env: () => ({ PI_OFFLINE: '1', PATH: `${join(folder('omp'), 'node_modules', '.bin')}:/usr/local/bin:/usr/bin:/bin` }),
  args: (prompt, { resume, more = [] }) => [
    ...['--model', 'mock/mock-model', '--auto-approve'],
    ...(resume ? ['--resume', resume] : []),
    ...more,
    '-p',
    prompt,
  ],
}

function provider(url: string): object {
  const model = {
    ...{ id: 'mock-model', name: 'Mock', reasoning: false, input: ['text'], contextWindow: 128_000, maxTokens: 4000 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  }
  return { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'mock', models: [model] }
}
