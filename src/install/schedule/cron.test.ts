import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crontabEntry, entryChanges, withEntry, withoutEntry } from './cron.ts'

const hourly = { job: '17 * * * * node cli.js work', cadence: 'hourly', since: '2026-09-01T10:00:00.000Z' } as const
const daily = { job: '17 4 * * * node cli.js work', cadence: 'daily', since: '2026-09-02T10:00:00.000Z' } as const
const mark = '# recollect schedule hourly since 2026-09-01T10:00:00.000Z'

describe('crontab entry', () => {
  it.each([
    ['no table', undefined, `${hourly.job} ${mark} (in a new crontab)\n`],
    ['an empty table', '', `${hourly.job} ${mark}\n`],
    ['lines', 'MAILTO=dev\n1 2 * * * backup\n', `MAILTO=dev\n1 2 * * * backup\n${hourly.job} ${mark}\n`],
    ['a last line without end', '# mine', `# mine\n${hourly.job} ${mark} (after a line without end)\n`],
  ])('goes in and out: %s', (_, before, expected) => {
    const table = withEntry(before, hourly)
    expect(table).toBe(expected)
    expect(crontabEntry(table)).toEqual(hourly)
    expect(withoutEntry(table)).toBe(before)
  })

  it('leaves all other bytes unchanged when the cadence changes', () => {
    const table = fc.option(fc.string({ unit: fc.constantFrom('a', '#', ' ', '\t', '\r', '%', '\xff', '\n', '\n\n') }))
    fc.assert(
      fc.property(table, (before) => {
        const set = withEntry(before ?? undefined, hourly)
        expect(withEntry(set, hourly)).toBe(set)
        expect(withoutEntry(withEntry(set, daily))).toBe(before ?? undefined)
      }),
    )
  })

  it('is replaced in place, and later lines stay separate lines', () => {
    const table = `${withEntry('first', hourly)}second\n`
    expect(
      withEntry(table, daily)
        .split('\n')
        .map((line) => line.slice(0, 10)),
    ).toEqual(['first', '17 4 * * *', 'second', ''])
    expect(withoutEntry(table)).toBe('first\nsecond\n')
  })

  it('is unique, even if the user copied it', () => {
    const line = withEntry('', hourly)
    expect(withEntry(line + line, hourly)).toBe(line)
    expect(withoutEntry(`${line}x\n${line}`)).toBe('x\n')
  })

  it('does not count if it is commented out', () => {
    const off = `# ${withEntry('', hourly)}`
    expect(crontabEntry(off)).toBeUndefined()
    expect(withEntry(off, hourly)).toBe(withEntry('', hourly))
  })
})

it('entryChanges shows only our lines', () => {
  const before = withEntry('1 2 * * * push --token s3cret-word\n', hourly)
  expect(entryChanges(before, withEntry(before, { ...daily, job: 'J\xc3\xb6' }))).toEqual([
    `- ${hourly.job} ${mark}`,
    '+ Jö # recollect schedule daily since 2026-09-02T10:00:00.000Z',
  ])
})
