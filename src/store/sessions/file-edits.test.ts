import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../../core/paths.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import { migrations } from '../migrations.ts'
import { deleteFileEdits, editedFilesNamed, saveFileEdit } from './file-edits.ts'
import { upsertProject } from './projects.ts'
import { assignProject, openSession } from './sessions.ts'

let folder: string
let ledger: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-touched-'))
})
afterEach(() => {
  ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(steps = migrations): void {
  ledger = openLedger(layoutOf(folder), steps)
}

function session(name: string, project: string): number {
  const { id } = openSession(ledger, `codex:${name}`, 'codex', '2026-09-01T10:00:00.000Z')
  assignProject(ledger, id, upsertProject(ledger, { key: project, kind: 'folder', domain: null }))
  return id
}

const under = (name: string, project: string | null = '/app', absolute: string | null = null) =>
  editedFilesNamed(ledger, { name, project, absolute }).map(({ uid, path, times }) => `${uid} ${path} ${times}`)

describe('editedFilesNamed', () => {
  it('finds files by name with any path separator', () => {
    open()
    const id = session('a', '/app')
    const paths = ['/app/src/a.ts', 'a.ts', 'C:\\app\\src\\a.ts', 'src/b.ts', '/app/src/schema.ts', 'a.ts/b']
    saveFileEdit(ledger, id, { seq: 3, files: paths.map((path) => ({ path, change: 'update' })) })
    expect(under('a.ts').sort()).toEqual(
      ['codex:a /app/src/a.ts 1', 'codex:a C:\\app\\src\\a.ts 1', 'codex:a a.ts 1'].sort(),
    )
  })

  it('sums changes and keeps the first and last place', () => {
    open()
    const id = session('a', '/app')
    saveFileEdit(ledger, id, { seq: 3, files: [{ path: 'a.ts', change: 'add', added: 5 }] })
    saveFileEdit(ledger, id, { seq: 9, files: [{ path: 'a.ts', change: 'update', added: 2, removed: 4 }] })
    expect(editedFilesNamed(ledger, { name: 'a.ts', project: '/app', absolute: null })).toMatchObject([
      { times: 2, added: 7, removed: 4, first: 3, last: 9 },
    ])
    deleteFileEdits(ledger, id)
    expect(under('a.ts')).toEqual([])
  })

  it('finds files of the project, and the absolute path from other projects', () => {
    open()
    saveFileEdit(ledger, session('a', '/app'), { seq: 0, files: [{ path: '/app/a.ts', change: 'update' }] })
    saveFileEdit(ledger, session('b', '/other'), { seq: 0, files: [{ path: '/app/a.ts', change: 'update' }] })
    expect(under('a.ts')).toEqual(['codex:a /app/a.ts 1'])
    expect(under('a.ts', '/app', '/app/a.ts')).toHaveLength(2)
    expect(under('a.ts', null, '/app/a.ts')).toHaveLength(2)
    expect(under('a.ts', null)).toEqual([])
  })

  it('includes files from digests older than the table', () => {
    const step = migrations.findIndex(({ sql }) => sql.includes('CREATE TABLE touched'))
    open(migrations.slice(0, step))
    const project = upsertProject(ledger, { key: '/app', kind: 'folder', domain: null })
    const id = 1
    ledger
      .sql(
        "INSERT INTO sessions (id, uid, agent, project, captured_at) VALUES (?, 'codex:a', 'codex', ?, '2026-09-01')",
      )
      .run(id, project)
    const files = { 'src/a.ts': { change: 'update', added: 7, removed: 1, times: 2 } }
    ledger
      .sql("INSERT INTO digests VALUES (?, '', 'success', 'good', ?, '2026-09-01T10:00:00.000Z')")
      .run(id, JSON.stringify({ files }))
    ledger.close()
    open()
    expect(editedFilesNamed(ledger, { name: 'a.ts', project: '/app', absolute: null })).toMatchObject([
      { path: 'src/a.ts', times: 2, added: 7, removed: 1, first: null, last: null },
    ])
  })
})
