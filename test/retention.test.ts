// Retention: nothing by age, oldest bodies first, only after the user was told and with a clock that can be trusted.
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { type Clock, fixedClock, type SinceBoot } from '../src/core/clock.ts'
import { defaultConfig, parseConfig } from '../src/core/config/config.ts'
import { readDigest } from '../src/digest/digest.ts'
import { runChecks } from '../src/doctor/run-checks.ts'
import { type RetainReport, retain } from '../src/retain/retain.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { storedBodies } from '../src/store/sessions/evictions.ts'
import { findSessions } from '../src/store/sessions/sessions.ts'
import { type SweepOptions, sweep } from '../src/sweep.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'

let at: Place
beforeEach(() => {
  const files: Record<string, object[]> = {}
  for (let index = 0; index < 6; index++) {
    const session = sessionName(index)
    const records = claudeSession(session, turns, {
      padding: 40,
      says: (turn) => `question ${turn} of ${session} about kiwi${index}: ${words(turn * 10 + index)}`,
    }).map((record) => ({
      ...record,
      timestamp: `2026-0${index + 1}-01T10:00:00.000Z`,
      salt: Math.sin(index),
    }))
    files[transcript(index)] = records
  }
  at = place(files)
})
afterEach(() => at.remove())

/** Words that hardly compress, so that a body is larger than what else changes in a store. */
const words = (salt: number) =>
  Array.from({ length: 240 }, (_, index) =>
    Math.abs(Math.sin(salt * 100 + index))
      .toString(36)
      .slice(2, 10),
  ).join(' ')

const transcript = (index: number) => `.claude/projects/-a/${sessionName(index)}.jsonl`
/** Of each session; a turn is four records and four events. */
const turns = 10
const uid = (index: number) => `claude-code:${sessionName(index)}`

const appAt = (now: string | Clock) =>
  createApp({
    machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' },
    clock: typeof now === 'string' ? fixedClock(now) : now,
  })

/** A machine that was started at a time by another clock. */
const bootedClock = (now: string, sinceBoot: SinceBoot): Clock => ({ ...fixedClock(now), sinceBoot: () => sinceBoot })

function withLedger<T>(use: (ledger: Ledger) => T): T {
  const ledger = appAt('2026-10-01T00:00:00Z').ledger()
  try {
    return use(ledger)
  } finally {
    ledger.close()
  }
}

function retained(
  now: string | Clock,
  toml: string,
  options: { isConfirmed?: boolean; digestRemaining?(): void } = {},
): RetainReport {
  return withLedger((ledger) =>
    retain({
      ledger,
      clock: appAt(now).clock,
      config: parseConfig(toml, 'test'),
      digestRemaining: () => {},
      ...options,
    }),
  )
}

async function swept(now: string | Clock, options: SweepOptions = {}) {
  const done = await sweep(appAt(now), options)
  if (done.kind !== 'done') throw new Error('another sweep is running')
  return done.report
}

const writeConfig = (toml: string) => writeFileSync(join(at.store, 'config.toml'), toml)
const stored = () => withLedger((ledger) => storedBodies(ledger).map((body) => body.uid))
const evicted = ({ age, budget, overflow, dataLoss }: RetainReport) => [...age, ...budget, ...overflow, ...dataLoss]
const hits = (word: string) => recollect(at, 'search', word, '--json').json().results.length

