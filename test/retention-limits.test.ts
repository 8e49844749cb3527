// Retention deletes no more than the limits require: random stores, compared with deleting one body at a time.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importEvents } from '../src/capture/import-remote.ts'
import { fixedClock } from '../src/core/clock.ts'
import { parseConfig } from '../src/core/config/config.ts'
import { layoutOf } from '../src/core/paths.ts'
import type { Event } from '../src/core/session.ts'
import { openDatabase } from '../src/core/sqlite.ts'
import { digest } from '../src/digest/digest.ts'
import { countEvicted, type RetainReport, retain } from '../src/retain/retain.ts'
import { type Ledger, openLedger } from '../src/store/ledger.ts'
import { bodyState } from '../src/store/sessions/bodies.ts'
import { deleteScheduledBodies, evictBody, shrinkLedger, storedBodies } from '../src/store/sessions/evictions.ts'
import { storeSizes, totalBytes } from '../src/store/sizes.ts'
import { scaled } from './proof.ts'
import { randomNumbers, seed } from './random.ts'

const now = '2026-11-01T12:00:00Z'
const clock = fixedClock(now)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-limits-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface SampleSession {
  events: number
  words: number
  ageDays: number
  isDigested: boolean
  isLearned: boolean
}

const pick = (random: () => number, from: number, to: number) => from + Math.floor(random() * (to - from + 1))

/** Random words, so that texts are neither equal nor easy to compress. */
const text = (random: () => number, words: number) =>
  Array.from({ length: words }, () => Math.floor(random() * 36 ** 6).toString(36)).join(' ')

function fillStore(name: string, sessions: readonly SampleSession[], random: () => number): string {
  const root = join(folder, name)
  const ledger = openLedger(layoutOf(root))
  for (const [index, session] of sessions.entries()) {
    const uid = `claude-code:s${index}`
    const ended = Date.parse(now) - session.ageDays * 86_400_000
    const events: Event[] = Array.from({ length: session.events }, (_, seq) => ({
      id: `${index}-${seq}`,
      key: Buffer.from(`${index}-${seq}`.padEnd(12)).toString('base64').slice(0, 16),
      kind: seq % 3 === 0 ? 'prompt' : seq % 3 === 1 ? 'reply' : 'tool_result',
      role: seq % 3 === 0 ? 'user' : seq % 3 === 1 ? 'assistant' : 'tool',
      ts: new Date(ended + seq).toISOString(),
      text: text(random, session.words),
    }))
    ledger.transaction(() =>
      importEvents({ ledger, clock, config: parseConfig('', 'test') }, { uid, agent: 'claude-code' }, events),
    )
  }
  digest({ ledger, clock })
  for (const [index, session] of sessions.entries()) {
    const captured = new Date(Date.parse(now) - session.ageDays * 86_400_000).toISOString()
    ledger
      .sql('UPDATE sessions SET captured_at = ?, digested_through = ?, learned_through = ? WHERE uid = ?')
      .run(
        captured,
        session.isDigested ? session.events : -1,
        session.isLearned ? session.events : 0,
        `claude-code:s${index}`,
      )
  }
  ledger.close()
  return root
}

function withLedger<T>(root: string, use: (ledger: Ledger) => T): T {
  const ledger = openLedger(layoutOf(root))
  try {
    return use(ledger)
  } finally {
    ledger.close()
  }
}

/** Size of the files, after everything that can be freed without deleting a body was freed. */
function shrunkBytes(ledger: Ledger): number {
  shrinkLedger(ledger)
  return totalBytes(storeSizes(ledger))
}

/** Of the ledger. */
const pageBytes = 16_384

/** The length of the list if no size is small enough. */
function firstAtMost(sizes: readonly number[], max: number): number {
  const index = sizes.findIndex((size) => size <= max)
  return index === -1 ? sizes.length : index
}

interface Limits {
  soft: number
  hard: number
  maxAgeDays?: number
}

const configOf = ({ soft, hard, maxAgeDays = 0 }: Limits) =>
  parseConfig(`[retain]\nsoft = ${soft}\nhard = ${hard}\nmax_age_days = ${maxAgeDays}`, 'test')

/** As after the announcement: a person has confirmed. */
function retained(ledger: Ledger, limits: Limits): RetainReport {
  return retain({
    ledger,
    clock,
    config: configOf(limits),
    isConfirmed: true,
    digestRemaining: () => void digest({ ledger, clock }),
  })
}

const evictedIds = ({ age, budget, overflow, dataLoss }: RetainReport) => [...age, ...budget, ...overflow, ...dataLoss]

