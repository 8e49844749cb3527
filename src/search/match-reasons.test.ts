import { describe, expect, it } from 'vitest'
import { type MatchedTexts, matchReasons } from './match-reasons.ts'
import { parseQuery } from './query.ts'

const nowMs = Date.parse('2026-09-10T00:00:00Z')

describe('matchReasons', () => {
  it.each<[string, string, MatchedTexts, string[]]>([
    ['words in another form', 'why were uploads lost', { said: 'The upload is lost.' }, ['uploads', 'lost']],
    ['a phrase', '"rate limit"', { said: 'It hits the rate limit.' }, ['rate limit']],
    [
      'a word of the title only',
      'flaky login',
      { said: 'The login is slow.', title: 'Flaky test' },
      ['title: flaky', 'login'],
    ],
    [
      'commands and paths',
      'vitest parcel',
      { said: '', done: 'vitest run src/parcel/weight.ts' },
      ['command: vitest', 'file path: parcel'],
    ],
    ['part of a name', 'powershell', { said: 'It is slow in PowerShell.' }, ['powershell']],
    [
      'a path by most of its parts',
      'src/parcel/weight.ts',
      { said: 'See weight.ts in parcel.' },
      ['src/parcel/weight.ts'],
    ],
    ['not a path by one of its parts', 'src/parcel/weight.ts', { said: 'See src.' }, ['similar or neighbouring words']],
    ['the date', 'what happened on 2026-09-01', { said: 'It works.', ts: '2026-09-01T10:00:00Z' }, ['date']],
    ['nothing of it', 'uploads', { said: 'It works.' }, ['similar or neighbouring words']],
  ])('%s', (_, query, texts, expected) => {
    expect(matchReasons(parseQuery(query), texts, nowMs)).toEqual(expected)
  })
})
