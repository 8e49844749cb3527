import { describe, expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'
import { reasonIn, statementOf } from './statement.ts'

describe('statementOf', () => {
  it.each([
    ['greeting', 'ok so, we never deploy on fridays', 'we never deploy on fridays'],
    ['praise', 'that is a fair point, the db is shared', 'the db is shared'],
    ['lead-in', 'I forgot to mention, the db is shared', 'the db is shared'],
    [
      'request behind it',
      'the db is shared with staging, so can you use another name',
      'the db is shared with staging',
    ],
    ['request for assent', 'the cache survives a restart, right?', 'the cache survives a restart'],
    ['smiley', 'keep the sentences short :)', 'keep the sentences short'],
    ['brackets', '(the backend is the source of truth)', 'the backend is the source of truth'],
  ])('without %s', (_, prompt, text) => {
    const sentences = sentencesOf(prompt, [{ start: 0, end: prompt.length }], '').slice(0, 1)
    const whole = { ...sentences[0]!, end: prompt.length }
    const found = statementOf(prompt, [whole])
    expect(found.text).toBe(text)
    expect(prompt.slice(found.start, found.end)).toBe(text)
  })

  it.each([
    ['no locks because only one process runs', 'because only one process runs'],
    ['since the partner only knows this address, keep it', 'since the partner only knows this address'],
    ['keep the order, otherwise the diff is unreadable', 'otherwise the diff is unreadable'],
    ['keep the order', null],
  ])('%s', (text, reason) => expect(reasonIn(text)).toBe(reason))
})
