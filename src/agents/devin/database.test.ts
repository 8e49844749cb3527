import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import { readDatabase } from './database.ts'

const fixture = join(import.meta.dirname, '../../../test/agents/fixtures/devin/home/.local/share/devin/cli')
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-devin-'))
  cpSync(fixture, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('reads again only the sessions whose messages or tokens changed', () => {
  const first = read(undefined)
  expect(first.sessions).toEqual(['bright-kiln', 'looping-clay'])
  expect(read(first.memo).sessions).toEqual([])

  const database = new DatabaseSync(join(folder, 'sessions.db'))
  database.exec("UPDATE sessions SET main_chain_id = 2 WHERE id = 'looping-clay'")
  database.close()
  expect(read(first.memo).sessions).toEqual(['looping-clay'])

  writeFileSync(join(folder, 'transcripts', 'bright-kiln.json'), '{"steps":[]}')
  expect(read(first.memo).sessions).toEqual(['bright-kiln', 'looping-clay'])
})

it('reports a database without the tables and keeps what is known', () => {
  const path = join(folder, 'sessions.db')
  rmSync(path)
  new DatabaseSync(path).close()
  expect(read({ known: 'v1' })).toEqual({ sessions: [], bad: 1, memo: { known: 'v1' } })
})

function read(known: Json | undefined) {
  const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
  const path = join(folder, 'sessions.db')
  const memo = readDatabase(path, join(folder, 'transcripts'), outInto(collection), known)
  return { sessions: [...collection.sessions.keys()], bad: collection.bad.length, memo }
}
