import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { closeTurn, type FoldState, foldEvent, newFold, type SessionItem } from './fold.ts'

const cwd = '/home/dev/app'
type Part = Partial<StoredEvent> & Pick<StoredEvent, 'kind'>

function events(...parts: Part[]): StoredEvent[] {
  return parts.map(
    (part, seq) => ({ seq, id: `e${seq}`, ts: null, role: 'assistant', text: '', ...part }) as StoredEvent,
  )
}

const call = (id: string, command: string): Part => ({ kind: 'tool_call', tool: 'Bash', call: id, input: { command } })
const result = (id: string, text: string, more: Partial<StoredEvent> = {}): Part => ({
  ...{ kind: 'tool_result', call: id, text, exit: 0 },
  ...more,
})
const edit = (path: string, text: string): Part => ({
  ...{ kind: 'tool_call', tool: 'Edit', call: path },
  input: { file_path: path, old_string: '', new_string: text },
})

/** `pause` says after which events the state is written and read again. */
function fold(all: readonly StoredEvent[], pause: (seq: number) => boolean = () => false): SessionItem[] {
  let state = newFold()
  const items: SessionItem[] = []
  for (const event of all) {
    items.push(...foldEvent(state, event, cwd))
    if (pause(event.seq)) state = JSON.parse(JSON.stringify(state)) as FoldState
  }
  return [...items, ...closeTurn(state)]
}

const session = events(
  { kind: 'prompt', role: 'user', text: 'Fix the tides. Never mock the clock.' },
  { kind: 'reply', text: 'Let me run the tests.' },
  call('a', 'cd core && go test ./...'),
  call('b', 'npm run lint'),
  result('a', '--- FAIL: TestTide\nFAIL', { exit: 1, error: 'failed' }),
  result('b', 'core/tide.go:9:2: Error return value is not checked (errcheck)', { exit: 1, error: 'failed' }),
  edit('core/tide.go', 'func Ebb() {}\nclose(f) //nolint:errcheck // read only'),
  call('c', 'git push'),
  result('c', 'denied. The user said: push only when I ask', { error: 'denied' }),
  { kind: 'reply', text: 'The test failed because `Ebb` was missing.' },
  { kind: 'prompt', role: 'user', text: 'thanks' },
  { kind: 'reply', text: 'The limit is in `core/tide.go`.' },
)

describe('the items of a session', () => {
  it('are its runs, edits, complaints, words of the person and closing replies', () => {
    expect(fold(session).map(({ at: _, ...item }) => item)).toEqual([
      { kind: 'said', seq: 0, text: 'Fix the tides. Never mock the clock.' },
      {
        ...{ kind: 'run', seq: 4, folder: 'core', outcome: 'failed' },
        parts: [{ program: 'go test', text: 'go test ./...' }],
      },
      {
        ...{ kind: 'run', seq: 5, folder: '', outcome: 'failed' },
        parts: [{ program: 'npm run lint', text: 'npm run lint' }],
      },
      {
        ...{ kind: 'complaint', seq: 5 },
        complaint: { rule: 'errcheck', by: 'program', text: 'Error return value is not checked' },
      },
      { kind: 'edit', seq: 6, path: 'core/tide.go', symbols: ['Ebb'] },
      { kind: 'complaint', seq: 6, complaint: { rule: 'errcheck', by: 'agent', text: 'read only' } },
      { kind: 'said', seq: 8, text: 'push only when I ask' },
      { kind: 'closing', seq: 9, text: 'The test failed because `Ebb` was missing.' },
      { kind: 'said', seq: 10, text: 'thanks' },
      { kind: 'closing', seq: 11, text: 'The limit is in `core/tide.go`.' },
    ])
  })

  it('are the same wherever the fold is left and resumed', () => {
    const whole = fold(session)
    for (let at = 0; at < session.length; at++)
      expect(
        fold(session, (seq) => seq === at),
        String(at),
      ).toEqual(whole)
    expect(fold(session, () => true)).toEqual(whole)
  })

  it('name each file of a patch, and no symbol of which the file is not known', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: a.ts',
      '+export function tide() {}',
      '*** Update File: b.ts',
      '+x',
      '*** End Patch',
    ].join('\n')
    const items = fold(events({ kind: 'tool_call', tool: 'apply_patch', call: 'p', input: { patch } }))
    expect(items.map((item) => item.kind === 'edit' && [item.path, item.symbols])).toEqual([
      ['a.ts', []],
      ['b.ts', []],
    ])
  })

  it('are no runs of editors that call what they do a command', () => {
    const input = { command: 'str_replace', path: 'a.ts', old_str: 'a', new_str: 'b' }
    const items = fold(events({ kind: 'tool_call', tool: 'text_editor', call: 'p', input }, result('p', 'done')))
    expect(items.map(({ kind }) => kind)).toEqual(['edit'])
  })
})

describe('the state', () => {
  it('stays small, whatever the session has', () => {
    const state = newFold()
    const text = '潮"$(`\\\r\n<<A ('.repeat(6000)
    const hostile = Array.from({ length: 200 }, (_, at) => [
      call(`c${at}`, text),
      { kind: 'reply' as const, text },
      edit(`f${at}.ts`, text),
    ]).flat()
    for (const event of events(...hostile)) foldEvent(state, event, cwd)
    expect(state.calls).toHaveLength(50)
    expect(JSON.stringify(state).length).toBeLessThan(50 * 10_000)
  })

  it('gives bounded items for hostile texts', () => {
    for (const sign of [
      '"',
      "'",
      '$(',
      '\\',
      '(',
      '<<A\n',
      '\r\n',
      '\u0000',
      '潮',
      'x',
      '//nolint:a ',
      'a.a:1: b (c)\n',
    ]) {
      const text = sign.repeat(Math.ceil(64_000 / sign.length))
      const items = fold(
        events({ kind: 'prompt', role: 'user', text }, call('a', text), result('a', text), edit('a.ts', text), {
          kind: 'reply',
          text,
        }),
      )
      expect(items.length, sign).toBeLessThan(60)
      expect(JSON.stringify(items).length, sign).toBeLessThan(200_000)
    }
  })
})
