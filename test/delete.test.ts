// Deleting sessions: everything derived goes, nothing comes back, and undo restores it exactly.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { deleteSessions } from '../src/delete/delete.ts'
import { planDeletion } from '../src/delete/plan.ts'
import { undoDeletion } from '../src/delete/restore.ts'
import { runDeletion, runPurge, runUndo } from '../src/delete/run.ts'
import { rebuild } from '../src/rebuild.ts'
import { parseQuery } from '../src/search/query.ts'
import { search } from '../src/search/search.ts'
import { deletionOf, listDeletions } from '../src/store/deletion/deletions.ts'
import { writeValue } from '../src/store/key-values.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeById, changeMemories } from '../src/store/memories/changes.ts'
import { saveDeadLetter } from '../src/store/memories/dead-letters.ts'
import { memoryById } from '../src/store/memories/memories.ts'
import { orphanedBodies } from '../src/store/sessions/evictions.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { logWork } from '../src/store/work-log.ts'
import { sweep } from '../src/sweep.ts'
import { buildWiki } from '../src/wiki/build.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { dump } from './dump.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { sampleMemory } from './sample-memory.ts'

const noon = '2026-11-01T12:00:00Z'
const evening = '2026-11-01T22:00:00Z'
const nextDay = '2026-11-02T12:00:01Z'
/** Words that stand in the deleted session and nowhere else. */
const secretWords = 'quetzalcoatl'
const gone = `claude-code:${sessionName(1)}`
const other = `claude-code:${sessionName(2)}`
const path = (index: number) => `.claude/projects/-home-dev-app/${sessionName(index)}.jsonl`

let home: TestHome
/** A copy of the home with two captured sessions, because making it takes longer than most tests. */
let copy: string
beforeAll(async () => {
  home = testHome()
  copy = `${home.path}-copy`
  const says = (turn: number) => `the ${secretWords} question ${turn}: always deploy with the ${secretWords} flag`
  home.write(path(1), lines(claudeSession(sessionName(1), 3, { says })))
  home.write(path(2), lines(claudeSession(sessionName(2), 3)))
  await run()
  look((ledger) => {
    const at = '2026-09-01T10:00:00.000Z'
    const evidence = (session: string) => ({
      session,
      event: null,
      quote: session === gone ? `said with the ${secretWords} flag` : 'test first',
    })
    const memories = [
      sampleMemory({ id: 'm-only', text: `Deploy with the ${secretWords} flag`, evidence: [evidence(gone)] }),
      sampleMemory({ id: 'm-both', text: 'Test first', evidence: [evidence(gone), evidence(other)] }),
      sampleMemory({ id: 'm-old', text: 'Deploy by hand', supersededBy: 'm-only', supersededAt: at }),
    ]
    ledger.transaction(() => changeMemories(ledger, { at, kind: 'remembered', about: memories[0]!.text }, memories))
    saveDeadLetter(ledger, {
      purpose: 'memories',
      session: gone,
      fromSeq: 0,
      toSeq: 3,
      input: JSON.stringify({ said: `the ${secretWords} flag` }),
      reason: 'none',
      atMs: 0,
      at,
    })
    logWork(ledger, { atMs: 0, session: gone, what: 'dropped', detail: secretWords })
  })
  await run()
  await withApp(noon, (app, ledger) => buildWiki({ ...app, ledger }))
  cpSync(home.path, copy, { recursive: true })
})
beforeEach(async () => {
  home.remove()
  cpSync(copy, home.path, { recursive: true, preserveTimestamps: true })
  await run() // gets used to the new files
})
afterAll(() => {
  home.remove()
  rmSync(copy, { recursive: true, force: true })
})

function appAt(iso: string): App {
  return createApp({ machine: home.machine, clock: fixedClock(iso) })
}

async function withApp<T>(iso: string, use: (app: App, ledger: Ledger) => T | Promise<T>): Promise<T> {
  const app = appAt(iso)
  const ledger = app.ledger()
  try {
    return await use(app, ledger)
  } finally {
    ledger.close()
  }
}

function look<T>(see: (ledger: Ledger) => T): T {
  return home.look(see)
}

