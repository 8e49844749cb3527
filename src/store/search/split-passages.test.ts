import { describe, expect, it } from 'vitest'
import { splitPassages } from './split-passages.ts'

const sentence = 'The parser reads the last line of every file now. '

describe('splitPassages', () => {
  it.each([
    ['a short text', 'One line.', 1],
    ['twenty sentences of ten words', sentence.repeat(24), 2],
    ['a line without sentences', 'word '.repeat(1000), 12],
    ['a script without spaces', '解析器读取最后一行。'.repeat(100), 5],
    ['one endless word', 'a'.repeat(5000), 1],
    ['nothing', '  \n', 0],
  ])('splits %s', (_, text, count) => {
    expect(splitPassages(text, 32)).toHaveLength(count)
  })

  it('keeps every character of the text in order', () => {
    const text = `${sentence.repeat(30)}see src/app.ts, v1.2.3 and a.b.c\n\n${'x'.repeat(900)} end`
    expect(splitPassages(text, 32).join('')).toBe(text)
  })

  it('splits between sentences', () => {
    for (const passage of splitPassages(sentence.repeat(40), 32)) expect(passage).toMatch(/^The .* now\. $/s)
  })

  it('returns at most the given number of passages', () =>
    expect(splitPassages(sentence.repeat(400), 3)).toHaveLength(3))
})
