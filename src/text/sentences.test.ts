import { describe, expect, it } from 'vitest'
import { quotableSentences } from './sentences.ts'

describe('quotableSentences', () => {
  it.each([
    ['nothing', '', []],
    ['two', 'Keep the log. Never rotate it by hand!', ['Keep the log.', 'Never rotate it by hand!']],
    ['small letters after a stop', 'no. we tried that', ['no.', 'we tried that']],
    [
      'a host that ends in a dot',
      'The name api.example.net. is the same host.',
      ['The name api.example.net. is the same host.'],
    ],
    ['an abbreviation', 'Use a unit, e.g. seconds, in names.', ['Use a unit, e.g. seconds, in names.']],
    [
      'a bracket in the middle',
      'A queue (see the notes.) is drained first.',
      ['A queue (see the notes.) is drained first.'],
    ],
    ['bullets', '- first drain\n- then stop', ['first drain', 'then stop']],
    ['code left out', 'Change it:\n```ts\nconst a = 1. Really.\n```\nDone.', ['Change it:', 'Done.']],
    ['a script without spaces', '先排空队列。然后停止。', ['先排空队列。', '然后停止。']],
  ])('%s', (_, text, sentences) => {
    expect(quotableSentences(text)).toEqual(sentences)
  })

  it('leaves out what never ends, and does not read a paste to its end', () => {
    expect(quotableSentences('x '.repeat(2000))).toEqual([])
    expect(quotableSentences('One line.\n'.repeat(5000)).length).toBeLessThanOrEqual(80)
  })
})
