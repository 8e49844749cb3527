// Finds what the location of a transcript tells about it: its chat, its parent, whether the
// editor's database has it.
import { join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { SessionDetails } from '../../core/session.ts'
import { hasRow } from '../database.ts'
import { asIsoTime, asObject, type JsonObject, optionalString, parseJson } from '../json-values.ts'

export interface ChatLocation {
  /** Native id of the session. */
  id: string
  /** Name of the project folder: its path with all other characters replaced by dashes. */
  slug: string
  /** Parent session of a subagent. */
  parent: string | undefined
  /** The folder that holds `.cursor`. */
  home: string
  /** Folder of the chat (in a subagent, of its parent's), for sessions of the command line. */
  chat: string | undefined
}

export function describeChat({ parent, chat }: ChatLocation): SessionDetails {
  const meta = chat ? metaOf(chat) : {}
  const cwd = optionalString(meta.cwd)
  if (parent) return { kind: 'subagent', parent, cwd }
  return {
    cwd,
    title: optionalString(meta.title),
    titleRank: 3,
    started: asIsoTime(meta.createdAtMs) ?? undefined,
    ended: asIsoTime(meta.updatedAtMs) ?? undefined,
  }
}

function metaOf(chat: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(join(chat, 'meta.json'))))
  } catch {
    return {} // builds before 2026 have none
  }
}

const editors = [
  ['.config', 'Cursor'],
  ['Library', 'Application Support', 'Cursor'],
  ['AppData', 'Roaming', 'Cursor'],
]

/**
 * Whether the editor's database has this session; then the transcript, which contains less, is not
 * read.
 */
export function isInEditor({ home, chat, id }: ChatLocation): boolean {
  if (chat) return false
  return editors.some((editor) => {
    const path = join(home, ...editor, 'User', 'globalStorage', 'state.vscdb')
    return hasRow(path, 'SELECT 1 FROM cursorDiskKV WHERE key = ?', `composerData:${id}`)
  })
}

/** The folder at or above a path that has this slug. */
export function folderOf(path: string, slug: string): string | undefined {
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(path)) return undefined
  const ends = [...path.matchAll(/[\\/]|$/g)].map((mark) => mark.index)
  return ends.map((end) => path.slice(0, end)).find((folder) => folder !== '' && slugOf(folder) === slug)
}

function slugOf(path: string): string {
  return path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
}
