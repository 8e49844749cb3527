import { describe, expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'
import { reasonIn, statementOf } from './statement.ts'

describe('statementOf', () => {
  it.each([
    ['greeting', 'ok so, we never deploy on fridays', 'We never deploy on fridays'],
    ['refusal', 'no, the api is on port 8080', 'The api is on port 8080'],
    ['refusal without a comma', "no don't touch the schema", "Don't touch the schema"],
    ['praise', 'that is a fair point, the db is shared', 'The db is shared'],
    ['lead-in', 'I forgot to mention, the db is shared', 'The db is shared'],
    ['request', 'Please remember that the db is shared', 'The db is shared'],
    ['brackets', '(the backend is the source of truth)', 'the backend is the source of truth'],
  ])('leaves out: %s', (_, prompt, text) => {
    const found = statementOf(prompt, sentencesOf(prompt, [{ start: 0, end: prompt.length }], ''))
    expect(found.text).toBe(text)
    expect(prompt.slice(found.start, found.end).toLowerCase()).toBe(text.toLowerCase())
  })

  it.each([
    'no new packages without a reason',
    'right now the flags are global',
    'so that the build stays fast, cache it',
    'useEffect must not fetch data',
    'the db is shared with staging, so can you use another name',
    'the cache survives a restart, right?',
  ])('leaves a sentence as it is: %s', (prompt) => {
    const sentences = sentencesOf(prompt, [{ start: 0, end: prompt.length }], '')
    expect(statementOf(prompt, sentences).text).toBe(prompt)
  })

  it.each([
    ['no locks because only one process runs', 'because only one process runs'],
    ['since the partner only knows this address, keep it', 'since the partner only knows this address'],
    ['keep the order, otherwise the diff is unreadable', 'otherwise the diff is unreadable'],
    ['keep the order', null],
  ])('%s', (text, reason) => expect(reasonIn(text)).toBe(reason))
})