describe('retain', () => {
  it('keeps everything within the budget', async () => {
    await swept('2026-10-01T00:00:00Z')
    expect(retained('2026-10-02T00:00:00Z', '')).toMatchObject({
      age: [],
      budget: [],
      overflow: [],
      dataLoss: [],
      hold: null,
      alerts: [],
    })
  })

  it('SPEC D.19: deletes nothing by age unless the user sets an age', async () => {
    await swept('2026-10-01T00:00:00Z')
    withLedger((ledger) => ledger.raw.exec("UPDATE sessions SET captured_at = '2026-08-12T00:00:00.000Z'"))
    expect((await swept('2026-10-01T01:00:00Z')).retention).toMatchObject({ age: [], hold: null })
    expect((await swept('2026-10-01T02:00:00Z', { isEviction: true })).retention.age).toEqual([])
    expect(stored()).toHaveLength(6)
    expect(defaultConfig()).toContain('# max_age_days = 0')
  })

  it('reads a config.toml of an earlier version, whose example of an age is a comment', async () => {
    await swept('2026-10-01T00:00:00Z')
    const old = defaultConfig().replace('# max_age_days = 0', '# max_age_days = 45')
    expect(parseConfig(old, 'test').retain.maxAgeDays).toBe(0)
  })

  it('needs no hard limit when the soft limit is raised', () => {
    expect(parseConfig('[retain]\nsoft = "8 GiB"', 'test').retain.hardBytes).toBe(12 * 2 ** 30)
    expect(parseConfig('[retain]\nsoft = "1 GiB"', 'test').retain.hardBytes).toBe(6 * 2 ** 30)
  })

  it('deletes digested bodies above the age limit, and does not capture them again', async () => {
    await swept('2026-10-01T00:00:00Z')
    const report = retained('2026-12-01T00:00:00Z', '[retain]\nmax_age_days = 45', { isConfirmed: true })
    expect(report.age).toHaveLength(6)
    expect(bodyFiles()).toEqual([])
    expect(await swept('2026-12-01T00:00:00Z')).toMatchObject({ events: 0, restored: 0 })
    expect(bodyFiles()).toEqual([])
  })

  it('keeps sessions and digests of deleted bodies', async () => {
    await swept('2026-10-01T00:00:00Z')
    retained('2026-12-01T00:00:00Z', '[retain]\nmax_age_days = 45', { isConfirmed: true })
    withLedger((ledger) => {
      expect(findSessions(ledger, uid(2))[0]).toMatchObject({
        counts: { prompts: turns },
        evictedAt: '2026-12-01T00:00:00.000Z',
      })
      expect(readDigest(ledger, uid(2))).toMatchObject({ outcome: 'success', tests: { runs: turns } })
    })
  })

  it('deletes the oldest bodies first to fit the soft limit, and shrinks the files', async () => {
    await swept('2026-10-01T00:00:00Z')
    const before = storeBytes()
    const bodies = bodyFiles().length
    const limits = `[retain]\nsoft = ${before - 3000}\nhard = "1 GiB"`
    const report = retained('2026-10-02T00:00:00Z', limits, { isConfirmed: true })
    expect(report.budget).toEqual([uid(0)])
    expect(bodyFiles()).toHaveLength(bodies - 1)
    expect(storeBytes()).toBeLessThan(before)
  })

  it('reports data loss when undigested bodies must be deleted', async () => {
    await swept('2026-10-01T00:00:00Z')
    withLedger((ledger) => ledger.raw.exec('UPDATE sessions SET digested_through = -1'))
    const report = retained('2026-10-02T00:00:00Z', '[retain]\nsoft = 1000\nhard = 1000')
    expect(report).toMatchObject({ budget: [], dataLoss: [uid(0), uid(1), uid(2), uid(3), uid(4), uid(5)] })
    expect(report.alerts[0]).toMatch(/^6 conversations were deleted before they were digested/)
  })

  it('continues a session that grows after its body was deleted', async () => {
    await swept('2026-10-01T00:00:00Z')
    retained('2026-12-01T00:00:00Z', '[retain]\nmax_age_days = 45', { isConfirmed: true })
    grow(1)
    await swept('2026-12-02T00:00:00Z')
    withLedger((ledger) => {
      expect(findSessions(ledger, uid(1))[0]!.counts.prompts).toBe(turns + 1)
      expect(readDigest(ledger, uid(1))).toMatchObject({
        tests: { runs: turns + 1 },
        title: expect.stringMatching(/^question \d+ of/),
      })
    })
  })

  it('warns when permanent data exceeds its limit', async () => {
    await swept('2026-10-01T00:00:00Z')
    expect(retained('2026-10-02T00:00:00Z', '[retain]\ndistilled = 1000').alerts).toEqual([
      expect.stringMatching(/permanent data/),
    ])
  })

  it('does not compact the ledger again while nothing changes', async () => {
    await swept('2026-10-01T00:00:00Z')
    writeConfig(`[retain]\nsoft = ${storeBytes() - 3000}\nhard = "1 GiB"`)
    await swept('2026-10-01T01:00:00Z')
    const count = (ledger: Ledger) => Number(ledger.sql('PRAGMA freelist_count').get()!.freelist_count)
    withLedger((ledger) =>
      ledger.raw.exec('CREATE TABLE junk (x); INSERT INTO junk VALUES (hex(zeroblob(90000))); DROP TABLE junk'),
    )
    const free = withLedger(count)
    expect(free).toBeGreaterThan(0)
    await swept('2026-10-01T01:30:00Z')
    expect(withLedger(count)).toBe(free)
    await swept('2026-10-01T02:30:00Z')
    expect(withLedger(count)).toBe(0)
  })
})

