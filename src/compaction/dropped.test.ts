import { describe, expect, it } from 'vitest'
import type { EventKind, Json } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { droppedFacts } from './dropped.ts'
import { type FactState, newFactState } from './fact-state.ts'
import { foldFacts } from './facts.ts'

type Part = Partial<StoredEvent> & { kind: EventKind }

const prompt = (text: string): Part => ({ kind: 'prompt', role: 'user', text })
const reply = (text: string): Part => ({ kind: 'reply', text })
const read = (path: string): Part => ({ kind: 'tool_call', tool: 'Read', input: { file_path: path } })
let calls = 0
function run(command: string, result: Partial<StoredEvent> = {}): Part[] {
  const call = `c${calls++}`
  return [
    { kind: 'tool_call', tool: 'Bash', call, input: { command } },
    { kind: 'tool_result', role: 'tool', call, ...result },
  ]
}

function factsAfter(...parts: Part[]): FactState {
  const state = newFactState()
  for (const [seq, part] of parts.entries()) {
    const event = {
      id: `e${seq}`,
      role: 'assistant',
      ts: '2026-09-01T10:00:00.000Z',
      text: '',
      seq,
      ...part,
    } as StoredEvent
    foldFacts(state, event, { agent: 'claude-code', cwd: '/home/dev/app' })
  }
  return state
}

function dropped(
  state: FactState,
  summary?: string,
  more: { keepsPrompts?: boolean; maxTokens?: number } = {},
): string[] {
  return droppedFacts(state, { summary, maxTokens: 600, ...more }).map(({ kind, text }) => `${kind}: ${text}`)
}

describe('droppedFacts', () => {
  it("returns the person's rules and decisions that the summary does not have, word for word", () => {
    const state = factsAfter(
      prompt('Never touch the vendored parser. We decided to keep SQLite for the index.'),
      reply('Understood.'),
    )
    expect(dropped(state, 'The user asked about the index.')).toEqual(
      expect.arrayContaining([
        'constraint: Never touch the vendored parser.',
        'decision: We decided to keep SQLite for the index.',
      ]),
    )
    expect(
      dropped(state, 'Rule: never touch the vendored parser\nDecision: SQLite is kept for the index (decided)'),
    ).toEqual([])
  })

  it('leaves out prompts that the agent keeps itself', () => {
    const state = factsAfter(prompt('Never use port 443, use port 7443 in src/proxy.ts.'), reply('Fine.'))
    expect(dropped(state, '', { keepsPrompts: true })).toEqual([])
  })

  it('returns commands that worked, once, and none that any agent knows', () => {
    const state = factsAfter(
      prompt('Run the slow tests.'),
      ...run('pnpm vitest run --project slow | tail -20'),
      ...run('pnpm vitest run --project slow | tail -50'),
      ...run('git status'),
      ...run('pnpm build --filter web', { error: 'failed', exit: 1, text: 'Error: no such filter' }),
    )
    expect(dropped(state, '')).toEqual(
      expect.arrayContaining(['command: pnpm vitest run --project slow | tail -50', 'error: pnpm build --filter web']),
    )
    expect(dropped(state, '').join('\n')).not.toMatch(/git status|tail -20/)
  })

  it('forgets a failure when the command has passed', () => {
    const failed = run('cargo clippy', { error: 'failed', exit: 101, text: 'error: unused variable' })
    expect(dropped(factsAfter(prompt('Lint it.'), ...failed), '')).toContain('error: cargo clippy')
    expect(dropped(factsAfter(prompt('Lint it.'), ...failed, ...run('cargo clippy')), '')).not.toContain(
      'error: cargo clippy',
    )
  })

  it('returns paths as they are in the project, unless the summary names them', () => {
    const state = factsAfter(
      prompt('Look at it.'),
      read('/home/dev/app/src/net/a.ts'),
      read('/home/dev/app/src/net/b.ts'),
    )
    expect(dropped(state, 'Only net/b.ts was read.')).toEqual(['path: src/net/a.ts'])
  })

  it('prefers what was used last', () => {
    const old = Array.from({ length: 300 }, (_, index) => read(`/home/dev/app/src/old/module-${index}.ts`))
    const state = factsAfter(prompt('Look at it.'), ...old, read('/home/dev/app/src/new/target.ts'))
    expect(dropped(state, '', { maxTokens: 60 })[0]).toBe('path: src/new/target.ts')
  })

  it('returns unfinished items of a task list and the open question', () => {
    const todos = [
      { content: 'Write the migration', status: 'completed' },
      { content: 'Run the migration on staging', status: 'pending' },
    ]
    const state = factsAfter(
      prompt('Go on.'),
      { kind: 'tool_call', tool: 'TodoWrite', input: { todos } },
      reply('Should the old table be dropped?'),
    )
    expect(dropped(state, '')).toEqual(
      expect.arrayContaining(['open end: Run the migration on staging', 'open end: Should the old table be dropped?']),
    )
  })

  it.each<[agent: string, tool: string, input: Json]>([
    ['Gemini CLI', 'write_todos', { todos: [{ description: 'Run the migration on staging', status: 'pending' }] }],
    ['Claude Code', 'TaskCreate', { subject: 'Run the migration on staging', description: 'With a copy of the data' }],
    ['Droid', 'TodoWrite', { todos: '1. [pending] Run the migration on staging' }],
  ])('returns the unfinished items of %s', (_, tool, input) => {
    const state = factsAfter(prompt('Go on.'), { kind: 'tool_call', tool, input })
    expect(dropped(state, '')).toContain('open end: Run the migration on staging')
  })

  it('forgets what the person rewound', () => {
    const state = factsAfter(
      prompt('Always use tabs in src/fmt.ts.'),
      reply('Done.'),
      { kind: 'lifecycle', undoes: 1, text: 'Went back' },
      prompt('Hello.'),
    )
    expect(dropped(state, '')).toEqual([])
  })

  it('keeps names that are properties of every object apart', () => {
    const state = factsAfter(prompt('Replace hasOwnProperty by Object.hasOwn, never __proto__.'), reply('Done.'))
    expect(state.names.get('hasOwnProperty')).toMatchObject({ times: 1, isSaid: true })
  })

  it('stays small and within its budget in a hostile session', () => {
    const noise = Array.from({ length: 200 }, (_, index) => [
      prompt(`You must always ${'x'.repeat(5000)} ${index}. ${'Never do that. '.repeat(300)}`),
      read(`/home/dev/app/${'deep/'.repeat(200)}${index}.ts`),
      ...run(`echo ${'y'.repeat(100_000)} > /tmp/file-${index}.txt`),
    ])
    const state = factsAfter(...noise.flat())
    expect(state.names.size).toBeLessThanOrEqual(800)
    expect(state.statements.length).toBeLessThanOrEqual(80)
    expect(JSON.stringify([...state.names]).length).toBeLessThan(400_000)
  })
})
