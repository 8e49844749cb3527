// The editor's database. It may hold gigabytes: nothing is read but single keys, and only of sessions that changed.
import type { Json } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, withDatabase } from '../database.ts'
import { asArray, asCount, asObject, asString, type JsonObject } from '../json-values.ts'
import { readComposer } from './composer.ts'
import { decode } from './decode.ts'
import { workspaceFolders } from './workspaces.ts'

export function editorTranscript(path: string, workspaces: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    also: [`${path}-wal`],
    read: (out, memo) => withDatabase(path, out, (database) => readEditor(database, workspaces, out, memo)) ?? memo,
  }
}

function readEditor(database: ForeignDatabase, workspaces: string, out: ReaderOutput, memo: Json | undefined): Json {
  if (!database.columns('cursorDiskKV').has('key')) return {}
  const headers = headersOf(database)
  let folders: Map<string, string> | undefined
  const readOne = (id: string) => {
    const data = storedAt(database, `composerData:${id}`)
    if (!data) return
    const header = headers.get(id) ?? {}
    const about = { ...header, ...asObject(decode(header.value)) }
    if (!asObject(about.workspaceIdentifier).uri) folders ??= workspaceFolders(workspaces)
    readComposer({
      id,
      data,
      header: about,
      folder: folders?.get(id),
      out,
      bubbleOf: (bubble) => storedAt(database, `bubbleId:${id}:${bubble}`),
    })
  }
  const sessions = composers(database, headers).map(({ id, version }) => ({ id, version, read: () => readOne(id) }))
  return readChanged(out, memo, sessions)
}

/** Newer builds list all sessions in a table, the ones before in one value; older ones not at all. */
function headersOf(database: ForeignDatabase): Map<string, JsonObject> {
  if (database.columns('composerHeaders').has('composerId'))
    return new Map(database.rows('SELECT * FROM composerHeaders').map((row) => [asString(row.composerId), row]))
  if (!database.columns('ItemTable').has('key')) return new Map()
  const [row] = database.rows("SELECT value FROM ItemTable WHERE key = 'composer.composerHeaders'")
  const all = asArray(asObject(decode(row?.value)).allComposers).map(asObject)
  return new Map(all.map((header) => [asString(header.composerId), header]))
}

function composers(database: ForeignDatabase, headers: Map<string, JsonObject>): { id: string; version: string }[] {
  const rows = database.rows(
    // Key ranges and lengths are answered without touching the values.
    `SELECT substr(c.key, 14) AS id, octet_length(c.value) AS length,
       (SELECT count(*) FROM cursorDiskKV b
        WHERE b.key >= 'bubbleId:' || substr(c.key, 14) || ':' AND b.key < 'bubbleId:' || substr(c.key, 14) || ';') AS bubbles
     FROM cursorDiskKV c WHERE c.key >= 'composerData:' AND c.key < 'composerData;' ORDER BY c.key`,
  )
  return rows.map((row) => {
    const id = asString(row.id)
    const changed = asCount(headers.get(id)?.lastUpdatedAt)
    return { id, version: `${changed}/${asCount(row.length)}/${asCount(row.bubbles)}` }
  })
}

function storedAt(database: ForeignDatabase, key: string): JsonObject | undefined {
  const [row] = database.rows('SELECT value FROM cursorDiskKV WHERE key = ?', key)
  const value = decode(row?.value)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}