/** Sizes of a copy of the store while its bodies are deleted one at a time, in this order. */
function sizesWhileDeleting(root: string, order: readonly string[]): number[] {
  const copy = join(folder, 'copy')
  cpSync(root, copy, { recursive: true })
  const sizes = withLedger(copy, (ledger) => {
    const bodies = new Map(storedBodies(ledger).map((body) => [body.uid, body]))
    return [
      shrunkBytes(ledger),
      ...order.map((uid) => {
        ledger.transaction(() => evictBody(ledger, bodies.get(uid)!, now))
        deleteScheduledBodies(ledger)
        return shrunkBytes(ledger)
      }),
    ]
  })
  rmSync(copy, { recursive: true })
  return sizes
}

/** Leaves frames in the write-ahead log; the connection must stay open, because closing it writes them back. */
function growWal(ledger: Ledger, writes: number): void {
  for (let at = 0; at < writes; at++)
    ledger
      .sql("INSERT OR REPLACE INTO notes (name, value) VALUES ('large', ?)")
      .run(JSON.stringify(String(at).padEnd(20_000, 'x')))
  ledger.raw.exec("DELETE FROM notes WHERE name = 'large'")
}

describe('SPEC D.19, D.20: retention never deletes more than the limits require', () => {
  it('in random stores with random limits', () => {
    const random = randomNumbers()
    const rounds = scaled(6, 200)
    const counts = {
      rounds,
      sessions: 0,
      evicted: 0,
      belowLimit: 0,
      exact: 0,
      overHard: 0,
      unlearned: 0,
      aged: 0,
      wal: 0,
      readers: 0,
    }
    for (let round = 0; round < rounds; round++) {
      // Every fourth store is below its limit, every fourth has few learned sessions and close limits.
      const kind = round % 4
      const learned = kind === 1 ? 0.2 : random() < 0.5 ? 1 : random()
      const sessions = Array.from({ length: pick(random, 3, 14) }, (_, index) => ({
        events: pick(random, 2, 40),
        words: pick(random, 20, 240),
        ageDays: 200 - index * pick(random, 1, 12),
        isDigested: random() < 0.95,
        isLearned: random() < learned,
      }))
      counts.sessions += sessions.length
      const root = fillStore(`round-${round}`, sessions, random)
      withLedger(root, (ledger) => {
        const full = shrunkBytes(ledger)
        const bodies = storedBodies(ledger)
        const bodyBytes = bodies.reduce((sum, { bytes }) => sum + bytes, 0)
        const soft = Math.max(
          1,
          Math.round(full + (kind === 0 ? pageBytes + random() * 4000 : -random() * 1.6 * bodyBytes)),
        )
        const isClose = kind === 1 || random() < 0.5
        const hard = Math.round(soft + (isClose ? random() * 3000 : random() * bodyBytes))
        const maxAgeDays = random() < 0.2 ? pick(random, 30, 220) : 0
        const isProcessed = ({ isDigested, isLearned }: (typeof bodies)[number]) => isDigested && isLearned
        const oldest = new Date(Date.parse(now) - maxAgeDays * 86_400_000).toISOString()
        const aged = bodies.filter((body) => maxAgeDays > 0 && isProcessed(body) && body.capturedAt < oldest)
        const isAged = new Set(aged.map(({ uid }) => uid))
        const left = bodies.filter(({ uid }) => !isAged.has(uid))
        // Undigested sessions are digested before the hard limit deletes them.
        const order = [
          ...left.filter(isProcessed),
          ...left.filter(({ isDigested, isLearned }) => !isDigested && isLearned),
          ...left.filter(({ isLearned }) => !isLearned),
        ].map(({ uid }) => uid)
        const sizes = sizesWhileDeleting(root, [...isAged, ...order]).slice(isAged.size)
        const evictable = left.filter(isProcessed).length
        const needed = (spare: number) =>
          Math.max(
            Math.min(firstAtMost(sizes, soft + spare), evictable),
            Math.min(firstAtMost(sizes, hard + spare), order.length),
          )
        const writes = random() < 0.6 ? pick(random, 1, 60) : 0
        growWal(ledger, writes)
        const isRead = random() < 0.3
        const reader = isRead ? openDatabase(ledger.layout.ledger) : undefined
        reader?.raw.exec('BEGIN; SELECT count(*) FROM sessions')
        if (isRead) ledger.raw.exec('PRAGMA busy_timeout = 5') // the reader keeps the log from being truncated
        const report = retained(ledger, { soft, hard, maxAgeDays })
        reader?.raw.exec('COMMIT')
        reader?.close()
        const context = JSON.stringify({
          seed,
          round,
          full,
          soft,
          hard,
          needed,
          sizes,
          aged: aged.length,
          writes,
          isRead,
        })

        // What the report says is what is gone.
        const gone = evictedIds(report)
        const kept = storedBodies(ledger)
        expect(new Set(kept.map(({ uid }) => uid)), context).toEqual(
          new Set(bodies.map(({ uid }) => uid).filter((uid) => !gone.includes(uid))),
        )
        for (const { file, bytes } of kept) expect(bodyState(ledger.layout.bodies, file, bytes)).toBe('whole')
        expect(report.age, context).toEqual(aged.map(({ uid }) => uid))
        const isLearned = new Set(bodies.filter((body) => body.isLearned).map(({ uid }) => uid))
        expect(
          report.unlearned.filter((uid) => isLearned.has(uid)),
          context,
        ).toEqual([])
        // Oldest first.
        const rest = gone.slice(report.age.length)
        expect(rest, context).toEqual(order.slice(0, rest.length))
        // Exactly as many as needed. The copy may differ by a page, because the ledger also holds what retention noted.
        expect(rest.length, context).toBeGreaterThanOrEqual(needed(pageBytes))
        expect(rest.length, context).toBeLessThanOrEqual(needed(-pageBytes))
        if (sizes[0]! <= soft - pageBytes) expect(rest, context).toEqual([])

        if (rest.length === needed(0)) counts.exact++
        counts.evicted += gone.length
        counts.aged += aged.length
        counts.unlearned += report.unlearned.length
        if (countEvicted(report) === 0) counts.belowLimit++
        if (report.overflow.length > 0) counts.overHard++
        if (writes > 0) counts.wal++
        if (isRead) counts.readers++
      })
      rmSync(root, { recursive: true })
    }
    console.log(`retention: ${JSON.stringify(counts)}`)
    expect(counts.evicted).toBeGreaterThan(0)
    expect(counts.belowLimit).toBeGreaterThan(0)
    expect(counts.overHard).toBeGreaterThan(0)
  })

  const similar = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      events: 24,
      words: 110,
      ageDays: 100 - index,
      isDigested: true,
      isLearned: true,
    }))

  it('deletes one body when the store is a few bytes above the soft limit', () => {
    const root = fillStore('soft', similar(30), randomNumbers())
    withLedger(root, (ledger) => {
      const full = shrunkBytes(ledger)
      growWal(ledger, 100)
      const report = retained(ledger, { soft: full - 891, hard: 6 * 2 ** 30 })
      expect(report.budget).toEqual(['claude-code:s0'])
      expect(report.overflow).toEqual([])
    })
  })

  it.each([
    ['soft 35.0, hard 36.5 of 36.16', 35.0 / 36.16, 36.5 / 36.16],
    ['soft 9.6, hard 9.8 of 9.9', 9.6 / 9.9, 9.8 / 9.9],
  ])('keeps most bodies with limits close to each other: %s', (_, soft, hard) => {
    const root = fillStore('close', similar(40), randomNumbers())
    withLedger(root, (ledger) => {
      const full = shrunkBytes(ledger)
      const limits = { soft: Math.round(full * soft), hard: Math.round(full * hard) }
      growWal(ledger, 100)
      const report = retained(ledger, limits)
      expect(evictedIds(report).length).toBeGreaterThan(0)
      expect(evictedIds(report).length).toBeLessThan(8)
      expect(report).toMatchObject({ overflow: [], unlearned: [], dataLoss: [], alerts: [] })
      expect(report.usedBytes).toBeLessThanOrEqual(limits.soft)
    })
  })

  it('deletes nothing below the limit, however large the write-ahead log and the free pages are', () => {
    const root = fillStore('free', similar(6), randomNumbers())
    withLedger(root, (ledger) => {
      const full = shrunkBytes(ledger)
      ledger.raw.exec('CREATE TABLE junk (text TEXT)')
      for (let at = 0; at < 40; at++) ledger.sql('INSERT INTO junk VALUES (?)').run('x'.repeat(50_000))
      ledger.raw.exec('DROP TABLE junk')
      expect(totalBytes(storeSizes(ledger))).toBeGreaterThan(full + 1_000_000)
      expect(evictedIds(retained(ledger, { soft: full + 20_000, hard: full + 20_000 }))).toEqual([])
    })
  })
})
