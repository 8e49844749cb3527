// Retention: oldest bodies first, only after they are digested, and files really shrink.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { parseConfig } from '../src/core/config/config.ts'
import { readDigest } from '../src/digest/digest.ts'
import { retain } from '../src/retain/retain.ts'
import { findSessions } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { claudeSession, type Place, place, sessionName } from './program.ts'

let at: Place
beforeEach(() => {
  const files: Record<string, object[]> = {}
  for (let index = 0; index < 6; index++) {
    const session = sessionName(index)
    const records = claudeSession(session, 30, { padding: 40 }).map((record) => ({
      ...record,
      timestamp: `2026-0${index + 1}-01T10:00:00.000Z`,
      salt: Math.sin(index),
    }))
    files[`.claude/projects/-a/${session}.jsonl`] = records
  }
  at = place(files)
})
afterEach(() => at.remove())

const appAt = (now: string) =>
  createApp({
    machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' },
    clock: fixedClock(now),
  })
const uid = (index: number) => `claude-code:${sessionName(index)}`

async function retained(now: string, toml: string, digestRemaining = () => {}) {
  const app = appAt(now)
  const ledger = app.ledger()
  try {
    return retain({ ledger, clock: app.clock, config: parseConfig(toml, 'test'), digestRemaining })
  } finally {
    ledger.close()
  }
}

describe('retain', () => {
  it('keeps everything within the budget', async () => {
    await sweep(appAt('2026-10-01T00:00:00Z'))
    expect(await retained('2026-10-02T00:00:00Z', '')).toMatchObject({
      age: [],
      budget: [],
      overflow: [],
      dataLoss: [],
      alerts: [],
    })
  })

  it('deletes digested bodies above the age limit, and does not capture them again', async () => {
    await sweep(appAt('2026-10-01T00:00:00Z'))
    expect((await retained('2026-12-01T00:00:00Z', '')).age).toHaveLength(6)
    expect(bodyFiles()).toEqual([])
    for (const isFull of [false, true]) {
      const again = await sweep(appAt('2026-12-01T00:00:00Z'), { isFull })
      expect(again).toMatchObject({ kind: 'done', report: { events: 0 } })
      expect(bodyFiles()).toEqual([])
    }
  })

  it('keeps sessions and digests of deleted bodies', async () => {
    await sweep(appAt('2026-10-01T00:00:00Z'))
    await retained('2026-12-01T00:00:00Z', '')
    const ledger = appAt('2026-12-01T00:00:00Z').ledger()
    expect(findSessions(ledger, uid(2))[0]).toMatchObject({
      counts: { prompts: 30 },
      evictedAt: '2026-12-01T00:00:00.000Z',
    })
    expect(readDigest(ledger, uid(2))).toMatchObject({ outcome: 'success', tests: { runs: 30 } })
    ledger.close()
  })

  it('deletes the oldest bodies first to fit the soft limit, and shrinks the files', async () => {
    await sweep(appAt('2026-10-01T00:00:00Z'))
    const before = storeBytes()
    const bodies = bodyFiles().length
    const report = await retained('2026-10-02T00:00:00Z', `[retain]\nsoft = ${before - 3000}\nhard = "1 GiB"`)
    expect(report.budget.slice(0, 1)).toEqual([uid(0)])
    expect(bodyFiles()).toHaveLength(bodies - report.budget.length)
    expect(storeBytes()).toBeLessThan(before)
  })

  it('reports data loss when undigested bodies must be deleted', async () => {
    await sweep(appAt('2026-10-01T00:00:00Z'))
    const app = appAt('2026-10-01T00:00:00Z')
    const ledger = app.ledger()
    ledger.raw.exec('UPDATE sessions SET digested_through = -1')
    ledger.close()
    const report = await retained('2026-10-02T00:00:00Z', '[retain]\nsoft = 1000\nhard = 1000')
    expect(report).toMatchObject({ budget: [], dataLoss: [uid(0), uid(1), uid(2), uid(3), uid(4), uid(5)] })
    expect(report.alerts[0]).toMatch(/6 sessions lost their bodies/)
  })

  it('continues a session that grows after its body was deleted', async () => {
    await sweep(appAt('2026-10-01T00:00:00Z'))
    await retained('2026-12-01T00:00:00Z', '')
    const { appendFileSync } = await import('node:fs')
    const more = claudeSession(sessionName(1), 31, { padding: 1 }).slice(120)
    appendFileSync(
      join(at.home, `.claude/projects/-a/${sessionName(1)}.jsonl`),
      more.map((record) => `${JSON.stringify(record)}\n`).join(''),
    )
    await sweep(appAt('2026-12-02T00:00:00Z'))
    const ledger = appAt('2026-12-02T00:00:00Z').ledger()
    expect(findSessions(ledger, uid(1))[0]!.counts.prompts).toBe(31)
    expect(readDigest(ledger, uid(1))).toMatchObject({
      tests: { runs: 31 },
      title: expect.stringContaining('question 0'),
    })
    ledger.close()
  })

  it('warns when permanent data exceeds its limit', async () => {
    await sweep(appAt('2026-10-01T00:00:00Z'))
    expect((await retained('2026-10-02T00:00:00Z', '[retain]\ndistilled = 1000')).alerts).toEqual([
      expect.stringMatching(/permanent data/),
    ])
  })
})

function bodyFiles(): string[] {
  return readdirSync(join(at.store, 'bodies'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.zst'),
  )
}

/** Without config.toml, which each test writes. */
function storeBytes(): number {
  return readdirSync(at.store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'config.toml')
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
