// Codex 0.166, configured not to use the network: without `plugins = false` it looks for the network, and ending takes 4 s longer.
import { join } from 'node:path'
import type { Client } from '../client.ts'
import { responses } from '../protocols/responses.ts'

/** Hooks that the user has not agreed to in the terminal are skipped without a word; this runs them anyway. */
export const bypassTrust = '--dangerously-bypass-hook-trust'

export const codex: Client = {
  name: 'codex',
  agent: 'codex',
  protocol: responses,
  hooksFile: '.codex/hooks.json',
  settings: ({ project }, url) => ({
    '.codex/config.toml': `model = "gpt-5.5"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
env_key = "MOCK_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[features]
plugins = false
daemon_auto_start = false

[analytics]
enabled = false

[projects."${project}"]
trust_level = "trusted"
`,
  }),
  env: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), MOCK_API_KEY: 'sk-mock' }),
  args: (prompt, { resume, more = [] }) => [
    'exec',
    ...(resume ? ['resume', resume] : []),
    '--json',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    bypassTrust,
    ...more,
    prompt,
  ],
}
