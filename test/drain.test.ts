// Waiting until everything is learned, and what the work log tells of each event.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { withWaitLimit } from '../src/cli/reports.ts'
import { fixedClock } from '../src/core/clock.ts'
import { LockTimeoutError, tryLock } from '../src/core/lock.ts'
import { setConsent } from '../src/models/consent.ts'
import { unlearnedSessions } from '../src/store/memories/learning.ts'
import { listCandidates } from '../src/store/memories/memories.ts'
import { logWork, readRuns, readWorkLog } from '../src/store/work-log.ts'
import { sweep } from '../src/sweep.ts'
import { work } from '../src/work.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { waitFor } from './wait-for.ts'

const rule = 'No, never use npm here. Always use pnpm for installs.'
let home: string
let app: App
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-drain-'))
  app = createApp({
    machine: { home, env: { RECOLLECT_HOME: join(home, 'store'), PATH: '' }, platform: 'linux' },
    clock: fixedClock('2026-09-01T12:00:00Z'),
  })
  app.ledger().close()
  const transcript = join(home, '.claude/projects/-home-dev-app', `${sessionName(0)}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, lines(claudeSession(sessionName(0), 1, { says: () => rule })))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function hold(name: string): () => void {
  const lock = tryLock(join(app.layout.run, `${name}.lock`), 'another process', app.clock)
  if (lock.kind === 'busy') throw new Error(`${name} is locked`)
  return lock.release
}

function spool(file: string, session: string): void {
  mkdirSync(app.layout.spool, { recursive: true })
  writeFileSync(join(app.layout.spool, file), `"session_id":${JSON.stringify(session)}\n.\n`)
}

function look<T>(see: (ledger: ReturnType<App['ledger']>) => T): T {
  const ledger = app.ledger()
  try {
    return see(ledger)
  } finally {
    ledger.close()
  }
}

const proposed = () => look((ledger) => listCandidates(ledger).length)

describe('SPEC C.12: sweep --wait', () => {
  it('waits for another process that learns, and learns the rest', async () => {
    const release = hold('learn')
    let isWaiting = false
    const sweeping = sweep(app, {
      waitsForLearning: true,
      onWait: () => {
        isWaiting = true
      },
    })
    await waitFor(() => isWaiting)
    expect(proposed()).toBe(0)
    release()
    expect(await sweeping).toMatchObject({ kind: 'done', report: { proposed: 1 } })
    expect(look(unlearnedSessions)).toEqual([])
  })

  it('waits also if nothing is left to learn for itself', async () => {
    await sweep(app)
    const release = hold('learn')
    let isWaiting = false
    const sweeping = sweep(app, {
      waitsForLearning: true,
      onWait: () => {
        isWaiting = true
      },
    })
    await waitFor(() => isWaiting)
    release()
    expect(await sweeping).toMatchObject({ kind: 'done' })
  })

  it('ends with 3 and the owner of the lock if it takes too long', async () => {
    const release = hold('learn')
    const sweeping = sweep(app, { waitsForLearning: true, onWait: () => {}, maxWaitMs: 0 })
    await expect(withWaitLimit(() => sweeping)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`process ${process.pid} has held`),
    })
    await expect(sweeping).rejects.toBeInstanceOf(LockTimeoutError)
    release()
  })

  it('does not wait without it', async () => {
    const release = hold('learn')
    expect(await sweep(app)).toMatchObject({ kind: 'done', report: { proposed: 0 } })
    release()
  })
})

describe('SPEC C.12: work --drain', () => {
  it('waits for another worker', async () => {
    const release = hold('work')
    expect(await work(app)).toMatchObject({ kind: 'busy' })
    const draining = work(app, { maxDrainMs: 60_000, maxLagMs: 0 })
    release()
    expect(await draining).toMatchObject({ kind: 'done' })
    expect(proposed()).toBe(1)
  })

  it('waits for another process that learns', async () => {
    const release = hold('learn')
    const draining = work(app, { maxDrainMs: 60_000, maxLagMs: 0 })
    await waitFor(() => look(unlearnedSessions).length === 1)
    release()
    expect(await draining).toMatchObject({ kind: 'done' })
    expect(proposed()).toBe(1)
  })

  it('gives up after its limit', async () => {
    const release = hold('work')
    expect(await work(app, { maxDrainMs: 0 })).toMatchObject({ kind: 'busy', owner: { pid: process.pid } })
    release()
  })
})

describe('SPEC A.7: the work log', () => {
  const log = () => look((ledger) => readWorkLog(ledger)).map(({ session, what, detail }) => [session, what, detail])
  const uid = `claude-code:${sessionName(0)}`

  it('tells what became of each hook event', async () => {
    spool('claude-code.Stop.1.1', sessionName(0))
    spool('claude-code.Stop.2.1', sessionName(0))
    spool('claude-code.Stop.3.1', 'never-was')
    await work(app, { maxLagMs: 0 })
    expect(log().sort()).toEqual(
      [
        [uid, 'captured', 'claude-code Stop'],
        [uid, 'coalesced', 'claude-code Stop'],
        [uid, 'read', expect.stringMatching(/^\d+ messages? read by rules/)],
        ['claude-code:never-was', 'no transcript', 'claude-code Stop'],
      ].sort(),
    )
  })

  it.each([
    ['when = "turn"\nevery_turns = 5', /^learning: 1 of 5 turns/],
    ['when = "rest"', /^learning: the session is not at rest/],
  ])('tells why learning was postponed, once: %s', async (setting, reason) => {
    writeFileSync(app.layout.config, `[models]\norder = ["openai", "heuristic"]\n[learn]\n${setting}\n`)
    const later = createApp({ machine: app.machine, clock: fixedClock('2026-09-01T10:10:00Z') })
    look((ledger) => setConsent(ledger, later.clock, 'openai', 'allowed'))
    await sweep(later)
    await sweep(later)
    expect(log()).toEqual([
      [uid, 'postponed', expect.stringMatching(reason)],
      [uid, 'read', expect.stringMatching(/read by rules/)],
    ])
  })

  it('tells the error and the duration of a worker that failed', async () => {
    writeFileSync(join(home, 'not-a-folder'), '')
    const broken = { ...app, layout: { ...app.layout, spool: join(home, 'not-a-folder', 'spool') } }
    const failing = {
      ...broken,
      context: () => {
        throw new Error('a test')
      },
    } as unknown as App
    await expect(work(failing, { maxLagMs: 0 })).rejects.toThrow('a test')
    expect(look((ledger) => readWorkLog(ledger))).toMatchObject([
      { what: 'failed', detail: 'a test', ms: expect.any(Number) },
    ])
  })

  it('keeps a bounded number of rows', () => {
    look((ledger) =>
      ledger.transaction(() => {
        for (let row = 0; row < 4100; row++)
          logWork(ledger, { atMs: row, session: '', what: 'captured', detail: `${row}` })
      }),
    )
    const kept = look((ledger) => readWorkLog(ledger))
    expect(kept).toHaveLength(4000)
    expect(kept[0]).toMatchObject({ detail: '4099' })
  })
})

describe('the runs in the work log', () => {
  const uid = `claude-code:${sessionName(0)}`
  const runs = (filter = {}) => look((ledger) => readRuns(ledger, filter))

  it('group what a worker did with each session, and say it in numbers', async () => {
    spool('claude-code.Stop.1.1', sessionName(0))
    await work(app, { maxLagMs: 0 })
    const [run, ...others] = runs()
    expect(others).toEqual([])
    expect(run!.parts.map(({ detail }) => detail).join('\n')).toMatch(/^worker: 1 transcript, \d+ events, 1 digest/)
    expect(run!.entries.map(({ session, what }) => [session, what])).toEqual([
      [uid, 'captured'],
      [uid, 'read'],
    ])
    expect(runs({ session: 'claude-code:other' })).toEqual([])
  })

  it('leave nothing of a sweep without news', async () => {
    await sweep(app)
    const before = runs()
    await sweep(createApp({ machine: app.machine, clock: fixedClock('2026-09-01T12:01:00Z') }))
    expect(runs()).toEqual(before)
  })
})
