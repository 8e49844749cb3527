import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { summariseEvent } from '../store/sessions/events.ts'
import { foldEvent, newDigestState } from './digest-state.ts'
import { followSignals } from './passing-signals.ts'

type Short = [kind: StoredEvent['kind'], more?: Partial<StoredEvent>]

const edit: Short = ['edit', { files: [{ path: 'a.ts', change: 'update' }] }]
const run = (command: string | string[], result: Partial<StoredEvent> = {}): Short[] => [
  ['tool_call', { tool: 'Bash', call: 'c', input: { command } }],
  [result.kind ?? 'tool_result', { call: 'c', ...result }],
]
const failed = { error: 'failed', exit: 1 } as const

function signalsOf(events: Short[]) {
  const { signals, follow } = followSignals()
  const state = newDigestState()
  for (const [seq, [kind, more]] of events.entries()) {
    const event: StoredEvent = { seq, id: `e${seq}`, ts: null, role: 'assistant', text: '', ...more, kind }
    follow(event)
    foldEvent(state, { seq, ...summariseEvent(event) })
  }
  const { edit, test, commit } = state.signals
  return {
    followed: { edit: signals.edit, test: signals.test, commit: signals.commit },
    digest: { edit, test, commit },
  }
}

describe('followSignals', () => {
  it.each<[string, Short[], object]>([
    ['an edit', [edit], { edit: 0 }],
    [
      'tests that pass',
      run('npm test', { kind: 'test_run', tests: { passed: 3, failed: 0 } }),
      { test: { isOk: true } },
    ],
    ['tests that fail', run('npm test', { kind: 'test_run', ...failed }), { test: { isOk: false } }],
    [
      'tests before a step that fails',
      run('npm test && ./publish.sh', { kind: 'test_run', ...failed, tests: { passed: 3, failed: 0 } }),
      { test: { isOk: true } },
    ],
    ['a task that tests', run('mise run test'), { test: { seq: 1, isOk: true } }],
    [
      'a pipe behind a failure',
      [...run('just test', failed), ...run('just test | tail -3')],
      { test: { seq: 1, isOk: false } },
    ],
    ['a commit', run('git commit -m "Add a"', { text: '[main 0a1b2c3] Add a' }), { commit: 1 }],
    [
      'a commit of a line that fails later',
      run('git commit -m a; false', { text: '[main 0a1b2c3] a', ...failed }),
      { commit: 1 },
    ],
    ['a push', run(['bash', '-lc', 'git push']), { commit: 1 }],
    ['a pull request', run('gh pr create --fill'), { commit: 1 }],
    ['a release', run('npm publish'), { commit: 1 }],
    ['a commit that the agent records', [['lifecycle', { text: 'Commit 0a1b2c3 Add a' }]], { commit: 0 }],
    ['nothing', run('ls'), { edit: null, test: null, commit: null }],
  ])('is the same as in a digest: %s', (_, events, expected) => {
    const { followed, digest } = signalsOf(events)
    expect(followed).toEqual(digest)
    expect(followed).toMatchObject(expected)
  })
})
