// What becomes of imported memories in the ledger and the vault, and that an import can be repeated and undone.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { exportTo } from '../../src/export/export.ts'
import { importSource } from '../../src/import/import.ts'
import { detectSource } from '../../src/import/registry.ts'
import { undoImport } from '../../src/import/undo.ts'
import { forget } from '../../src/learn/change.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { parseQuery } from '../../src/search/query.ts'
import { search } from '../../src/search/search.ts'
import type { Ledger } from '../../src/store/ledger.ts'
import { changeMemories, listChanges } from '../../src/store/memories/changes.ts'
import { listMemories } from '../../src/store/memories/memories.ts'
import { readBody } from '../../src/store/sessions/bodies.ts'
import { listSessions } from '../../src/store/sessions/sessions.ts'
import { sweep } from '../../src/sweep.ts'
import { claudeSession, lines, type Place, place } from '../program.ts'
import { sampleMemory } from '../sample-memory.ts'
import { claudeMemSessions, fixtures, writeTree } from './fixtures.ts'

let at: Place
let app: App
let ledger: Ledger
let repository: string

beforeEach(async () => {
  at = place()
  repository = join(at.root, 'code', 'app')
  mkdirSync(join(repository, '.git'), { recursive: true })
  const session = claudeMemSessions.captured
  const path = join(at.home, '.claude', 'projects', repository.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines(claudeSession(session, 1, { cwd: repository })))
  app = createApp({
    machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' },
    clock: fixedClock('2026-10-05T12:00:00Z'),
  })
  await sweep(app)
  ledger = app.ledger()
})
afterEach(() => {
  ledger.close()
  at.remove()
})

const fixture = (id: string) => fixtures[id]!(join(at.root, 'foreign', id))
const bringIn = (path: string, more: { isDryRun?: boolean; project?: string } = {}) =>
  importSource(app.context(ledger), detectSource(path), { project: null, ...more })
const takeBack = (change: number | null) => undoImport(app.context(ledger), change!)

