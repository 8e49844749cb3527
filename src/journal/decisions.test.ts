import { describe, expect, it } from 'vitest'
import { type Decision, decisionsIn, tellDecisions } from './decisions.ts'

function decided(prompt: string, before = ''): string[] {
  return decisionsIn({ seq: 1, prompt, before }).map(({ text }) => text)
}

describe('what the person declares', () => {
  it.each([
    ["ok, let's go with the queue", "“ok, let's go with the queue”"],
    ['We decided that invoices are never deleted.', '“We decided that invoices are never deleted.”'],
    ["let's keep the old names for now", "“let's keep the old names for now”"],
    ['ok lets rename to parcel_list, start with the docs', '“ok lets rename to parcel_list, start with the docs”'],
    ["i don't think we need the retry_policy setting", "“i don't think we need the retry_policy setting”"],
    ['stop rewriting the changelog', '“stop rewriting the changelog”'],
  ])('is quoted: %s', (prompt, text) => expect(decided(prompt)).toEqual([text]))

  it.each([
    "let's fix the tests",
    "let's keep going",
    'should we go with the queue?',
    'go on',
    'add a retry to the webhook',
  ])('is no request: %s', (prompt) => expect(decided(prompt)).toEqual([]))

  it('stands with what it refers to, or is left out', () => {
    const reply = 'The index could be rebuilt from the archive in one go.'
    expect(decided("let's not do that", reply)).toEqual([`${reply} “let's not do that”`])
    expect(decided("let's not do that")).toEqual([])
  })
})

describe('an answer to a question of the agent', () => {
  it.each([
    [
      'Should retries live in the handler or in the queue?',
      'queue, keep the handler simple',
      'Should retries live in the handler or in the queue? “queue, keep the handler simple”',
    ],
    [
      'A list is simpler, a tree is faster for large files. Which do you want?',
      'do tree, fix it',
      'A list is simpler, a tree is faster for large files. Which do you want? “do tree, fix it”',
    ],
    [
      'Want me to raise the limit of the upload as well?',
      "no don't raise it, let's see if it happens again",
      "Want me to raise the limit of the upload as well? “no don't raise it, let's see if it happens again”",
    ],
    [
      'Should the parser split rows at commas, or at tabs?',
      'tabs, use only those. Do we still need the old tests?',
      'Should the parser split rows at commas, or at tabs? “tabs, use only those.”',
    ],
  ])('is told with it: %s %s', (before, prompt, text) => expect(decided(prompt, before)).toEqual([text]))

  it.each([
    ['Want me to push this now?', 'yes please'],
    ['What were you doing when the import failed?', 'I ran it twice with the same file'],
    ['Which one?', 'keep the second'],
    ['Want me to continue with the next step?', 'ok, do it'],
    ['Ready for the next task, or should the branch be merged?', 'move the settings to a file of their own'],
  ])('is left out if it decides nothing, or nobody knows what: %s %s', (before, prompt) =>
    expect(decided(prompt, before)).toEqual([]),
  )

  it('is paired with the points that the agent numbered', () =>
    expect(
      decided(
        '1. yes, keep it\n2. skip for now',
        '**1: Rows without a date.**\nThey stay.\n\n**2: Time zones.**\nOpen.',
      ),
    ).toEqual(['Rows without a date: “yes, keep it”.', 'Time zones: “skip for now”.']))

  it('is told as its agent has stored it', () =>
    expect(decided('"Which database should it use?": SQLite')).toEqual(['Which database should it use? “SQLite”.']))
})

describe('a chosen option', () => {
  const options =
    'Two ways:\n\n1. **Retry in the handler**, which is simple.\n2. **Retry in the queue**, which survives a restart.\n\nWhich one?'

  it.each(['2', '2. that happened twice now', 'option 2 please', "let's go with option 2"])('is named: %s', (prompt) =>
    expect(decided(prompt, options)[0]).toBe('Option 2: Retry in the queue, which survives a restart.'),
  )

  it.each(["Option 1 doesn't work since the hash can change.", 'option 2 is too slow', 'why option 2?'])(
    'is not one that is rejected: %s',
    (prompt) => expect(decided(prompt, options)).toEqual([]),
  )

  it('needs options', () => expect(decided('2', 'How many workers do you want?')).toEqual([]))
})

describe('tellDecisions', () => {
  const decision = (text: string, clarity: Decision['clarity']) => ({ seq: 1, text, clarity, isWholePrompt: true })

  it('tells a bare yes only where little else was decided', () => {
    const clear = ['a', 'b', 'c'].map((text) => decision(text, 2))
    expect(tellDecisions([decision('yes', 1), ...clear])).toEqual(clear)
    expect(tellDecisions([decision('yes', 1)])).toHaveLength(1)
  })

  it('keeps the clearest of many in their order', () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((number) => decision(`d${number}`, number === 7 ? 3 : 2))
    expect(tellDecisions(many).map(({ text }) => text)).toEqual(['d1', 'd2', 'd3', 'd4', 'd5', 'd7'])
  })
})
