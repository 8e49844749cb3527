import { describe, expect, it } from 'vitest'
import { newDigestState } from '../digest/digest-state.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { causeReader } from './causes.ts'

const cause = 'The import fails because the parser drops the last row of a file without a line break.'

const event = (seq: number, kind: StoredEvent['kind'], text = ''): StoredEvent => ({
  ...{ seq, id: `e${seq}`, ts: null, role: kind === 'prompt' ? 'user' : 'assistant' },
  kind,
  text,
})

/** Causes after a reply, an edit, these events, and a passing test run. */
function confirmed(reply: string, ...between: StoredEvent[]): string[] {
  const reader = causeReader()
  const state = newDigestState()
  reader.read(event(0, 'prompt', 'why does the import fail?'), state.signals)
  reader.read(event(1, 'reply', reply), state.signals)
  state.signals.edit = 2
  for (const one of between) reader.read(one, state.signals)
  state.signals.test = { seq: 9, isOk: true }
  reader.read(event(9, 'test_run'), state.signals)
  return reader.causes()
}

/** Causes after a reply that nothing confirms. */
function unconfirmed(reply: string): string[] {
  const reader = causeReader()
  reader.read(event(1, 'reply', reply), newDigestState().signals)
  return reader.causes()
}

describe('causeReader', () => {
  it('keeps a cause that a passing run confirms', () => expect(confirmed(cause)).toEqual([cause]))

  it('adds the fix that follows', () =>
    expect(confirmed(`${cause} I added a line break at the end of every upload.`)).toEqual([
      `${cause} I added a line break at the end of every upload.`,
    ]))

  it.each([
    ['**Root cause:** the pool is closed before the last query returns, so it fails.'],
    ['The root cause is that the clock is read before the zone is set, so every date is wrong.'],
  ])('keeps a cause that is named in so many words: %s', (reply) => expect(unconfirmed(reply)).toHaveLength(1))

  it.each([
    'The issue is linked in the notes of the release.',
    'The problem is probably that the cache is never cleared.',
    'I need to rebuild the packages because the types are stale.',
    'The reason is that people like short names.',
  ])('takes nothing else for the cause of a failure: %s', (reply) => expect(confirmed(reply)).toEqual([]))

  it('tells what "this" refers to', () =>
    expect(
      confirmed('The reader waits for a full block. That is a deadlock because the writer never sends one.'),
    ).toEqual(['The reader waits for a full block. That is a deadlock because the writer never sends one.']))

  it('drops a cause that the person rejects, before or after it was confirmed', () => {
    expect(confirmed(cause, event(5, 'prompt', "no, that's wrong, undo it"))).toEqual([])
    expect(confirmed(cause, event(5, 'prompt', 'it still fails with the same error'))).toEqual([])
  })

  it('drops a cause that the agent takes back', () => {
    const reader = causeReader()
    const state = newDigestState()
    reader.read(event(1, 'reply', 'The root cause is that the cache is never cleared after a login.'), state.signals)
    reader.read(event(2, 'reply', 'I was wrong, the cache is fine.'), state.signals)
    expect(reader.causes()).toEqual([])
  })
})
