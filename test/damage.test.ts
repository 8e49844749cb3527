// What commands say about a damaged ledger, what counts as damage, and that one process alone replaces it.
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { isBusy, openDatabase } from '../src/core/sqlite.ts'
import { isDamageSuspected, suspectDamage } from '../src/store/recovery/ledger-files.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { claudeSession, exited, type Place, place, recollect, sessionName, start } from './program.ts'
import { isProof } from './proof.ts'

const count = 5
let at: Place
let file: string
const app = (): App => createApp({ machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' } })
const backups = () => (existsSync(join(at.store, 'backups')) ? readdirSync(join(at.store, 'backups')) : [])
const sessionCount = () => {
  const ledger = app().existingLedger()
  try {
    return listSessions(ledger).length
  } finally {
    ledger.close()
  }
}

beforeEach(async () => {
  const files = Array.from({ length: count }, (_, index): [string, object[]] => [
    `.claude/projects/-a/${sessionName(index)}.jsonl`,
    claudeSession(sessionName(index), 8, { padding: 20 }),
  ])
  at = place(Object.fromEntries(files))
  file = join(at.store, 'ledger.db')
  await sweep(app())
})
afterEach(() => at.remove())

/** The first page of this table: it is read only by those who need the table. */
function damageTable(name: string): void {
  const database = openDatabase(file, { readOnly: true })
  const page = Number(database.sql('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)!.rootpage)
  const { page_size } = database.raw.prepare('PRAGMA page_size').get()!
  database.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(Number(page_size), 0xee), 0, Number(page_size), (page - 1) * Number(page_size))
  closeSync(handle)
}

describe('SPEC A.31: commands that only read', () => {
  it('say that the ledger is damaged and what to type, and move nothing', () => {
    writeFileSync(file, 'This is not a database. '.repeat(1000))
    const damaged = readFileSync(file)
    for (const command of [['sessions'], ['search', 'question'], ['status'], ['rebuild']]) {
      const run = recollect(at, ...command)
      expect(run).toMatchObject({ status: 3, out: '' })
      expect(run.err).toBe(
        `${file} is damaged: file is not a database\nRun: recollect sweep\nIt moves the damaged file to backups/ and makes a new ledger. Nothing is deleted.\n`,
      )
    }
    expect(readFileSync(file).equals(damaged)).toBe(true)
    expect(backups()).toEqual([])
    const swept = recollect(at, 'sweep')
    expect(swept.status).toBe(0)
    expect(swept.err).toContain('The ledger was damaged: file is not a database\nIt was moved to ')
    expect(recollect(at, 'sessions', '--json').json()).toHaveLength(count)
    expect(recollect(at, 'doctor').out.replace(/\s+/g, ' ')).toContain(
      `the damaged one is in ${join(at.store, 'backups')}`,
    )
  })

  it('say so when the damage is in the middle of the file', () => {
    damageTable('sessions')
    const run = recollect(at, 'sessions')
    expect(run).toMatchObject({ status: 3, out: '' })
    expect(run.err).toContain('The ledger is damaged: database disk image is malformed\nRun: recollect sweep\n')
    expect(run.err).not.toContain('    at ')
    expect(recollect(at, 'sweep').status).toBe(0)
    expect(recollect(at, 'sessions', '--json').json()).toHaveLength(count)
  })

  it('tell the next sweep about damage that it would not meet itself', () => {
    damageTable('dead_letters')
    expect(recollect(at, 'doctor')).toMatchObject({ status: 1, out: expect.stringContaining('Run: recollect sweep') })
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({
      recovery: { sessions: count, incomplete: ['dead_letters'] },
    })
    expect(isDamageSuspected(app().layout)).toBe(false)
    expect(recollect(at, 'doctor').out).toContain('intact; replaced on')
  })
})

describe('recovery', () => {
  it.runIf(isProof)('moves nothing if another process has locked the ledger', async () => {
    const other = openDatabase(file)
    other.raw.exec('BEGIN EXCLUSIVE')
    suspectDamage(app().layout, 'suspected')
    await expect(sweep(app())).rejects.toSatisfy(isBusy)
    other.raw.exec('ROLLBACK')
    other.close()
    expect(backups()).toEqual([])
  })

  it('moves nothing if SQLite finds the ledger intact', async () => {
    suspectDamage(app().layout, 'suspected')
    const result = await sweep(app())
    expect(result.kind === 'done' && result.report.recovery).toBeUndefined()
    expect(isDamageSuspected(app().layout)).toBe(false)
    expect(backups()).toEqual([])
  })

  it('leaves a ledger of a newer version alone', async () => {
    const ledger = openDatabase(file)
    ledger.raw.exec('PRAGMA user_version = 10000')
    ledger.close()
    suspectDamage(app().layout, 'suspected')
    await expect(sweep(app())).rejects.toThrow('newer Recollect')
    expect(backups()).toEqual([])
  })

  it('only rebuilds the search index if nothing else is damaged', async () => {
    const ledger = openDatabase(file, { isDamaged: true })
    ledger.raw.exec(`UPDATE passage_blocks SET data = zeroblob(40)`)
    ledger.close()
    suspectDamage(app().layout, 'suspected')
    expect((await sweep(app())).kind).toBe('done')
    expect(backups()).toEqual([])
    expect(recollect(at, 'search', 'question 3', '--json').out).toContain('claude-code:')
    expect(recollect(at, 'doctor').out).toMatch(/✓ index +intact/)
  })

  it('is done by one of several processes', async () => {
    writeFileSync(file, 'This is not a database. '.repeat(1000))
    const running = Array.from({ length: 3 }, () => start(at, 'sweep', '--wait'))
    expect(await Promise.all(running.map(exited))).toEqual([0, 0, 0])
    expect(backups()).toHaveLength(1)
    expect(sessionCount()).toBe(count)
  })

  it('is completed by the next command if its process was killed between moving the two ledgers', () => {
    renameSync(file, `${file}.rebuilt`)
    writeFileSync(`${file}-wal`, 'the log of the damaged ledger')
    expect(sessionCount()).toBe(count)
    expect(existsSync(`${file}.rebuilt`)).toBe(false)
    expect(readFileSync(join(at.store, 'backups', 'damaged-ledger', 'ledger.db-wal'), 'utf8')).toContain('the log')
  })

  it('begins again if its process was killed before', async () => {
    rmSync(`${file}-wal`, { force: true })
    writeFileSync(`${file}.rebuilding`, 'begun, but not complete')
    writeFileSync(file, 'This is not a database. '.repeat(1000))
    expect((await sweep(app())).kind).toBe('done')
    expect(sessionCount()).toBe(count)
    expect(statSync(file).size).toBeGreaterThan(10_000)
    expect(readdirSync(at.store).filter((name) => name.startsWith('ledger.db.'))).toEqual([])
  })
})
