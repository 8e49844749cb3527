// A history of made-up sessions with patterns in it that are known, and noise around them. Nothing in the noise happens twice:
// its words are drawn from a seeded generator and carry the number of their session in letters.
import type { SessionScript, Step } from '../transcripts.ts'

type AgentName = SessionScript['agent']

export interface Planted {
  type: string
  locus: string | RegExp
  agents: AgentName[]
}

const all: AgentName[] = ['claude-code', 'codex', 'gemini-cli']
const lockError = 'Error: the deploy lock is held by somebody else'
const lockShape = 'error: the deploy lock is held by somebody else'
const totalShape = 'typeerror: cart.total is not a function at <path>:<n>'

/** What detection must find, and nothing else. */
export const planted: Planted[] = [
  { type: 'unread edit', locus: '', agents: ['claude-code', 'codex'] },
  { type: 'recurring error', locus: 'edit text not found', agents: all },
  { type: 'recovery', locus: 'edit text not found → read', agents: all },
  { type: 'retry storm', locus: 'npm run deploy', agents: ['codex', 'gemini-cli'] },
  { type: 'repeated error', locus: lockShape, agents: ['codex', 'gemini-cli'] },
  { type: 'recurring error', locus: lockShape, agents: ['codex', 'gemini-cli'] },
  { type: 'recurring error', locus: totalShape, agents: ['claude-code', 'gemini-cli'] },
  { type: 'denial', locus: 'git push', agents: ['claude-code', 'codex'] },
  { type: 'denial', locus: 'terraform apply', agents: ['gemini-cli'] },
  { type: 'repeated correction', locus: /pnpm/, agents: ['claude-code', 'gemini-cli'] },
  { type: 'repeated correction', locus: /generated/, agents: ['codex'] },
  { type: 'command sequence', locus: 'npm run lint && npm run build && git commit', agents: ['claude-code', 'codex'] },
  { type: 'clean pass', locus: 'git commit', agents: ['claude-code', 'codex'] },
  { type: 'clean pass', locus: 'tests', agents: all },
  { type: 'lost at compaction', locus: 'read again', agents: ['claude-code', 'codex'] },
  { type: 'abandoned', locus: 'stopped by the user', agents: ['claude-code', 'codex'] },
  { type: 'schema thrash', locus: 'mcp tracker', agents: ['claude-code'] },
  { type: 'tool thrash', locus: 'curl', agents: ['codex'] },
  { type: 'overhead', locus: 'task list', agents: ['claude-code', 'codex'] },
  { type: 'untested change', locus: '', agents: ['claude-code', 'gemini-cli'] },
  { type: 'expensive session', locus: '', agents: ['claude-code'] },
]

/** The first so many sessions of the history; what is planted comes first, noise is spread over all of it. */
export function history(plantedEach: number, noise: number): SessionScript[] {
  const random = generator(7)
  const stories: SessionScript[] = []
  const add = (agent: AgentName, steps: (word: Word) => Step[], more: Partial<SessionScript> = {}) => {
    const number = stories.length + 1
    const word: Word = () => `${letters(Math.floor(random() * 1e6))}${letters(number)}`
    const project = projects[Math.floor(random() * projects.length)]!
    // Every session ends later than the one before it.
    stories.push({ agent, number, project, startedMs: firstMs + number * 3_600_000, steps: steps(word), ...more })
  }
  for (let round = 0; round < plantedEach; round++)
    for (const { agents, steps, output } of plots)
      for (const agent of agents) add(agent, (word) => steps(word, round), output ? { output } : {})
  for (let index = 0; index < noise; index++) {
    const plot = noisePlots[index % noisePlots.length]!
    add(all[index % all.length]!, plot)
  }
  return stories
}

type Word = () => string

const projects = ['shop', 'bank', 'maps', 'chat']
const firstMs = Date.parse('2026-01-05T08:00:00Z')

const file = (word: Word) => `/home/dev/app/src/${word()}.ts`
const task = (word: Word): Step => ({ do: 'say', text: `Please make the ${word()} of ${word()} show ${word()}` })
const done: Step = { do: 'reply', text: 'It is done.' }
const looks = (word: Word): Step[] => [0, 1, 2].map(() => ({ do: 'read', path: file(word) }))
const tested: Step = { do: 'run', command: 'npm test', output: ' Tests  3 passed (3)' }

interface Plot {
  agents: AgentName[]
  steps(word: Word, round: number): Step[]
  output?: number
}

