// The command line of Continue, 1.5.47, with a provider of one's own. It has no hooks of its own.
import type { Client } from '../client.ts'
import { chat } from '../protocols/chat.ts'

export const continueDev: Client = {
  name: 'continue',
  agent: 'continue',
  protocol: chat,
  hooksFile: '',
  settings: (_, url) => ({ '.continue/config.yaml': config(url, 100_000) }),
  env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
  // It resumes the latest session, whatever its id.
  args: (prompt, { resume, more = [] }) => [...(resume ? ['--resume'] : []), '--auto', ...more, '-p', prompt],
}

export function config(url: string, contextLength: number): string {
  return `name: mock
version: 1.0.0
schema: v1
models:
  - name: Mock
    provider: openai
    model: mock-model
    apiBase: ${url}/v1
    apiKey: mock
    roles: [chat]
    defaultCompletionOptions:
      contextLength: ${contextLength}
      maxTokens: 500
`
}
