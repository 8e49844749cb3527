import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ourLine, tableChanges, withOurLine, withoutOurLine } from './crontab.ts'

const hourly = { job: '17 * * * * node cli.js work', cadence: 'hourly', since: '2026-09-01T10:00:00.000Z' } as const
const daily = { job: '17 4 * * * node cli.js work', cadence: 'daily', since: '2026-09-02T10:00:00.000Z' } as const
const mark = '# recollect schedule hourly since 2026-09-01T10:00:00.000Z'

describe('our line', () => {
  it.each([
    ['no table', undefined, `${hourly.job} ${mark} (in a new crontab)\n`],
    ['an empty table', '', `${hourly.job} ${mark}\n`],
    ['lines', 'MAILTO=dev\n1 2 * * * backup\n', `MAILTO=dev\n1 2 * * * backup\n${hourly.job} ${mark}\n`],
    ['a last line without end', '# mine', `# mine\n${hourly.job} ${mark} (after a line without end)\n`],
  ])('goes in and out: %s', (_, before, expected) => {
    const table = withOurLine(before, hourly)
    expect(table).toBe(expected)
    expect(ourLine(table)).toEqual(hourly)
    expect(withoutOurLine(table)).toBe(before)
  })

  it('leaves every byte of the others as it was, through a change of cadence', () => {
    const table = fc.option(fc.string({ unit: fc.constantFrom('a', '#', ' ', '\t', '\r', '%', '\xff', '\n', '\n\n') }))
    fc.assert(
      fc.property(table, (before) => {
        const set = withOurLine(before ?? undefined, hourly)
        expect(withOurLine(set, hourly)).toBe(set)
        expect(withoutOurLine(withOurLine(set, daily))).toBe(before ?? undefined)
      }),
    )
  })

  it('is replaced where it stands, and lines that came later stay lines', () => {
    const table = `${withOurLine('first', hourly)}second\n`
    expect(
      withOurLine(table, daily)
        .split('\n')
        .map((line) => line.slice(0, 10)),
    ).toEqual(['first', '17 4 * * *', 'second', ''])
    expect(withoutOurLine(table)).toBe('first\nsecond\n')
  })

  it('is one, also when somebody copied it', () => {
    const line = withOurLine('', hourly)
    expect(withOurLine(line + line, hourly)).toBe(line)
    expect(withoutOurLine(`${line}x\n${line}`)).toBe('x\n')
  })

  it('does not count when it is commented out', () => {
    const off = `# ${withOurLine('', hourly)}`
    expect(ourLine(off)).toBeUndefined()
    expect(withOurLine(off, hourly)).toBe(withOurLine('', hourly))
  })
})

it('shows our lines alone', () => {
  const before = withOurLine('1 2 * * * push --token s3cret-word\n', hourly)
  expect(tableChanges(before, withOurLine(before, { ...daily, job: 'J\xc3\xb6' }))).toEqual([
    `- ${hourly.job} ${mark}`,
    '+ Jö # recollect schedule daily since 2026-09-02T10:00:00.000Z',
  ])
})
