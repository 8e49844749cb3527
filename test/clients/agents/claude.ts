// Claude Code 2.1.325, configured not to use the network.
import { join } from 'node:path'
import type { Client } from '../client.ts'
import { anthropic } from '../protocols/anthropic.ts'

export const claude: Client = {
  name: 'claude',
  agent: 'claude-code',
  protocol: anthropic,
  hooksFile: '.claude/settings.json',
  settings: () => ({ '.claude/settings.json': '{\n  "model": "opus",\n  "cleanupPeriodDays": 90\n}\n' }),
  env: ({ home }, url) => ({
    CLAUDE_CODE_TMPDIR: join(home, 'tmp'),
    ANTHROPIC_API_KEY: 'sk-ant-mock-0000000000000000',
    ANTHROPIC_BASE_URL: url,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Without it root may not skip permissions.
    IS_SANDBOX: '1',
  }),
  args: (prompt, { resume, more = [] }) => [
    '-p',
    prompt,
    '--output-format',
    'json',
    '--permission-mode',
    'bypassPermissions',
    ...(resume ? ['--resume', resume] : []),
    ...more,
  ],
}
