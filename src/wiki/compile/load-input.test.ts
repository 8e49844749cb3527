import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { layoutOf } from '../../core/paths.ts'
import type { SessionDetails } from '../../core/session.ts'
import type { Memory } from '../../memory/memory.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { changeMemories } from '../../store/memories/changes.ts'
import { saveDigest } from '../../store/sessions/digests.ts'
import { saveFileEdit } from '../../store/sessions/file-edits.ts'
import { upsertProject } from '../../store/sessions/projects.ts'
import { assignProject, openSession, updateSessionDetails } from '../../store/sessions/sessions.ts'
import { saveArticle } from '../../store/wiki/articles.ts'
import { saveJournalRow } from '../../store/wiki/journal.ts'
import { compileProject } from './compile.ts'
import { planProjects } from './plan.ts'

const app = '/home/dev/app'
const at = '2026-09-01T10:00:00.000Z'
let folder: string
let ledger: Ledger

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-compile-'))
  ledger = openLedger(layoutOf(folder))
})
afterEach(() => {
  ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('loadProjectInput', () => {
  it('loads sessions with changes of subagents, and days that have a file', () => {
    told('one', '2026-09-01', { title: 'Repair the parser', titleRank: 3 })
    told('gone', '2026-09-02', { title: 'The day of this one was deleted' })
    const helper = session('helper', { kind: 'subagent', parent: 'one' })
    change('one', ['src/parser.ts'])
    saveFileEdit(ledger, helper, { seq: 0, files: [{ path: 'src/lexer.ts', change: 'update' }] })
    saveFileEdit(ledger, helper, { seq: 1, files: [{ path: 'src/lexer.ts', change: 'update' }] })
    writeDay('2026-09-01')
    learn(memory('m-1', 'parser.ts is strict', 'codex:one'), memory('m-2', 'parser.ts is fast', 'codex:gone'))
    const { input, articles } = compiled(app)
    expect(input).toMatchObject({ key: app, name: 'app', memoryIndex: null })
    expect(input.sessions).toEqual([
      {
        session: 'codex:one',
        day: '2026-09-01',
        title: 'Repair the parser',
        start: at,
        cwd: app,
        goal: 'goal of one',
        files: [
          { path: 'src/lexer.ts', times: 2 },
          { path: 'src/parser.ts', times: 1 },
        ],
      },
    ])
    expect([...input.days]).toEqual([['codex:one', '2026-09-01']])
    const decisions = articles[0]!.sections.find(({ name }) => name === 'decisions')!.text
    expect(decisions).toContain('parser.ts is strict ([[journal/2026-09-01|2026-09-01]], `codex:one`)')
    expect(decisions).toContain('parser.ts is fast (2026-09-01, `codex:gone`)')
  })

  it('loads its articles and the slugs in use', () => {
    told('one', '2026-09-01', {})
    learn(memory('m-1', 'parser.ts is strict', 'codex:one'))
    place('wiki/concepts/syntax', app, 'file:parser')
    place('wiki/concepts/parser', '/home/dev/other', 'file:parser')
    mkdirSync(join(folder, 'vault/wiki/concepts'), { recursive: true })
    writeFileSync(join(folder, 'vault/wiki/concepts/App.md'), 'mine')
    writeFileSync(join(folder, 'vault/wiki/concepts/parser.md'), 'theirs')
    const { input, articles } = compiled(app)
    expect([...input.taken].sort()).toEqual(['app', 'parser'])
    expect(articles.map(({ path }) => path)).toEqual(['wiki/concepts/syntax', 'wiki/concepts/app-app'])
    expect(articles[0]!.sections.find(({ name }) => name === 'related')!.text).toContain('[[wiki/concepts/parser|')
  })

  it('loads global memories for null', () => {
    told('one', '2026-09-01', {})
    writeDay('2026-09-01')
    learn({ ...memory('m-1', 'Always use tabs', 'codex:one'), project: null, kind: 'preference' })
    const { input, articles } = compiled(null)
    expect(input).toMatchObject({ key: null, sessions: [], memories: [{ id: 'm-1' }] })
    expect(articles[0]!.sections[1]!.text).toContain('[[journal/2026-09-01|2026-09-01]], `codex:one`')
  })
})

function compiled(project: string | null) {
  const { plans, placed } = planProjects(ledger, [project], { isAll: false })
  return { input: plans[0]!.input, articles: compileProject(plans[0]!, placed) }
}

function session(name: string, about: SessionDetails): number {
  const { id } = openSession(ledger, `codex:${name}`, 'codex', at)
  updateSessionDetails(ledger, id, 'codex', { cwd: app, started: at, ended: at, ...about })
  assignProject(ledger, id, upsertProject(ledger, { key: app, name: 'app', kind: 'folder', domain: null }))
  return id
}

function told(name: string, day: string, about: SessionDetails): void {
  const id = session(name, about)
  saveDigest(ledger, {
    session: id,
    title: name,
    outcome: 'success',
    kind: 'work',
    state: { goal: `goal of ${name}` },
    digestedAt: at,
    through: 0,
  })
  saveJournalRow(
    ledger,
    id,
    { day, through: 0, hash: '', writtenBy: 'digest', spend: { costUsd: 0, responses: 0, unpriced: 0 } },
    at,
  )
}

function change(name: string, paths: string[]): void {
  const { id } = openSession(ledger, `codex:${name}`, 'codex', at)
  saveFileEdit(ledger, id, { seq: 0, files: paths.map((path) => ({ path, change: 'update' })) })
}

function writeDay(day: string): void {
  mkdirSync(join(folder, 'vault/journal'), { recursive: true })
  writeFileSync(join(folder, `vault/journal/${day}.md`), '# A day\n')
}

function place(path: string, project: string, topic: string): void {
  saveArticle(ledger, {
    path,
    project,
    topic,
    kind: 'concept',
    title: 'syntax',
    summary: '',
    said: '',
    head: {},
    sections: {},
    stamp: '',
  })
}

function learn(...memories: Memory[]): void {
  ledger.transaction(() => changeMemories(ledger, { at, kind: 'learned', about: 'a test' }, memories))
}

function memory(id: string, text: string, from: string): Memory {
  return sampleMemory({
    id,
    project: app,
    text,
    evidence: [{ session: from, event: 'e1', quote: text }],
    at,
  })
}
