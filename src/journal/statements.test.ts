import { describe, expect, it } from 'vitest'
import { newDigestState } from '../digest/digest-state.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { confirmedCauses, readUtterance, type Statements, unfinishedIn } from './statements.ts'

function none(): Statements {
  return { decided: [], found: [], putOff: [] }
}

function said(prompt: string, before = ''): Statements {
  const found = none()
  readUtterance({ prompt, before }, found)
  return found
}

describe('readUtterance', () => {
  it.each([
    ["ok, let's go with the queue", "“ok, let's go with the queue”"],
    ['We decided that invoices are never deleted.', '“We decided that invoices are never deleted.”'],
    ["let's keep the old names for now", "“let's keep the old names for now”"],
  ])('quotes a decision: %s', (prompt, decided) => expect(said(prompt).decided).toEqual([decided]))

  it.each([
    "let's fix the tests",
    "let's keep going",
    'should we go with the queue?',
    'go on',
    'add a retry to the webhook',
  ])('does not take a request for a decision: %s', (prompt) => expect(said(prompt).decided).toEqual([]))

  const options =
    'Two ways:\n\n1. **Retry in the handler**, which is simple.\n2. **Retry in the queue**, which survives a restart.\n\nWhich one?'

  it.each(['2', 'option 2 please', "let's go with option 2"])('names the option that was chosen: %s', (prompt) =>
    expect(said(prompt, options).decided[0]).toBe('Option 2: Retry in the queue, which survives a restart.'),
  )

  it.each(["Option 1 doesn't work since the hash can change.", 'option 2 is too slow', 'why option 2?'])(
    'does not take a rejected option for a choice: %s',
    (prompt) => expect(said(prompt, options).decided).toEqual([]),
  )

  it('takes a number for an option only if there are options', () =>
    expect(said('2', 'How many workers do you want?').decided).toEqual([]))

  it('tells answers to questions of the agent', () =>
    expect(said('"Which database should it use?": SQLite').decided).toEqual([
      'Which database should it use? “SQLite”.',
    ]))

  it('quotes what was put off', () =>
    expect(said('Looks good. We can fix the date format later.').putOff).toEqual([
      '“We can fix the date format later.”',
    ]))
})

describe('confirmedCauses', () => {
  const reply = 'The root cause is that the parser drops the last row of a file without a line break.'
  const event = (seq: number, kind: StoredEvent['kind'], text = ''): StoredEvent => ({
    ...{ seq, id: `e${seq}`, ts: null, role: kind === 'prompt' ? 'user' : 'assistant' },
    kind,
    text,
  })

  function causes(between: StoredEvent[]): string[] {
    const found = none()
    const take = confirmedCauses(found)
    const state = newDigestState()
    take(event(1, 'reply', reply), state)
    state.signals.edit = 2
    for (const one of between) take(one, state)
    state.signals.test = { seq: 9, isOk: true }
    take(event(9, 'test_run'), state)
    return found.found
  }

  it('keeps a cause that a passing run confirms', () => expect(causes([])).toEqual([reply]))

  it('drops a cause if the person says next that it still fails', () => {
    const found = none()
    const take = confirmedCauses(found)
    const state = newDigestState()
    take(event(1, 'reply', reply), state)
    Object.assign(state.signals, { edit: 2, commit: 3 })
    take(event(3, 'tool_result'), state)
    expect(found.found).toEqual([reply])
    take(event(4, 'prompt', 'it still fails with the same error'), state)
    expect(found.found).toEqual([])
  })

  it('drops a cause that the person rejects', () =>
    expect(causes([event(5, 'prompt', "no, that's wrong, undo it")])).toEqual([]))
})

describe('unfinishedIn', () => {
  it('finds what a reply names as not done', () =>
    expect(unfinishedIn('The import works. The export is not yet implemented. All tests pass.')).toEqual([
      'The export is not yet implemented.',
    ]))

  it('finds nothing where nothing is left', () =>
    expect(unfinishedIn('Everything is merged. No remaining issues.')).toEqual([]))
})
