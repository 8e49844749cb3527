import { describe, expect, it } from 'vitest'
import { withDates } from './dates.ts'

/** A Wednesday. */
const said = '2026-09-16'

describe('withDates', () => {
  it.each([
    ['The cut-over was yesterday.', 'The cut-over was yesterday (2026-09-15).'],
    ['Ann leaves tomorrow; ask Bob.', 'Ann leaves tomorrow (2026-09-17); ask Bob.'],
    ['We decided it the day before yesterday', 'We decided it the day before yesterday (2026-09-14)'],
    ['The freeze ends next Monday', 'The freeze ends next Monday (2026-09-21)'],
    ['The outage was last Friday', 'The outage was last Friday (2026-09-11)'],
    ['The demo is this Thursday', 'The demo is this Thursday (2026-09-17)'],
    ['The audit begins next week', 'The audit begins next week (week of 2026-09-21)'],
    ['We moved off AWS last month', 'We moved off AWS last month (2026-08)'],
    ['We tried it last quarter and it drifted', 'We tried it last quarter (Q2 2026) and it drifted'],
    ['The incident of last year decided it', 'The incident of last year (2025) decided it'],
    ['It was measured two weeks ago', 'It was measured two weeks ago (week of 2026-08-31)'],
    ['It broke 3 days ago', 'It broke 3 days ago (2026-09-13)'],
    ['We launch in two weeks', 'We launch in two weeks (week of 2026-09-28)'],
    [
      'Das war gestern, nächste Woche ist Ruhe',
      'Das war gestern (2026-09-15), nächste Woche (week of 2026-09-21) ist Ruhe',
    ],
  ])('gets its date: %s', (text, dated) => {
    expect(withDates(text, said)).toBe(dated)
  })

  it.each([
    [
      'on a Wednesday `next Friday` is two days for some',
      'Ship it next Friday',
      'Ship it next Friday (said on 2026-09-16)',
    ],
    ['and so is `last Monday`', 'It came last Monday', 'It came last Monday (said on 2026-09-16)'],
  ])('is no more than it says: %s', (_, text, dated) => {
    expect(withDates(text, said)).toBe(dated)
  })

  it.each([
    ['code', 'Pass `yesterday` to it'],
    ['a quote', 'The banner says "see you tomorrow"'],
    ['the words of an agent', '[agent: I did that yesterday] Good.'],
    ['a routine', 'The job loads yesterday every night'],
    ['a rule', 'Tokens expire in 30 days'],
    ['a duration', 'It can be done in two weeks'],
    ['a possession', "Yesterday's rows are in the lake"],
    ['what has a date', 'It shipped yesterday, 2026-09-15'],
    ['what has its date already', 'It shipped yesterday (2026-09-15)'],
    ['a span of days', 'I changed it in the last week'],
    ['any of its kind', 'Backups run on the last Friday of the month'],
    ['nowadays', 'Names only, as today'],
    ['a weekday alone', 'Deploys go out on Tuesday'],
  ])('stays as it is: %s', (_, text) => {
    expect(withDates(text, said)).toBe(text)
  })

  it('changes nothing if the quote does not contain the words', () => {
    expect(withDates('Added later: it broke yesterday', said, 'it broke')).toBe('Added later: it broke yesterday')
  })

  it('changes nothing the second time', () => {
    const once = withDates('It broke yesterday and last week', said)
    expect(withDates(once, said)).toBe(once)
  })
})