async function run(options: Parameters<typeof sweep>[1] = {}, iso = noon): Promise<void> {
  expect(await sweep(appAt(iso), { ...options, waitsForLearning: true })).toMatchObject({ kind: 'done' })
}

function deleteFirst(options: { isPurged?: boolean } = {}) {
  return withApp(noon, (app, ledger) => runDeletion(app.context(ledger), { uids: [gone] }, options))
}

const store = () => join(home.path, '.recollect')

/** Files below the store whose bytes contain the words; compressed ones are decompressed by their reader elsewhere. */
function filesWith(words: string): string[] {
  return readdirSync(store(), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(store(), name)).isFile())
    .filter((name) => readFileSync(join(store(), name)).toString('latin1').toLowerCase().includes(words))
}

/** The ledger and the vault, in comparable form. */
function everything() {
  const vault = readdirSync(join(store(), 'vault'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.endsWith('log.md'))
    .sort()
    .map((name) => [name, readFileSync(join(store(), 'vault', name), 'utf8')])
  const rows = look((ledger) =>
    Object.fromEntries(
      [
        'SELECT * FROM sessions ORDER BY id',
        'SELECT * FROM events ORDER BY id',
        'SELECT * FROM digests ORDER BY session',
        'SELECT * FROM journal_entries ORDER BY session',
        `SELECT * FROM memory_versions ORDER BY change, memory`,
        'SELECT * FROM dead_letters ORDER BY id',
        'SELECT id, ts, role, said FROM passages WHERE id > 0 ORDER BY id',
        `SELECT * FROM memories ORDER BY id`,
      ].map((sql) => [
        sql,
        ledger
          .sql(sql)
          .all()
          .map(({ number: _, ...row }) => row),
      ]),
    ),
  )
  return JSON.parse(JSON.stringify({ dump: dump(store()), vault, rows }))
}

function found(words: string): number {
  return look((ledger) => search(ledger, parseQuery(words), { nowMs: Date.parse(noon), limit: 10 }).results.length)
}

describe('delete', () => {
  it('removes everything derived from a session, and leaves the transcript', async () => {
    const before = readFileSync(join(home.path, path(1)))
    const { plan } = await deleteFirst()
    expect(plan).toMatchObject({ sessions: [{ uid: gone }], projects: [] })
    expect(plan.removed.map(({ id }) => id)).toContain('m-only')
    expect(look((ledger) => listSessions(ledger).map(({ id }) => id))).toEqual([other])
    const text = JSON.stringify(everything())
    expect(text).not.toContain(secretWords)
    expect(filesWith(secretWords).filter((name) => !/^deleted\/|\.git\/|ledger\.db/.test(name))).toEqual([])
    look((ledger) => {
      expect(memoryById(ledger, 'm-only')).toBeUndefined()
      expect(memoryById(ledger, 'm-both')!.evidence.map(({ session }) => session)).toEqual([other])
      expect(memoryById(ledger, 'm-old')).toMatchObject({ supersededBy: null, supersededAt: null })
      expect(ledger.sql('SELECT * FROM work_log WHERE session = ?').all(gone)).toEqual([])
    })
    expect(look(orphanedBodies)).toEqual([])
    expect(readFileSync(join(home.path, path(1)))).toEqual(before)
  })

  it('does not capture it again: by a sweep, a full one, rebuild, growth, or a session that continues it', async () => {
    await deleteFirst()
    const more = claudeSession(sessionName(1), 5, { says: () => `${secretWords} goes on` })
    home.write(path(1), lines(more))
    // Claude Code copies the conversation into a new file when it is resumed as another session.
    const copied = more.slice(0, 4).map((record) => ({ ...record, sessionId: sessionName(3) }))
    const next = claudeSession(sessionName(3), 1, { says: () => 'what did we do' })
    home.write(path(3), lines([...copied, ...next]))
    await run()
    await run({ isFull: true })
    await withApp(noon, (app, ledger) => rebuild(app, ledger, () => {}))
    await run({ isFull: true })
    expect(look((ledger) => listSessions(ledger).map(({ id }) => id)).sort()).toEqual([
      other,
      `claude-code:${sessionName(3)}`,
    ])
    expect(found(secretWords)).toBe(0)
    expect(home.events(`claude-code:${sessionName(3)}`)[0]!.text).toBe('what did we do')
  })

  it('leaves out a subagent that it starts later, until it is restored', async () => {
    const { change } = await deleteFirst()
    const records = claudeSession(sessionName(1), 1, { says: () => secretWords })
    const asSubagent = records.map((record) => ({
      ...record,
      isSidechain: true,
      agentId: 'a1',
      uuid: `${'uuid' in record && record.uuid}-a1`,
    }))
    home.write(path(1).replace('.jsonl', '/subagents/agent-a1.jsonl'), lines(asSubagent))
    await run()
    expect(found(secretWords)).toBe(0)
    await withApp(noon, (app, ledger) => runUndo(app.context(ledger), changeById(ledger, change)!))
    await run()
    expect(look((ledger) => listSessions(ledger).filter(({ parent }) => parent === gone).length)).toBe(1)
  })

  it('is undone exactly, with ids, index, memories, history, journal and wiki', async () => {
    const folder = join(store(), 'vault/memory', readdirSync(join(store(), 'vault/memory'))[0]!)
    const file = join(folder, readdirSync(folder).find((name) => name.includes(secretWords))!)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^name: .*$/m, 'name: "Own name"'))
    await run()
    await withApp(noon, (app, ledger) => buildWiki({ ...app, ledger }))
    const before = everything()
    expect(JSON.stringify(before.vault)).toContain('Own name')
    const { change } = await deleteFirst()
    await run()
    expect(everything()).not.toEqual(before)
    await withApp(noon, (app, ledger) => runUndo(app.context(ledger), changeById(ledger, change)!))
    expect(everything()).toEqual(before)
    expect(existsSync(join(store(), 'deleted', String(change)))).toBe(false)
    await run()
    expect(everything()).toEqual(before)
  })

  it('is undone beside what happened since: a new session, an edit, a session that grew', async () => {
    const { change } = await deleteFirst()
    home.write(path(4), lines(claudeSession(sessionName(4), 1)))
    home.write(path(1), lines(claudeSession(sessionName(1), 5, { says: () => `${secretWords} goes on` })))
    await run()
    look((ledger) => {
      const edited = { ...memoryById(ledger, 'm-both')!, text: 'Test before you push' }
      ledger.transaction(() => changeMemories(ledger, { at: noon, kind: 'edited', about: 'x' }, [edited]))
    })
    await withApp(noon, (app, ledger) => runUndo(app.context(ledger), changeById(ledger, change)!))
    await run()
    expect(look((ledger) => listSessions(ledger).length)).toBe(3)
    expect(home.events(gone).at(-4)!.text).toBe(`${secretWords} goes on`)
    look((ledger) => {
      const { text, evidence } = memoryById(ledger, 'm-both')!
      expect({ text, from: evidence.map(({ session }) => session) }).toEqual({
        text: 'Test before you push',
        from: [gone, other],
      })
    })
  })

  it('purges a day later: the text is in no file of the store, and undo says so', async () => {
    const { change } = await deleteFirst()
    await run({}, evening)
    expect(look((ledger) => deletionOf(ledger, change)!.state)).toBe('held')
    await run({}, nextDay)
    expect(look((ledger) => deletionOf(ledger, change)!.state)).toBe('purged')
    expect(filesWith(secretWords)).toEqual([])
    expect(existsSync(join(store(), 'deleted'))).toBe(false)
    await expect(
      withApp(nextDay, (app, ledger) => runUndo(app.context(ledger), changeById(ledger, change)!)),
    ).rejects.toThrow('cannot be undone')
    await run({ isFull: true }, nextDay)
    expect(found(secretWords)).toBe(0)
  })

  it('does not purge because the clock has jumped', async () => {
    const { change } = await deleteFirst()
    await run({}, '2027-01-01T00:00:00Z')
    expect(look((ledger) => deletionOf(ledger, change)!)).toMatchObject({
      state: 'held',
      atMs: Date.parse('2027-01-01T00:00:00Z'),
    })
  })

  it('purges at once, with copies of the ledger and the history of the wiki', async () => {
    mkdirSync(join(store(), 'backups'), { recursive: true })
    writeFileSync(join(store(), 'backups', 'ledger-v17.db'), `an old copy with ${secretWords}`)
    const done = await deleteFirst({ isPurged: true })
    expect(done).toMatchObject({ isPurged: true, oldCopies: { backups: [] } })
    expect(filesWith(secretWords)).toEqual([])
    const commits = execFileSync('git', ['-C', join(store(), 'vault'), 'rev-list', '--all', '--reflog'], {
      encoding: 'utf8',
    })
    expect(commits.trim().split('\n')).toHaveLength(1)
    expect(await withApp(noon, (app, ledger) => runPurge(app.context(ledger)))).toEqual([])
  })

  it('deletes a project with its memories, commits and brief, and nothing of another', async () => {
    home.write('.claude/projects/-home-dev-lamp/a.jsonl', lines(claudeSession('a', 2, { cwd: '/home/dev/lamp' })))
    await run()
    await withApp(noon, (app, ledger) => runDeletion(app.context(ledger), { project: '/home/dev/app' }))
    look((ledger) => {
      expect(listSessions(ledger).map(({ project }) => project)).toEqual(['/home/dev/lamp'])
      expect(memoryById(ledger, 'm-old')).toBeUndefined()
      expect(ledger.sql('SELECT key FROM projects').all()).toMatchObject([{ key: '/home/dev/lamp' }])
    })
    expect(readdirSync(join(store(), 'briefs')).filter((name) => name.includes('app'))).toEqual([])
    expect(readdirSync(join(store(), 'vault', 'wiki', 'concepts')).filter((name) => name.startsWith('app'))).toEqual([])
  })

  it('deletes what was captured in folders that are ignored by now', () => {
    const isIgnored = (cwd: string) => cwd === '/home/dev/app'
    expect(look((ledger) => planDeletion(ledger, { isIgnored }).sessions.length)).toBe(2)
    expect(look((ledger) => planDeletion(ledger, { isIgnored: () => false }).sessions.length)).toBe(0)
  })
})

