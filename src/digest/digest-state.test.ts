import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { eventFolder, foldEvent, newDigestState } from './digest-state.ts'

const event = (seq: number, kind: StoredEvent['kind'], text = '', more: Partial<StoredEvent> = {}): StoredEvent => ({
  ...{ seq, id: `e${seq}`, ts: null, role: kind === 'prompt' ? 'user' : 'assistant', kind, text },
  ...more,
})
const question = { tool: 'AskUserQuestion', input: { question: 'Which port?' } }
const summary = `I moved the reader. ${'Then the tests were changed. '.repeat(20)}`

describe('eventFolder', () => {
  it.each<[string, StoredEvent[]]>([
    ['the last reply asks', [event(1, 'reply', 'Done.'), event(2, 'reply', 'Should I push it?')]],
    ['the last reply announces a step', [event(1, 'reply', 'Is that fine?'), event(2, 'reply', "I'll run the tests.")]],
    ['an empty reply comes last', [event(1, 'reply', 'Should I push it?'), event(2, 'reply', ' ')]],
    ['a tool asks after a reply', [event(1, 'reply', 'One question.'), event(2, 'tool_call', '', question)]],
    ['a reply comes after a tool that asks', [event(1, 'tool_call', '', question), event(2, 'reply', 'Done.')]],
    [
      'the last reply is the summary of a compaction',
      [
        event(1, 'reply', 'Should I push it?'),
        event(2, 'reply', summary),
        event(3, 'compaction', summary, { role: 'system' }),
      ],
    ],
  ])('gives the same state as one event at a time: %s', (_, events) => {
    const all = [event(0, 'prompt', 'move the reader'), ...events]
    const [one, other] = [newDigestState(), newDigestState()]
    for (const each of all) foldEvent(one, each)
    const folder = eventFolder(other)
    for (const each of all) folder.fold(each)
    folder.finish()
    expect(other).toEqual(one)
  })

  it('reads how a reply ends when it finishes', () => {
    const state = newDigestState()
    const folder = eventFolder(state)
    folder.fold(event(0, 'reply', 'Should I push it?'))
    expect(state.question).toBeNull()
    folder.finish()
    expect(state.question).toEqual({ text: 'Should I push it?', isOffer: true })
  })
})
