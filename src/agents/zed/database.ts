// Reads threads.db: a row per thread, replaced whenever the thread is saved. Columns after `data`
// were added by migrations.
import { posix, win32 } from 'node:path'
import type { Json, SessionDetails, Usage } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, withDatabase } from '../database.ts'
import { absolutePath } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { readMessages } from './reader.ts'

export function readThreads(path: string, out: ReaderOutput, memo: Json | undefined): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const rows = threadRows(database).filter((row) => optionalString(row.id))
    const threads = rows.map((row) => ({
      id: asString(row.id),
      version: [row.updated_at, row.bytes, row.summary].map((value) => String(value ?? '')).join('/'),
      read: () => readThread(database, row, out),
    }))
    return readChanged(out, memo, threads)
  })
  return versions ?? memo
}

const addedColumns = ['parent_id', 'folder_paths', 'folder_paths_order', 'created_at']

function threadRows(database: ForeignDatabase): JsonObject[] {
  const known = database.columns('threads')
  if (!known.has('data')) return []
  const columns = addedColumns.filter((name) => known.has(name)).map((name) => `, ${name}`)
  return database.rows(
    `SELECT id, summary, updated_at, data_type, length(data) AS bytes${columns.join('')} FROM threads ORDER BY id`,
  )
}

function readThread(database: ForeignDatabase, row: JsonObject, out: ReaderOutput): void {
  const id = asString(row.id)
  const document = documentOf(database, row, out)
  const messages = asArray(document?.messages)
  if (!document || messages.length === 0) return
  const parent = optionalString(row.parent_id) ?? optionalString(asObject(document.subagent_context).parent_thread_id)
  const folders = foldersOf(row, document)
  const model = optionalString(asObject(document.model).model)
  const ended = utc(row.updated_at) ?? utc(document.updated_at)
  const session = out.session(id)
  session.about({
    ...gitState(document, folders[0]),
    ...titleOf(row, document),
    kind: parent ? 'subagent' : undefined,
    parent,
    cwd: folders[0],
    model,
    started: utc(row.created_at),
    ended,
  })
  readMessages(messages, {
    id,
    out,
    session,
    model,
    isHuman: parent === undefined,
    placeOf: (path) => placeOf(path, folders),
  })
  const usage = usageOf(document)
  if (usage) session.usage({ key: `${id}/usage`, ts: ended ?? null, model: model ?? null, ...usage })
}

/** Of a document. Real ones take some megabytes; a small row can unpack to any size. */
const maxBytes = 256 << 20

function documentOf(database: ForeignDatabase, row: JsonObject, out: ReaderOutput): JsonObject | undefined {
  const id = asString(row.id)
  const [stored] = database.rows('SELECT data FROM threads WHERE id = ? AND length(data) <= ?', id, maxBytes)
  try {
    const source = textOf(stored?.data, asString(row.data_type))
    const document = source === undefined ? undefined : parseJson(source)
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document
  } catch {
    // reported below, without the content
  }
  out.problem(0, `thread ${id} could not be read`)
  return undefined
}

function textOf(data: unknown, type: string): string | undefined {
  if (typeof data === 'string') return data
  if (!(data instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (type === 'json') return bytes.toString('utf8')
  return process.getBuiltinModule('node:zlib').zstdDecompressSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')
}

/** Written with an offset and up to nine digits of a second. */
function utc(value: Json | undefined): string | undefined {
  const time = asIsoTime(value)
  return time === null ? undefined : new Date(time).toISOString()
}

/** The folders of the window, the first one of the user's order first. */
function foldersOf(row: JsonObject, document: JsonObject): string[] {
  const sorted = asString(row.folder_paths).split('\n').filter(Boolean)
  const order = asString(row.folder_paths_order).split(',').map(Number)
  if (sorted.length > 0) return sorted.toSorted((a, b) => order[sorted.indexOf(a)]! - order[sorted.indexOf(b)]! || 0)
  return snapshotsOf(document)
    .map((snapshot) => asString(snapshot.worktree_path))
    .filter(Boolean)
}

function snapshotsOf(document: JsonObject): JsonObject[] {
  return asArray(asObject(document.initial_project_snapshot).worktree_snapshots).map(asObject)
}

function gitState(document: JsonObject, cwd: string | undefined): Pick<SessionDetails, 'branch' | 'remote'> {
  const snapshots = snapshotsOf(document)
  const own = snapshots.find((snapshot) => snapshot.worktree_path === cwd) ?? snapshots[0]
  const state = asObject(own?.git_state)
  return { branch: optionalString(state.current_branch), remote: optionalString(state.remote_url) }
}

/** Until a model has named it, a thread has one of the default titles. */
function titleOf(row: JsonObject, document: JsonObject): Pick<SessionDetails, 'title' | 'titleRank'> {
  const title = optionalString(row.summary) ?? optionalString(document.title) ?? optionalString(document.summary)
  return !title || /^New (?:Agent )?(?:Thread|Summary)$/i.test(title) ? {} : { title, titleRank: 3 }
}

/** Paths in tool calls begin with the name of a folder of the window. */
function placeOf(path: string, folders: string[]): string {
  const [first = ''] = path.split(/[/\\]/)
  const paths = /^[A-Za-z]:/.test(folders[0] ?? '') ? win32 : posix
  const around = folders.find((folder) => paths.basename(folder) === first)
  return absolutePath(path, around ? paths.dirname(around) : folders[0])
}

type Tokens = Omit<Usage, 'key' | 'ts' | 'model'>

/** The map by prompt is incomplete: it only serves documents without the sum. */
function usageOf(document: JsonObject): Tokens | undefined {
  const sum = tokensOf([asObject(document.cumulative_token_usage)])
  if (sum) return sum
  const known = document.request_token_usage
  const parts = tokensOf(Object.values(Array.isArray(known) ? known : asObject(known)).map((part) => asObject(part)))
  return parts && { ...parts, isLowerBound: true }
}

function tokensOf(parts: JsonObject[]): Tokens | undefined {
  const total = (name: string) => parts.reduce((sum, part) => sum + asCount(part[name]), 0)
  const tokens = {
    input: total('input_tokens'),
    cacheRead: total('cache_read_input_tokens'),
    cacheWrite: total('cache_creation_input_tokens'),
    cacheWrite1h: 0,
    output: total('output_tokens'),
    reasoning: 0,
  }
  return tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output > 0 ? tokens : undefined
}