describe('delete that is interrupted', () => {
  it('before its transaction is committed changes nothing', async () => {
    const before = everything()
    await withApp(noon, (app, ledger) => {
      const transaction = (work: () => unknown) =>
        ledger.transaction(() => {
          work()
          throw new Error('killed')
        })
      const failing = { ...ledger, transaction }
      const plan = planDeletion(ledger, { uids: [gone] })
      expect(() => deleteSessions({ ...app, ledger: failing as Ledger }, plan)).toThrow('killed')
    })
    expect(everything()).toEqual(before)
    // A killed process cannot clean up its archive; the next sweep does.
    mkdirSync(join(store(), 'deleted', '99'), { recursive: true })
    writeFileSync(join(store(), 'deleted', '99', 'rows'), secretWords)
    await run()
    expect(existsSync(join(store(), 'deleted'))).toBe(false)
    expect(everything()).toEqual(before)
  })

  it('after it is finished by the next sweep', async () => {
    await withApp(noon, (app, ledger) => deleteSessions({ ...app, ledger }, planDeletion(ledger, { uids: [gone] })))
    await run()
    expect(look((ledger) => listDeletions(ledger).map(({ state }) => state))).toEqual(['held'])
    expect(JSON.stringify(everything())).not.toContain(secretWords)
    expect(filesWith(secretWords).filter((name) => !/^deleted\/|\.git\/|ledger\.db/.test(name))).toEqual([])
  })

  it('in undo is finished by the next sweep', async () => {
    const before = everything()
    const { change } = await deleteFirst()
    await withApp(noon, (app, ledger) => undoDeletion({ ...app, ledger }, changeById(ledger, change)!))
    await run()
    await withApp(noon, (app, ledger) => buildWiki({ ...app, ledger }))
    expect(everything()).toEqual(before)
    expect(look((ledger) => deletionOf(ledger, change)!.state)).toBe('undone')
  })

  it('in a purge is finished by a sweep an hour later', async () => {
    const { change } = await deleteFirst()
    look((ledger) => {
      ledger.sql("UPDATE deletions SET state = 'purging' WHERE change = ?").run(change)
      writeValue(ledger, 'purge tried', Date.parse(noon))
    })
    await run()
    expect(look((ledger) => deletionOf(ledger, change)!.state)).toBe('purging')
    await run({}, evening)
    expect(look((ledger) => deletionOf(ledger, change)!.state)).toBe('purged')
    expect(filesWith(secretWords)).toEqual([])
  })
})
