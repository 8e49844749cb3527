import { describe, expect, it } from 'vitest'
import { mainSentence, parseStatement } from './statement-text.ts'

describe('parseStatement', () => {
  it.each([
    [
      'what a talk began with stands apart',
      'retry.py, max_attempts - The upstream blocks us. It began today.: Seven attempts. Eight trips it.',
      { about: 'The upstream blocks us. It began today.', says: 'Seven attempts. Eight trips it.' },
    ],
    ['names alone are left out', 'cache_key, keys.py: Sort by name.', { about: '', says: 'Sort by name.' }],
    [
      'a colon is no mark',
      'Two rules: tabs and no semicolons.',
      { about: '', says: 'Two rules: tabs and no semicolons.' },
    ],
    ['a name is no mark', 'Use tabs here', { about: '', says: 'Use tabs here' }],
  ])('%s', (_, text, said) => {
    expect(parseStatement(text)).toEqual(said)
  })

  it.each([
    [
      'the ruling, not the talk around it',
      'Hm. I looked at it today. Keep the order of `tags`, never sort them.',
      'Keep the order of `tags`, never sort them.',
    ],
    ['without the yes before it', 'Yes - never retry more than 7 times.', 'Never retry more than 7 times.'],
    ['a no that carries the meaning stays', 'No need for a flag here, ever.', 'No need for a flag here, ever.'],
    [
      'what was agreed to is marked',
      '[agent: Half cents must always round down.] Right.',
      'Agreed: Half cents must always round down.',
    ],
  ])('%s', (_, text, gist) => {
    expect(mainSentence(text, 200)).toBe(gist)
  })
})