const plots: Plot[] = [
  {
    agents: ['claude-code', 'codex'],
    steps: (word) => [task(word), ...looks(word), { do: 'edit', path: file(word), fails: 'not read' }, done],
  },
  {
    agents: all,
    steps: (word) => {
      const path = file(word)
      const read: Step = { do: 'read', path }
      const fails: Step = { do: 'edit', path, fails: 'not found' }
      return [task(word), ...looks(word), read, fails, read, { do: 'edit', path }, tested, done]
    },
  },
  {
    agents: ['codex', 'gemini-cli'],
    steps: (word) => {
      const deploy: Step = { do: 'run', command: 'npm run deploy', output: lockError, exit: 1 }
      return [task(word), ...looks(word), deploy, deploy, deploy, deploy, done]
    },
  },
  {
    agents: ['claude-code', 'gemini-cli'],
    steps: (word, round) => {
      const output = `TypeError: cart.total is not a function at /home/dev/app/src/${word()}.ts:${round + 3}`
      return [task(word), ...looks(word), { do: 'run', command: `make ${word()}`, output, exit: 2 }, done]
    },
  },
  {
    agents: ['claude-code', 'codex'],
    steps: (word) => [task(word), ...looks(word), { do: 'deny', command: `git push origin ${word()}` }, done],
  },
  {
    agents: ['gemini-cli'],
    steps: (word) => [task(word), ...looks(word), { do: 'deny', command: `cd ${word()} && terraform apply` }, done],
  },
  {
    agents: ['claude-code', 'gemini-cli'],
    steps: (word, round) => [task(word), ...looks(word), done, { do: 'say', text: pnpm[round % pnpm.length]! }, done],
  },
  {
    agents: ['codex'],
    steps: (word, round) => [task(word), ...looks(word), done, { do: 'say', text: made[round % made.length]! }, done],
  },
  {
    agents: ['claude-code', 'codex'],
    steps: (word) => [
      task(word),
      ...looks(word),
      { do: 'run', command: 'npm run lint' },
      { do: 'run', command: 'npm run build' },
      { do: 'run', command: `git commit -am "${word()}"` },
      done,
    ],
  },
  {
    agents: ['claude-code', 'codex'],
    steps: (word) => {
      const before = [...looks(word), ...looks(word)]
      return [task(word), ...before, { do: 'compact' }, ...before.slice(0, 4), done]
    },
  },
  {
    agents: ['claude-code', 'codex'],
    steps: (word) => [task(word), ...looks(word), { do: 'interrupt' }],
  },
  {
    agents: ['claude-code'],
    steps: (word) => {
      const error =
        '<tool_use_error>InputValidationError: create failed: the required parameter `team` is missing</tool_use_error>'
      const create = (): Step => ({ do: 'call', tool: 'mcp__tracker__create', input: { title: word() }, error })
      return [task(word), ...looks(word), create(), create(), done]
    },
  },
  {
    agents: ['codex'],
    steps: (word) => {
      const ask: Step = { do: 'run', command: `curl -s localhost/${word()}` }
      return [task(word), ...looks(word), ask, ask, ask, ask, ask, done]
    },
  },
  {
    agents: ['claude-code', 'codex'],
    steps: (word) => {
      const plans: Step[] = Array.from({ length: 8 }, () => ({ do: 'plan' }))
      return [task(word), ...plans, ...[1, 2, 3, 4, 5, 6].flatMap(() => looks(word)), done]
    },
  },
  {
    agents: ['claude-code', 'gemini-cli'],
    steps: (word) => {
      const path = file(word)
      return [task(word), ...looks(word), { do: 'read', path }, { do: 'edit', path }, done]
    },
  },
  {
    agents: ['claude-code'],
    steps: (word) => [task(word), ...looks(word), done],
    output: 400_000,
  },
]

const pnpm = [
  'No, use pnpm and not npm for the install',
  "don't install with npm, use pnpm",
  'no, install with pnpm instead of npm please',
  'Stop, I said pnpm, not npm, for every install',
]
const made = [
  "Don't add comments to generated files",
  'no comments in the generated files please',
  'I said no comments in generated files',
  'Wrong, generated files get no comments',
]

/** Work without anything to remember, failures and corrections of its own, a talk, a health check, and nothing at all. */
const noisePlots: ((word: Word) => Step[])[] = [
  (word) => {
    const path = file(word)
    return [task(word), ...looks(word), { do: 'read', path }, { do: 'edit', path }, tested, done]
  },
  (word) => [
    task(word),
    ...looks(word),
    { do: 'run', command: `make ${word()}`, output: `Error: cannot ${word()} the ${word()}`, exit: 1 },
    done,
  ],
  (word) => [task(word), ...looks(word), done, { do: 'say', text: `no, the ${word()} must ${word()} ${word()}` }, done],
  (word) => [
    task(word),
    ...looks(word),
    { do: 'run', command: `./${word()}.sh` },
    { do: 'run', command: `${word()} up` },
    done,
  ],
  (word) => [
    { do: 'say', text: `What is a ${word()}?` },
    { do: 'reply', text: `A kind of ${word()}.` },
  ],
  () => [
    { do: 'say', text: 'ping' },
    { do: 'reply', text: 'pong' },
  ],
  (word) => [task(word)],
  (word) => [task(word), ...looks(word), { do: 'deny', command: `${word()} --force` }, done],
]

/** A number in letters: digits are taken out of what is compared. */
function letters(number: number): string {
  return [...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')
}

function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
