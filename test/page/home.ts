// A home with sessions of three agents, swept, with candidates, a contradiction and memories; and the page over it.
import { createApp } from '../../src/app.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { layoutOf } from '../../src/core/paths.ts'
import type { Pattern } from '../../src/patterns/types.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { savePatterns } from '../../src/store/patterns/patterns.ts'
import { type Turn, turnRecords } from '../learn-home.ts'
import { type Place, place, recollect, sessionName } from '../program.ts'
import { type TestPage, testPage } from './client.ts'

const runTests = { tool: 'Bash', input: { command: 'npm test' }, result: 'Tests  12 passed (12)' }

const talk: Turn[] = [
  [
    'Uploads are lost again after a restart of the worker, find out why.',
    'Let me look at the worker.',
    { tool: 'Bash', input: { command: 'npm test' }, result: 'Tests  1 failed | 11 passed (12)' },
    'Uploads are lost because the worker drops its queue at a restart.',
  ],
  [
    'Fix it, and always write the queue to the database.',
    { tool: 'Write', input: { file_path: '/home/dev/app/queue.ts', content: 'export const queue = []\n' } },
    runTests,
    'I moved the queue of uploads into the database.',
  ],
]

/** Each says something that rules propose to remember. */
const wishes = [
  'Always use pnpm in this project, never npm.',
  'Never commit to main directly, open a pull request.',
  'Always run the linter before you commit.',
  'We decided to keep the API version in the path.',
  'Never use default exports in this code base.',
  'Always name branches after the ticket.',
  'We agreed to store times in UTC only.',
  'Do not add comments that repeat the code.',
  'Always write error messages with a next step.',
  'Never mock the database in integration tests.',
  'We decided to drop support for Node 18.',
  'Always sort imports by path.',
  'Never log personal data.',
  'We decided to use Postgres instead of MySQL.',
  'Always squash commits of a pull request.',
  'Do not use abbreviations in names.',
  'We agreed that releases happen on Tuesdays.',
  'Never change a migration that was released.',
  'Always add a test for a fixed bug.',
  'We decided to render dates in ISO format.',
  'Never block the event loop in the server.',
  'Always close file handles in finally blocks.',
]

const chinese: Turn[] = [['请修复登录超时的问题', '登录超时是因为令牌在创建之后才设置时钟。已修复。']]

const hostile = '<script>alert(1)</script>'

/** Text of a page, a terminal and a direction that nobody wants. */
export const hostileTurns: Turn[] = [
  [
    `${hostile} <img src=x onerror=alert(1)> "quoted" '; \u001b[31mred\u001b[0m \u202edesrever\u202c [x](javascript:alert(1))`,
    `# ${hostile}\n\n<iframe src="http://evil.example"></iframe>\n\n![image](http://evil.example/pixel.png)`,
    { tool: 'Bash', input: { command: `echo '${hostile}'` }, result: `${hostile}\n${'x'.repeat(1_000_000)}` },
  ],
]

export function pageHome(): Place {
  const at = place({
    [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: turnRecords(talk, 0, sessionName(1)),
    [`.claude/projects/-home-dev-app/${sessionName(2)}.jsonl`]: turnRecords(
      wishes.map((wish): Turn => [wish, 'Understood.']),
      0,
      sessionName(2),
    ),
    [`.claude/projects/-home-dev-app/${sessionName(3)}.jsonl`]: turnRecords(chinese, 0, sessionName(3)),
    [`.claude/projects/-home-dev-app/${sessionName(4)}.jsonl`]: turnRecords(hostileTurns, 0, sessionName(4)),
    [`.codex/sessions/2026/09/02/rollout-2026-09-02T10-00-00-${codexId}.jsonl`]: codexSession(),
    'src/notes/.aider.chat.history.md': aiderHistory,
  })
  for (const text of ['Deploy on Tuesdays', 'The staging server is called heron']) recollect(at, 'remember', text)
  recollect(at, 'sweep')
  recollect(at, 'remember', 'Deploys need two approvals', '--project', '/home/dev/app')
  const candidates: { id: string }[] = recollect(at, 'memories', '--candidates', '--json').json()
  recollect(at, 'memories', 'keep', ...candidates.slice(-3).map(({ id }) => id))
  recollect(at, 'sweep')
  recollect(at, 'wiki', 'build', '--all')
  const ledger = openLedger(layoutOf(at.store))
  savePatterns(ledger, [pattern])
  ledger.close()
  return at
}

const pattern: Pattern = {
  id: 'p-1a2b3c4d5e',
  polarity: 'problem',
  type: 'recurring error',
  locus: 'shell quoting',
  title: 'Shell quoting and glob errors',
  frequency: 3,
  times: 5,
  sessions: 3,
  projects: ['/home/dev/app'],
  agents: ['claude-code', 'codex'],
  crossAgent: true,
  costUsd: 1.5,
  firstMs: Date.parse('2026-08-01'),
  lastMs: Date.parse('2026-09-01'),
  evidence: 'aa00',
  examples: [{ session: `claude-code:${sessionName(1)}`, seq: 3, detail: 'zsh:1: no matches found' }],
}

export const codexId = '019f0000-1111-7000-8000-000000000001'

function codexSession(): object[] {
  const at = (second: number) => `2026-09-02T10:00:${String(second).padStart(2, '0')}.000Z`
  const message = (second: number, role: string, text: string) => ({
    timestamp: at(second),
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
  })
  return [
    {
      timestamp: at(0),
      type: 'session_meta',
      payload: { id: codexId, timestamp: at(0), cwd: '/home/dev/app', cli_version: '0.166.0' },
    },
    message(1, 'user', 'Rename the manifest to run_manifest and keep the old name as an alias.'),
    {
      timestamp: at(1),
      type: 'event_msg',
      payload: {
        type: 'user_message',
        message: 'Rename the manifest to run_manifest and keep the old name as an alias.',
      },
    },
    message(2, 'assistant', 'Should the alias be removed in the next release?'),
    {
      timestamp: at(2),
      type: 'event_msg',
      payload: { type: 'agent_message', message: 'Should the alias be removed in the next release?' },
    },
  ]
}

const aiderHistory = `
# aider chat started at 2026-09-03 10:00:00

> aider v0.60.0

#### add a word count to the notes

I added a word count.

> Applied edit to notes.py
> Commit 0a1b2c3 feat: add a word count
`

/** The page over this home, without a server. */
export function pageOf(at: Place): TestPage {
  const machine = {
    home: at.home,
    env: { RECOLLECT_HOME: at.store, PATH: process.env.PATH },
    platform: process.platform,
  }
  return testPage(createApp({ machine, clock: fixedClock('2026-09-10T12:00:00.000Z') }))
}