describe('before anything is deleted the user is told', () => {
  const limit = () => `[retain]\nsoft = ${storeBytes() - 3000}\nhard = "1 GiB"\n`

  it('announces it in sweep, status, doctor and brief, and deletes from the next day on', async () => {
    await swept('2026-10-01T00:00:00Z')
    writeConfig(limit())
    const { retention } = await swept('2026-10-01T01:00:00Z')
    expect(retention).toMatchObject({ hold: { kind: 'announced', isNew: true } })
    expect(evicted(retention)).toEqual([])
    const brief = readdirSync(join(at.store, 'briefs')).find((name) => name.endsWith('.md'))!
    const text = readFileSync(join(at.store, 'briefs', brief), 'utf8')
    expect(text).toMatch(
      /Tell the user: The store is over its limit.*set soft = "\d+ MiB" under \[retain\] in config\.toml/,
    )
    expect(text).not.toContain('--evict')
    const status = recollect(at, 'status').out
    expect(status).toContain('The store is over its limit')
    expect(status).toContain('under [retain] in config.toml')
    for (const line of status.split('\n')) if (!line.includes(at.root)) expect(line.length).toBeLessThanOrEqual(80)
    expect(recollect(at, 'status', '--json').json().retention.hold).toMatchObject({ kind: 'announced' })
    const check = runChecks(appAt('2026-10-01T01:00:00Z'), { command: 'recollect', args: [] } as never).find(
      ({ name }) => name === 'budget',
    )!
    expect(check).toMatchObject({ ok: true, fix: expect.stringContaining('set soft') })
    // Told once, not with every sweep.
    expect((await swept('2026-10-01T20:00:00Z')).retention).toMatchObject({
      budget: [],
      hold: { kind: 'announced', isNew: false },
    })
    expect((await swept('2026-10-02T01:00:00Z')).retention).toMatchObject({ budget: [uid(0)], hold: null })
    expect(recollect(at, 'status').out).not.toContain('over its limit')
    expect(readFileSync(join(at.store, 'briefs', brief), 'utf8')).not.toContain('Tell the user')
  })

  it('prints the announcement and the storage line in the text of a sweep', async () => {
    await swept('2026-10-01T00:00:00Z')
    writeConfig(limit())
    withLedger((ledger) => ledger.raw.exec("DELETE FROM notes WHERE name IN ('retention', 'last sweep')"))
    const first = recollect(at, 'sweep')
    expect(first.out).toMatch(/^Storage: .* of .* \(1\d\d %\), nothing deleted$/m)
    expect(first.err).toContain('Warning:\n  The store is over its limit')
    for (const line of `${first.out}\n${first.err}`.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(recollect(at, 'sweep').err).not.toContain('Warning')
    const now = recollect(at, 'sweep', '--evict')
    expect(now.out).toMatch(/^Storage: .* \(\d+ %\), 1 conversation deleted, .* freed\n {2}1 over the soft limit$/m)
  })

  it('tells again when the limits are changed', async () => {
    await swept('2026-10-01T00:00:00Z')
    writeConfig(limit())
    await swept('2026-10-01T01:00:00Z')
    writeConfig(limit().replace('1 GiB', '2 GiB'))
    expect((await swept('2026-10-02T01:00:00Z')).retention).toMatchObject({ budget: [], hold: { kind: 'announced' } })
  })

  it('deletes at once only what the hard limit requires, and says so', async () => {
    await swept('2026-10-01T00:00:00Z')
    const bytes = storeBytes()
    writeConfig(`[retain]\nsoft = ${bytes - 60_000}\nhard = ${bytes - 3000}\n`)
    const { retention } = await swept('2026-10-01T01:00:00Z')
    expect(retention).toMatchObject({
      budget: [],
      overflow: [uid(0)],
      unlearned: [],
      dataLoss: [],
      hold: { kind: 'announced', isNew: true },
    })
  })

  it('counts an age limit that the user sets as a deletion to announce', async () => {
    await swept('2026-10-01T00:00:00Z')
    withLedger((ledger) => ledger.raw.exec("UPDATE sessions SET captured_at = '2026-08-01T00:00:00.000Z'"))
    writeConfig('[retain]\nmax_age_days = 45\n')
    expect((await swept('2026-10-01T01:00:00Z')).retention).toMatchObject({ age: [], hold: { aged: 6 } })
    expect(recollect(at, 'status').out).toContain('set max_age_days = 0 under [retain] in config.toml')
    expect((await swept('2026-10-02T01:00:00Z')).retention.age).toHaveLength(6)
  })
})

describe('a wrong clock deletes nothing', () => {
  const byAge = '[retain]\nmax_age_days = 45\n'

  it.each([
    ['77 days ahead', '2026-12-17T00:00:00Z'],
    ['in 1970', '1970-01-01T00:00:00Z'],
  ])('sweeps %s, between right ones', async (_, wrong) => {
    await swept('2026-10-01T00:00:00Z')
    writeConfig(byAge)
    const right = ['2026-10-01T01:00:00Z', '2026-10-02T01:00:00Z', '2026-10-03T01:00:00Z']
    // Also on two days: the first would only announce it.
    const later = new Date(Date.parse(wrong) + 25 * 3_600_000).toISOString()
    for (const now of [right[0]!, wrong, right[1]!, wrong, later, right[2]!])
      expect(evicted((await swept(now)).retention)).toEqual([])
    expect(stored()).toHaveLength(6)
  })

  it('a first sweep in 1970, then right ones', async () => {
    await swept('1970-01-01T00:00:00Z')
    writeConfig(byAge)
    const days = ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04']
    for (const day of days) expect(evicted((await swept(`${day}T00:00:00Z`)).retention)).toEqual([])
    const { retention } = await swept('2026-10-05T00:00:00Z')
    expect(retention.hold).toMatchObject({ kind: 'clock' })
    expect(recollect(at, 'status').out).toContain('If the clock is right: recollect sweep --evict')
    const check = runChecks(appAt('2026-10-05T00:00:00Z'), { command: 'recollect', args: [] } as never).find(
      ({ name }) => name === 'budget',
    )!
    expect(check).toMatchObject({ ok: false, fix: expect.stringContaining('sweep --evict') })
    expect((await swept('2026-10-05T00:00:00Z', { isEviction: true })).retention.age).toHaveLength(6)
    expect((await swept('2026-10-05T01:00:00Z')).retention.hold).toBeNull()
  })

  it('holds deletions by size as well', async () => {
    await swept('2026-10-01T00:00:00Z')
    writeConfig(`[retain]\nsoft = ${storeBytes() - 3000}\nhard = ${storeBytes() - 3000}\n`)
    expect((await swept('2026-12-17T00:00:00Z')).retention).toMatchObject({ overflow: [], hold: { kind: 'clock' } })
    expect(stored()).toHaveLength(6)
  })

  it('takes a ledger without a recorded clock by the time of its last sweep', async () => {
    await swept('2026-10-01T00:00:00Z')
    withLedger((ledger) => ledger.raw.exec("DELETE FROM notes WHERE name = 'retention'"))
    expect(retained('2026-12-17T00:00:00Z', byAge)).toMatchObject({ age: [], hold: { kind: 'clock' } })
  })

  it('ignores a state of another shape', async () => {
    await swept('2026-10-01T00:00:00Z')
    for (const value of ['[]', '"x"', '{"clock":7,"hold":{"kind":"x"},"announced":{"atMs":"y"},"measured":null}']) {
      withLedger((ledger) => ledger.sql("UPDATE notes SET value = ? WHERE name = 'retention'").run(value))
      expect(retained('2026-10-01T01:00:00Z', '').hold).toBeNull()
    }
  })

  it('expects the time since the last sweep while the machine was running', async () => {
    const hourMs = 3_600_000
    await swept(bootedClock('2026-10-01T00:00:00Z', { ms: hourMs, bootId: 'a' }))
    writeConfig(byAge)
    withLedger((ledger) => ledger.raw.exec("UPDATE sessions SET captured_at = '2026-08-01T00:00:00.000Z'"))
    // A week of running without a sweep is not a changed clock.
    const week = bootedClock('2026-10-08T00:00:00Z', { ms: 169 * hourMs, bootId: 'a' })
    expect((await swept(week)).retention.hold).toMatchObject({ kind: 'announced' })
    // The clock jumps ahead by a week within an hour.
    const jump = bootedClock('2026-10-15T00:00:00Z', { ms: 170 * hourMs, bootId: 'a' })
    expect((await swept(jump)).retention.hold).toMatchObject({ kind: 'clock' })
    // After a restart nobody knows how long the machine was off.
    const restarted = bootedClock('2026-10-15T00:00:00Z', { ms: hourMs, bootId: 'b' })
    expect((await swept(restarted)).retention.hold).toMatchObject({ kind: 'clock' })
    const soon = bootedClock('2026-10-08T10:00:00Z', { ms: hourMs, bootId: 'b' })
    expect((await swept(soon)).retention.hold).toMatchObject({ kind: 'announced' })
  })

  it('accepts a new time when nothing is due', async () => {
    await swept('2026-10-01T00:00:00Z')
    expect((await swept('2027-10-01T00:00:00Z')).retention.hold).toBeNull()
    writeConfig(byAge)
    expect((await swept('2027-10-01T01:00:00Z')).retention.hold).toMatchObject({ kind: 'announced' })
  })
})

describe('sweep --full restores deleted conversations', () => {
  const evictAll = () => retained('2026-12-01T00:00:00Z', '[retain]\nmax_age_days = 45', { isConfirmed: true })
  const content = () => recollect(at, 'show', sessionName(2), '--json').json()

  it('with text and index, and nothing is counted or learned twice', async () => {
    await swept('2026-10-01T00:00:00Z')
    const before = content()
    const found = hits('kiwi2')
    const memories = recollect(at, 'memories', '--json').out
    expect(evictAll().age).toHaveLength(6)
    expect(hits('kiwi2')).toBeLessThan(found)
    const report = await swept('2026-12-01T00:00:00Z', { isFull: true })
    expect(report).toMatchObject({ events: 0, restored: 6, learned: 0 })
    const times = { capturedAt: expect.any(String), digestedAt: expect.any(String) }
    expect(content()).toEqual({ ...before, session: { ...before.session, ...times } })
    expect(hits('kiwi2')).toBe(found)
    expect(recollect(at, 'memories', '--json').out).toBe(memories)
    expect(stored()).toHaveLength(6)
    expect(await swept('2026-12-01T01:00:00Z', { isFull: true })).toMatchObject({ restored: 0 })
  })

  it('before the part that was captured after the deletion', async () => {
    await swept('2026-10-01T00:00:00Z')
    evictAll()
    grow(2)
    await swept('2026-12-02T00:00:00Z')
    expect(await swept('2026-12-02T01:00:00Z', { isFull: true })).toMatchObject({ restored: 6 })
    const seqs = content().events.map(({ seq }: { seq: number }) => seq)
    expect(seqs).toEqual(Array.from({ length: 4 * turns + 4 }, (_, seq) => seq))
  })

  it('but not those whose transcript is gone, and of a cut one only the end', async () => {
    await swept('2026-10-01T00:00:00Z')
    evictAll()
    rmSync(join(at.home, transcript(0)))
    const path = join(at.home, transcript(2))
    const records = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, records.slice(2 * turns).join('\n'))
    expect(await swept('2026-12-01T00:00:00Z', { isFull: true })).toMatchObject({ restored: 5 })
    expect(stored()).not.toContain(uid(0))
    const { events, session } = content()
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: 2 * turns }, (_, seq) => seq + 2 * turns),
    )
    expect(session).toMatchObject({ counts: { events: 4 * turns }, evictedAt: expect.any(String) })
  })

  it('only while the store is below its limit', async () => {
    await swept('2026-10-01T00:00:00Z')
    evictAll()
    writeConfig(`[retain]\nsoft = ${storeBytes() + 3000}\nhard = "1 GiB"\n`)
    const { restored } = await swept('2026-12-01T00:00:00Z', { isFull: true })
    expect(restored).toBeGreaterThan(0)
    expect(restored).toBeLessThan(6)
    expect(stored()).toContain(uid(5))
  })
})

/** Appends a turn to a transcript. */
function grow(index: number): void {
  const more = claudeSession(sessionName(index), turns + 1, { padding: 1 }).slice(4 * turns)
  appendFileSync(join(at.home, transcript(index)), lines(more))
}

function bodyFiles(): string[] {
  return readdirSync(join(at.store, 'bodies'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.zst'),
  )
}

/** The classes of files that count; config.toml and run/ do not. */
function storeBytes(): number {
  return readdirSync(at.store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'config.toml' && !entry.parentPath.endsWith('run'))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