/** Everything that an import may change, without what grows with every change. */
function state(): object {
  return {
    memories: listMemories(ledger).sort((a, b) => (a.id < b.id ? -1 : 1)),
    sessions: listSessions(ledger).map(({ id, counts }) => ({ id, counts })),
    passages: ledger.sql('SELECT count(*) AS count FROM passages').get()!.count,
    files: vaultFiles().filter((path) => !/^wiki\/(?:index|log)\.md$|^memory\//.test(path)),
  }
}

function vaultFiles(): string[] {
  const { vault } = ledger.layout
  if (!existsSync(vault)) return []
  const files = readdirSync(vault, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  return files.map((path) => path.replaceAll('\\', '/')).sort()
}

const vaultText = (path: string) => readFileSync(join(ledger.layout.vault, path), 'utf8')
const found = (words: string) => search(ledger, parseQuery(words), { nowMs: app.clock.nowMs(), limit: 5 }).results

describe.each(Object.keys(fixtures))('an import of %s', (id) => {
  it('changes nothing in a dry run', async () => {
    const before = state()
    const { change } = await bringIn(fixture(id), { isDryRun: true })
    expect(change).toBeNull()
    expect(state()).toEqual(before)
    expect(listChanges(ledger, 10)).toEqual([])
  })

  it('is one change, and importing again changes nothing', async () => {
    const path = fixture(id)
    const { change } = await bringIn(path)
    expect(listChanges(ledger, 10)).toMatchObject([{ id: change, kind: 'imported' }])
    const after = state()
    expect(await bringIn(path)).toMatchObject({ change: null, kept: [], sessions: { written: 0 } })
    expect(state()).toEqual(after)
    expect(listChanges(ledger, 10)).toHaveLength(1)
  })

  it('is undone exactly, and can be imported again', async () => {
    const before = state()
    const path = fixture(id)
    const { change } = await bringIn(path)
    const after = state()
    expect(after).not.toEqual(before)
    await takeBack(change)
    expect(state()).toEqual(before)
    await bringIn(path)
    expect(state()).toEqual(after)
  })
})

describe('statements', () => {
  it('are memories that nobody said, with their source', async () => {
    const path = fixture('claude-memory')
    const report = await bringIn(path)
    expect(report.kept.map(({ text }) => text)).toEqual([
      'The staging database is rebuilt every Sunday night.',
      'Prefers small commits with the reason in the body.',
    ])
    expect(report.kept[0]).toMatchObject({
      trust: 'imported',
      because: 'import',
      project: null,
      validFrom: '2026-03-01T10:00:00.250Z',
      evidence: [{ session: null, file: path }],
    })
  })

  it('are candidates if rules have found them', async () => {
    const { candidates } = await bringIn(fixture('claude-memory'))
    expect(candidates).toMatchObject([{ state: 'candidate', because: 'rules', trust: 'imported' }])
  })

  it('hold in a project on request', async () => {
    const { kept } = await bringIn(fixture('server-memory'), { project: repository })
    expect(new Set(kept.map(({ project }) => project))).toEqual(new Set([repository]))
    expect(kept.map(({ text }) => text)).toContain('billing: Deploys go out on Tuesdays only')
  })

  it('are known in a copy of the file elsewhere', async () => {
    await bringIn(fixture('server-memory'))
    const copy = fixtures['server-memory']!(join(at.root, 'copy'))
    expect(await bringIn(copy)).toMatchObject({ change: null, known: 4 })
  })

  it('supersede their earlier version', async () => {
    const path = fixture('claude-memory')
    await bringIn(path)
    const database = new DatabaseSync(path)
    database.exec(
      `UPDATE memories SET content = 'The staging database is rebuilt every Friday night.', updated_at = '2026-04-01T10:00:00+00:00' WHERE id = 1`,
    )
    database.close()
    const { kept, superseded } = await bringIn(path)
    expect(kept).toMatchObject([{ text: 'The staging database is rebuilt every Friday night.' }])
    expect(superseded).toMatchObject([
      { text: 'The staging database is rebuilt every Sunday night.', supersededBy: kept[0]!.id },
    ])
  })

  it('stay forgotten', async () => {
    const path = fixture('server-memory')
    const { kept } = await bringIn(path)
    forget({ ledger, clock: app.clock, origin: '' }, kept[0]!.id)
    expect(await bringIn(path)).toMatchObject({ change: null, kept: [] })
  })

  it('are kept without secrets', async () => {
    const path = join(at.root, 'memory.jsonl')
    const token = `ghp_${'aB3'.repeat(12)}`
    writeFileSync(
      path,
      JSON.stringify({
        type: 'entity',
        name: 'CI',
        entityType: 'service',
        observations: [`The nightly job uses the token ${token} to push images to the registry of the company`],
      }),
    )
    const { kept } = await bringIn(path)
    expect(kept.map(({ text }) => text)).toEqual([
      'CI: The nightly job uses the token [secret: github-token] to push images to the registry of the company',
    ])
    expect(JSON.stringify(listMemories(ledger))).not.toContain('aB3aB3')
  })

  it('of a bad line are reported with its number; the rest is imported', async () => {
    const path = fixture('server-memory')
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n{"type":"entity","name":\n{"type":"other"}\n`)
    const { kept, problems } = await bringIn(path)
    expect(kept).toHaveLength(4)
    expect(problems).toMatchObject([
      { file: path, line: 5 },
      { file: path, line: 6, reason: 'neither an entity nor a relation' },
    ])
  })
})

describe('sessions', () => {
  it('are left out if they were captured from their agent', async () => {
    expect(await bringIn(fixture('claude-mem'))).toMatchObject({ sessions: { written: 2, captured: 1 } })
    expect(
      listSessions(ledger)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      `claude-code:${claudeMemSessions.captured}`,
      `claude-mem:${claudeMemSessions.old}`,
      'claude-mem:observer-lost',
    ])
  })

  it('are found by search, in the project of that name, without secrets', async () => {
    await bringIn(fixture('claude-mem'))
    expect(found('provider repeats webhooks')[0]).toMatchObject({
      session: `claude-mem:${claudeMemSessions.old}`,
      project: repository,
    })
    const row = ledger
      .sql('SELECT body, body_bytes FROM sessions WHERE uid = ?')
      .get(`claude-mem:${claudeMemSessions.old}`)!
    const text = [...readBody(ledger.layout.bodies, String(row.body), Number(row.body_bytes))]
      .map((event) => event.text)
      .join('\n')
    expect(text).toContain('[secret: github-token]')
  })

  it('are journaled, but nothing is learned from them', async () => {
    await bringIn(fixture('claude-mem'))
    ledger.close()
    await sweep(app, { waitsForLearning: true })
    ledger = app.ledger()
    expect(listMemories(ledger)).toEqual([])
    expect(vaultText('journal/2026-05-02.md')).toContain('Idempotent orders')
  })

  it('of SpecStory belong to the project around their folder', async () => {
    const path = fixtures.specstory!(repository)
    await bringIn(path)
    expect(found('week starts on Sunday')[0]).toMatchObject({ project: repository })
  })
})

describe('pages', () => {
  it('do not overwrite files of the vault', async () => {
    writeTree(ledger.layout.vault, { 'wiki/concepts/supabase-auth.md': '# Mine\n' })
    const { pages } = await bringIn(fixture('memoria'))
    expect(pages).toMatchObject({ left: ['wiki/concepts/supabase-auth'], articles: ['wiki/answers/test-policies'] })
    expect(vaultText('wiki/concepts/supabase-auth.md')).toBe('# Mine\n')
  })

  it('add to a day that has a file, and undo takes out only what was added', async () => {
    const mine = '# Wednesday, 2026-04-01\n\n## Sessions\n\nMy own words.\n'
    writeTree(ledger.layout.vault, { 'journal/2026-04-01.md': mine })
    const { change } = await bringIn(fixture('memoria'))
    expect(vaultText('journal/2026-04-01.md')).toContain('My own words.\n\n<!-- recollect:imported memoria')
    expect(found('policies migrations dashboard review')[0]).toMatchObject({ kind: 'journal' })
    await takeBack(change)
    expect(vaultText('journal/2026-04-01.md')).toBe(mine)
  })

  it('that a person has edited or deleted stay so', async () => {
    const path = fixture('memoria')
    const { change } = await bringIn(path)
    const day = vaultText('journal/2026-04-01.md').replace('no review', 'no review at all')
    writeTree(ledger.layout.vault, { 'journal/2026-04-01.md': day })
    rmSync(join(ledger.layout.vault, 'wiki/concepts/supabase-auth.md'))
    expect(await bringIn(path)).toMatchObject({ change: null, pages: { days: [], articles: [] } })
    expect((await takeBack(change)).left).toEqual(['journal/2026-04-01'])
    expect(vaultText('journal/2026-04-01.md')).toBe(day)
  })
})

describe('an export of ours', () => {
  const memories: Memory[] = [
    sampleMemory({
      id: 'm-aaaaaaaaaa',
      text: 'Deploys go out on Tuesdays only.',
      why: 'support is there',
      counts: { said: 3, shown: 7, used: 2 },
      links: ['see-also m-bbbbbbbbbb'],
      tags: ['release'],
    }),
    sampleMemory({
      id: 'm-bbbbbbbbbb',
      text: 'Deploys go out on Mondays.',
      supersededBy: 'm-aaaaaaaaaa',
      supersededAt: '2026-09-02T10:00:00.000Z',
      version: 2,
    }),
    sampleMemory({
      id: 'm-cccccccccc',
      text: 'Use tabs in Go.',
      state: 'inbox',
      contradicts: 'm-aaaaaaaaaa',
      project: null,
      type: 'feedback',
      kind: 'preference',
    }),
    sampleMemory({
      id: 'm-dddddddddd',
      text: 'The cache is flushed by a signal.',
      trust: 'agent said',
      because: 'model',
      status: 'tried-and-failed',
      evidence: [{ session: 'codex:1', event: 'e', quote: 'flushed by a signal', commit: 'abc' }],
    }),
  ]

  async function exportAll(name: string, from = ledger): Promise<string> {
    const folder = join(at.root, name)
    await exportTo(from, { format: 'json', folder, zone: app.zone })
    return folder
  }

  const linesOf = (folder: string, kind: string) =>
    readFileSync(join(folder, 'recollect.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => line.kind === kind)
      .map(({ path: _, ...line }) => line)

  beforeEach(() => {
    const change = { at: '2026-09-01T10:00:00.000Z', kind: 'learned' as const, about: 'a test' }
    ledger.transaction(() => changeMemories(ledger, change, memories))
    writeTree(ledger.layout.vault, {
      'wiki/concepts/own.md':
        '---\ntitle: "Own"\naliases: []\ntags: ["x"]\nsources: ["journal/2026-09-01"]\ncreated: 2026-09-01\nupdated: 2026-09-02\n---\n\n# Own\n\nWritten by hand.\n',
      'journal/2026-08-01.md': '# Saturday, 2026-08-01\n\n## Sessions\n\nMy own words.\n',
    })
  })

  it('gives the same export from an empty store', async () => {
    const folder = await exportAll('first')
    const other = createApp({
      machine: {
        home: join(at.root, 'other'),
        env: { RECOLLECT_HOME: join(at.root, 'other-store') },
        platform: 'linux',
      },
      clock: app.clock,
    })
    const empty = other.ledger()
    try {
      const report = await importSource(other.context(empty), detectSource(folder), { project: null })
      expect(report).toMatchObject({ known: 0, left: [], problems: [] })
      const again = await exportAll('second', empty)
      for (const kind of ['memory', 'day', 'entry']) expect(linesOf(again, kind)).toEqual(linesOf(folder, kind))
      const own = (folder: string) => linesOf(folder, 'article').filter(({ title }) => title === 'Own')
      expect(own(again)).toEqual(own(folder))
      expect(own(again)).toHaveLength(1)
    } finally {
      empty.close()
    }
  })

  it('changes nothing here, and says what differs', async () => {
    const folder = await exportAll('first')
    expect(await bringIn(folder)).toMatchObject({ change: null, known: 4, left: [] })
    const mine = { ...memories[0]!, text: 'Deploys go out on Fridays.', version: 2 }
    const change = { at: '2026-10-01T10:00:00.000Z', kind: 'edited' as const, about: 'a test' }
    ledger.transaction(() => changeMemories(ledger, change, [mine]))
    expect(await bringIn(folder)).toMatchObject({ change: null, known: 3, left: [{ id: 'm-aaaaaaaaaa' }] })
    expect(listMemories(ledger).find(({ id }) => id === 'm-aaaaaaaaaa')?.text).toBe('Deploys go out on Fridays.')
  })
})
