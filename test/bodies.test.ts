// Bodies without a row in the ledger are adopted, damage inside of them is found and repaired, and nothing of them is deleted
// that is not stored elsewhere.
import {
  appendFileSync,
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { storeChecks } from '../src/doctor/store.ts'
import { rebuild } from '../src/rebuild.ts'
import type { Ledger } from '../src/store/ledger.ts'
import {
  appendBody,
  bodyFile,
  headerOf,
  readableEvents,
  readBody,
  repackBody,
  type SessionBody,
} from '../src/store/sessions/bodies.ts'
import { packEvents } from '../src/store/sessions/body-frames.ts'
import { bodyOfSession } from '../src/store/sessions/session-bodies.ts'
import { findSessions, listSessions } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { dump } from './dump.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'

const path = (index: number) => `.claude/projects/-home-dev-app/${sessionName(index)}.jsonl`
const uid = (index: number) => `claude-code:${sessionName(index)}`

let at: Place
const app = (): App => createApp({ machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' } })
const run = async (options: { isFull?: boolean } = {}) => {
  const result = await sweep(app(), options)
  if (result.kind !== 'done') throw new Error('busy')
  return result.report
}
function withLedger<T>(use: (ledger: Ledger) => T): T {
  const ledger = app().ledger()
  try {
    return use(ledger)
  } finally {
    ledger.close()
  }
}
const bodyOf = (index: number): SessionBody => withLedger((ledger) => bodyOfSession(ledger, uid(index))!)
const textsOf = (index: number) =>
  withLedger((ledger) => {
    const body = bodyOfSession(ledger, uid(index))!
    return [...readableEvents(ledger.layout.bodies, body.file, body.bytes)].map(({ text }) => text)
  })
const files = () =>
  readdirSync(join(at.store, 'bodies'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.zst'))
const check = (name: string, isDeep = false) => withLedger((ledger) => storeChecks[name]!(app(), ledger, { isDeep }))

beforeEach(async () => {
  // Three sweeps, so that the body of the first session has three frames.
  const records = claudeSession(sessionName(1), 12)
  at = place({ [path(1)]: records.slice(0, 16), [path(2)]: claudeSession(sessionName(2), 3) })
  await run()
  for (const from of [16, 32]) {
    appendFileSync(join(at.home, path(1)), lines(records.slice(from, from + 16)))
    await run()
  }
})
afterEach(() => at.remove())

/** Changes bytes in the middle of the frame of events with this number. */
function damageFrame(index: number, frame: number): string {
  const full = join(at.store, 'bodies', bodyOf(index).file)
  const content = readFileSync(full)
  const starts: number[] = []
  const magic = Buffer.from([0x50, 0x2a, 0x4d, 0x18])
  for (let found = content.indexOf(magic); found >= 0; found = content.indexOf(magic, found + 1)) starts.push(found)
  expect(starts.length, 'frames').toBeGreaterThan(frame)
  const from = starts[frame]!
  const to = from + 20 + content.readUInt32LE(from + 8)
  const handle = openSync(full, 'r+')
  writeSync(handle, Buffer.from('damage'), 0, 6, Math.floor((from + to) / 2))
  closeSync(handle)
  return full
}

/** Writes a body as earlier versions did: without header and keys. */
function asEarlierVersion(index: number): void {
  withLedger((ledger) => {
    const { bodies } = ledger.layout
    const body = bodyOfSession(ledger, uid(index))!
    const events = [...readBody(bodies, body.file, body.bytes)].map(({ seq: _, ...event }) => event)
    const old = appendBody(
      bodies,
      { file: bodyFile(uid(index), 7), bytes: 0, raw: 0, frames: 0, copyBytes: 0 },
      packEvents(events),
      0,
    )
    rmSync(join(bodies, body.file))
    ledger
      .sql('UPDATE sessions SET body = ?, body_bytes = ?, body_raw = ?, body_frames = ? WHERE uid = ?')
      .run(old.file, old.bytes, old.raw, old.frames, uid(index))
  })
}

describe('a body', () => {
  it('names its session, agent, folder and project', () => {
    const { file, bytes } = bodyOf(1)
    expect(headerOf(join(at.store, 'bodies'), file, bytes)).toMatchObject({
      version: 1,
      session: uid(1),
      agent: 'claude-code',
      kind: 'main',
      cwd: '/home/dev/app',
      branch: 'main',
      project: { key: '/home/dev/app', kind: 'folder' },
      startedAt: '2026-09-01T10:00:00.000Z',
    })
  })
})

describe('bodies without a ledger', () => {
  const lose = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(at.store, `ledger.db${end}`), { force: true })
    rmSync(join(at.home, '.claude'), { recursive: true })
  }

  it('are adopted by "sweep --full" and kept by rebuild, although no transcript is left', async () => {
    const before = [textsOf(1), textsOf(2)]
    const stored = files()
    lose()
    expect(await run({ isFull: true })).toMatchObject({ adopted: 2 })
    expect([textsOf(1), textsOf(2)]).toEqual(before)
    expect(check('bodies')).toMatchObject({ ok: true })
    const report = await withRebuild()
    expect(report).toMatchObject({ adopted: 0, lostBodies: [], unreadableBodies: [] })
    expect([textsOf(1), textsOf(2)]).toEqual(before)
    expect(files()).toEqual(stored)
  })

  it('of earlier versions, without header and keys, are adopted under their ids', async () => {
    asEarlierVersion(1)
    const before = textsOf(1)
    lose()
    expect(await run()).toMatchObject({ adopted: 2 })
    expect(
      withLedger((ledger) =>
        listSessions(ledger)
          .map(({ id }) => id)
          .sort(),
      ),
    ).toEqual([uid(1), uid(2)])
    expect(textsOf(1)).toEqual(before)
  })

  it('of earlier versions are compared with the transcript by content, and doubled nowhere', async () => {
    asEarlierVersion(1)
    asEarlierVersion(2)
    const before = [textsOf(1), textsOf(2)]
    // The transcript has lost its beginning; the body is the only copy of that.
    const kept = readFileSync(join(at.home, path(1)), 'utf8')
      .split('\n')
      .slice(8)
    writeFileSync(join(at.home, path(1)), kept.join('\n'))
    for (const end of ['', '-wal', '-shm']) rmSync(join(at.store, `ledger.db${end}`), { force: true })
    await run()
    expect(textsOf(1).sort()).toEqual(before[0]!.sort())
    expect(textsOf(2)).toEqual(before[1])
    expect(files()).toHaveLength(2)
    expect(withLedger((ledger) => findSessions(ledger, uid(1))[0]!.counts.events)).toBe(before[0]!.length)
  })

  it('keep events that the transcript no longer has, in their order', async () => {
    const before = textsOf(1)
    const kept = readFileSync(join(at.home, path(1)), 'utf8')
      .split('\n')
      .slice(8)
    writeFileSync(join(at.home, path(1)), kept.join('\n'))
    for (const end of ['', '-wal', '-shm']) rmSync(join(at.store, `ledger.db${end}`), { force: true })
    expect(await run()).toMatchObject({ adopted: 2, events: 0 })
    expect(textsOf(1)).toEqual(before)
  })
})

describe('rebuild', () => {
  it('adopts files that no session names instead of removing them', async () => {
    const before = textsOf(2)
    withLedger((ledger) =>
      ledger.raw.exec(`DELETE FROM sessions WHERE uid = '${uid(2)}'; DELETE FROM events WHERE id > 2 * ${2 ** 24};`),
    )
    expect(check('bodies')).toMatchObject({ ok: true, detail: expect.stringContaining('to adopt: recollect rebuild') })
    expect(await withRebuild()).toMatchObject({ adopted: 1 })
    expect(textsOf(2)).toEqual(before)
  })

  it('keeps a file of which nothing can be read', async () => {
    writeFileSync(join(at.store, 'bodies', 'ab.zst'), 'nothing that is known')
    expect(await withRebuild()).toMatchObject({ adopted: 0, unreadableBodies: ['ab.zst'] })
    expect(files()).toContain('ab.zst')
  })

  it('gives bodies of earlier versions a header and keys', async () => {
    asEarlierVersion(1)
    const before = dump(at.store)
    await withRebuild()
    const { file, bytes } = bodyOf(1)
    expect(headerOf(join(at.store, 'bodies'), file, bytes)).toMatchObject({ session: uid(1) })
    expect([...readableEvents(join(at.store, 'bodies'), file, bytes)].every(({ key }) => key?.length === 16)).toBe(true)
    const { sessions: _, ...rest } = dump(at.store)
    const { sessions: __, ...expected } = before
    expect(rest).toEqual(expected)
  })
})

async function withRebuild() {
  const ledger = app().ledger()
  try {
    return await rebuild(app(), ledger, () => {})
  } finally {
    ledger.close()
  }
}

describe('damage inside a body', () => {
  it('is found by its checksum', () => {
    damageFrame(1, 1)
    expect(check('bodies')).toMatchObject({ ok: true })
    expect(check('bodies', true)).toMatchObject({
      ok: false,
      detail: expect.stringContaining(uid(1)),
      fix: expect.stringContaining('recollect sweep --full'),
    })
  })

  it('is repaired by "sweep --full" from the transcript, and the damaged file is kept', async () => {
    const before = dump(at.store)
    const damaged = readFileSync(damageFrame(1, 1))
    await run({ isFull: true })
    expect(dump(at.store)).toEqual(before)
    expect(check('bodies', true)).toMatchObject({ ok: true })
    const [kept] = readdirSync(join(at.store, 'backups', 'damaged-bodies'))
    expect(readFileSync(join(at.store, 'backups', 'damaged-bodies', kept!)).equals(damaged)).toBe(true)
    expect(await run()).toMatchObject({ events: 0, learned: 0, adopted: 0 })
  })

  it('costs only the events of the damaged frame when the transcript is gone', async () => {
    const before = textsOf(1)
    damageFrame(1, 1)
    const left = textsOf(1)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(before.length)
    rmSync(join(at.home, path(1)))
    await run({ isFull: true })
    expect(textsOf(1)).toEqual(left)
    const report = await withRebuild()
    expect(report.damagedBodies).toEqual([uid(1)])
    expect(textsOf(1)).toEqual(left)
    // Searched by a prompt behind the damage.
    expect(recollect(at, 'search', 'question 11', '--json').out).toContain(uid(1))
    const shown = recollect(at, 'show', sessionName(1))
    expect(shown).toMatchObject({ status: 3, err: expect.stringContaining('is damaged') })
    expect(shown.out).toContain('answer 11: it works')
  })

  it('is found in a header of a frame, and the frames behind it are read', () => {
    const { file, bytes } = bodyOf(1)
    const full = join(at.store, 'bodies', file)
    const content = readFileSync(full)
    const magic = Buffer.from([0x50, 0x2a, 0x4d, 0x18])
    const second = content.indexOf(magic, content.indexOf(magic) + 1)
    content.fill(0, second, second + 20)
    writeFileSync(full, content)
    expect(check('bodies')).toMatchObject({ ok: false })
    const read = [...readableEvents(join(at.store, 'bodies'), file, bytes)].map(({ seq }) => seq)
    expect(read[0]).toBe(0)
    expect(read.at(-1)).toBe(47)
  })

  it('at its end leaves the rest when the session grows', async () => {
    const before = textsOf(1)
    const { file, bytes } = bodyOf(1)
    truncateSync(join(at.store, 'bodies', file), bytes - 10)
    const left = withLedger(() => [
      ...readableEvents(join(at.store, 'bodies'), file, statSync(join(at.store, 'bodies', file)).size),
    ])
    expect(left.length).toBeGreaterThan(0)
    appendFileSync(join(at.home, path(1)), lines(claudeSession(sessionName(1), 13).slice(48)))
    await run()
    const after = textsOf(1)
    expect(after.slice(0, left.length)).toEqual(before.slice(0, left.length))
    expect(after.slice(left.length)).toHaveLength(4)
  })
})

describe('repackBody', () => {
  it('refuses a damaged body unless it may leave parts out', () => {
    damageFrame(1, 1)
    const body = bodyOf(1)
    const folder = join(at.store, 'bodies')
    cpSync(join(folder, body.file), join(folder, 'copy.zst'))
    const to = { file: 'packed.zst', bytes: 0, raw: 0, frames: 0, copyBytes: 0 }
    expect(() => repackBody(folder, { ...body, file: 'copy.zst' }, to)).toThrow()
    const packed = repackBody(folder, { ...body, file: 'copy.zst' }, to, { isTolerant: true })
    const seqs = (file: string, bytes: number) => [...readableEvents(folder, file, bytes)].map(({ seq }) => seq)
    expect(seqs(packed.file, packed.bytes)).toEqual(seqs(body.file, body.bytes))
  })
})
