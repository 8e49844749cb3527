// Reads the sessions ("composers" with "bubbles") of the editor's database. It may hold gigabytes,
// so only single keys of changed sessions are read.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readForeignText } from '../../core/files.ts'
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, rowsAt, withDatabase } from '../database.ts'
import { absolutePath } from '../file-changes.ts'
import { listSubfolders } from '../files.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { changedFiles } from './reader.ts'

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
    const about = { ...header, ...asObject(decodeValue(header.value)) }
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

/** Newer builds list all sessions in a table, earlier ones in one value, the oldest not at all. */
function headersOf(database: ForeignDatabase): Map<string, JsonObject> {
  if (database.columns('composerHeaders').has('composerId'))
    return new Map(database.rows('SELECT * FROM composerHeaders').map((row) => [asString(row.composerId), row]))
  if (!database.columns('ItemTable').has('key')) return new Map()
  const [row] = database.rows("SELECT value FROM ItemTable WHERE key = 'composer.composerHeaders'")
  const all = asArray(asObject(decodeValue(row?.value)).allComposers).map(asObject)
  return new Map(all.map((header) => [asString(header.composerId), header]))
}

function composers(database: ForeignDatabase, headers: Map<string, JsonObject>): { id: string; version: string }[] {
  const rows = database.rows(
    // Key ranges and lengths do not load the values.
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
  const value = decodeValue(row?.value)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

// Folder of each session, for builds that store it only beside each workspace.

function workspaceFolders(storage: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const workspace of listSubfolders(storage)) {
    const folder = workspaceFolder(workspace)
    if (folder) for (const composer of composersOf(workspace)) found.set(composer, folder)
  }
  return found
}

function workspaceFolder(workspace: string): string | undefined {
  try {
    const { folder } = asObject(parseJson(readForeignText(join(workspace, 'workspace.json'))))
    return asString(folder).startsWith('file:') ? fileURLToPath(asString(folder)) : undefined
  } catch {
    return undefined // a window without a folder, or one on another machine
  }
}

function composersOf(workspace: string): string[] {
  const sql = "SELECT value FROM ItemTable WHERE key = 'composer.composerData'"
  const [row] = rowsAt(join(workspace, 'state.vscdb'), sql)
  return asArray(asObject(decodeValue(row?.value)).allComposers).map((composer) =>
    asString(asObject(composer).composerId),
  )
}

/** Values are text or bytes, and some are JSON inside a JSON string. */
function decodeValue(value: unknown): Json | undefined {
  const source = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
  if (typeof source !== 'string') return undefined
  const parsed = parseJson(source)
  return typeof parsed === 'string' ? (parseJson(parsed) ?? parsed) : parsed
}

interface Composer {
  id: string
  data: JsonObject
  /** Its entry in the list of sessions. */
  header: JsonObject
  /** Its folder, if only the workspace has it. */
  folder: string | undefined
  out: ReaderOutput
  bubbleOf(id: string): JsonObject | undefined
}

function readComposer(composer: Composer): void {
  const bubbles = bubblesOf(composer)
  if (bubbles.length === 0) return
  const { id, data, out } = composer
  const session = out.session(id)
  const model = modelName(asObject(data.modelConfig))
  const parent = parentOf(composer)
  const about = aboutOf(composer)
  session.about({ ...about, kind: parent.isSubagent ? 'subagent' : undefined, parent: parent.id, model })
  const reading = { session, calls: pendingCalls(undefined), model, cwd: about.cwd }
  for (const bubble of bubbles) {
    if (bubble.type === 1) readUser(bubble, session, parent.isSubagent)
    else if (bubble.type === 2) readAnswer(bubble, reading)
    else out.unknownType(`bubble of type ${String(bubble.type)}`)
  }
}

/**
 * Bubbles that were edited away stay in the table: only the composer's list has the valid ones in
 * order.
 */
function bubblesOf({ id, data, bubbleOf }: Composer): JsonObject[] {
  const listed = asArray(data.fullConversationHeadersOnly).map(asObject)
  if (listed.length === 0)
    return asArray(data.conversation).map((bubble, index) => ({ bubbleId: `${id}/${index}`, ...asObject(bubble) }))
  return listed.flatMap((header) => {
    const bubble = bubbleOf(asString(header.bubbleId))
    return bubble ? [{ ...bubble, bubbleId: header.bubbleId, type: bubble.type ?? header.type }] : []
  })
}

function parentOf({ data, header }: Composer): { isSubagent: boolean; id: string | undefined } {
  const info = asObject(data.subagentInfo)
  const id = optionalString(info.parentComposerId) ?? optionalString(asObject(header.subagentInfo).parentComposerId)
  return { isSubagent: id !== undefined || header.isSubagent === 1 || header.isSubagent === true, id }
}

function aboutOf({ data, header, folder }: Composer) {
  const place = asObject(asObject(header.workspaceIdentifier).uri)
  const branches = asArray(asObject(asArray(header.trackedGitRepos)[0]).branches).map(asObject)
  return {
    title: optionalString(data.name) ?? optionalString(header.name),
    titleRank: 3,
    cwd: optionalString(place.fsPath) ?? folder,
    branch: optionalString(branches.at(-1)?.branchName),
    started: asIsoTime(data.createdAt ?? header.createdAt) ?? undefined,
    ended: asIsoTime(data.lastUpdatedAt ?? header.lastUpdatedAt) ?? undefined,
  }
}

/** `default` means that Cursor chose. */
function modelName(from: JsonObject): string | undefined {
  const name = optionalString(from.modelName)
  return name === 'default' ? undefined : name
}

function readUser(bubble: JsonObject, session: SessionOutput, isSubagent: boolean): void {
  const images = asArray(bubble.images)
    .map(asObject)
    .map((image) => imagePlaceholder(optionalString(image.mimeType), asString(image.data)))
  const said = [asString(bubble.text).trim(), ...images].filter((part) => part !== '').join('\n')
  const id = asString(bubble.bubbleId)
  const kind = isSubagent ? 'context' : 'prompt'
  if (said) session.event({ id, key: id, kind, role: 'user', ts: asIsoTime(bubble.createdAt), text: said })
}

interface AnswerState {
  session: SessionOutput
  calls: PendingCalls
  model: string | undefined
  cwd: string | undefined
}

function readAnswer(bubble: JsonObject, reading: AnswerState): void {
  const { session } = reading
  const id = asString(bubble.bubbleId)
  const model = modelName(asObject(bubble.modelInfo)) ?? reading.model
  const base = { id, ts: asIsoTime(bubble.createdAt), model, role: 'assistant' as const }
  const thought = asString(asObject(bubble.thinking).text).trim()
  if (thought) session.event({ ...base, key: `${id}#thinking`, kind: 'thinking', text: thought })
  if (asString(bubble.text).trim()) session.event({ ...base, key: id, kind: 'reply', text: asString(bubble.text) })
  const tool = asObject(bubble.toolFormerData)
  if (optionalString(tool.name)) readTool(tool, { ...base, key: `${id}#tool` }, reading)
  const error = optionalString(asObject(bubble.errorDetails).message)
  if (error) session.event({ ...base, key: `${id}#error`, kind: 'error', role: 'system', text: error })
  readUsage(bubble, session, model)
}

type AnswerBase = Pick<Event, 'id' | 'key' | 'ts' | 'model' | 'role'>

function readTool(tool: JsonObject, base: AnswerBase, { session, calls, cwd }: AnswerState): void {
  const name = asString(tool.name)
  const call = optionalString(tool.toolCallId) ?? base.key
  const given = parseJson(asString(tool.rawArgs)) ?? parseJson(asString(tool.params)) ?? {}
  session.event(calls.open({ ...base, kind: 'tool_call', text: '', tool: name, call, input: given }))
  const status = asString(tool.status)
  const error = errorOf(status, tool)
  if (status !== 'completed' && !error) return
  const done = { ...base, role: 'tool' as const, model: undefined, call }
  const result = parseJson(asString(tool.result)) ?? asString(tool.result)
  const exit = asObject(result).exitCodeV2 ?? asObject(result).exitCode
  session.event(
    calls.close({
      ...done,
      key: `${base.key}/result`,
      kind: 'tool_result',
      text: resultText(result) || asString(asObject(parseJson(asString(tool.error))).clientVisibleErrorMessage),
      error: error ?? (typeof exit === 'number' && exit !== 0 ? 'failed' : undefined),
      exit: typeof exit === 'number' ? exit : undefined,
    }),
  )
  if (error) return
  const input = { ...asObject(given), ...asObject(parseJson(asString(tool.params))) }
  const files = changedFiles(name, input).map((file) => ({
    ...file,
    path: absolutePath(file.path, cwd),
    ...linesOf(result),
  }))
  if (files.length > 0) session.event({ ...done, key: `${base.key}/edit`, kind: 'edit', text: '', tool: name, files })
}

function errorOf(status: string, tool: JsonObject): ToolError | undefined {
  if (tool.userDecision === 'rejected' || asObject(parseJson(asString(tool.result))).rejected === true) return 'denied'
  if (status === 'cancelled') return 'cancelled'
  return status === 'error' ? 'failed' : undefined
}

function resultText(result: Json): string {
  if (typeof result === 'string') return result
  const { output, contents, message } = asObject(result)
  const said = [output, contents, message].map(optionalString).find(Boolean)
  return said ?? (Object.keys(asObject(result)).length > 0 || Array.isArray(result) ? JSON.stringify(result) : '')
}

function linesOf(result: Json): Pick<FileChange, 'added' | 'removed'> {
  const chunks = asArray(asObject(asObject(result).diff).chunks).map(asObject)
  if (chunks.length === 0) return {}
  const sum = (name: string) => chunks.reduce((total, chunk) => total + asCount(chunk[name]), 0)
  return { added: sum('linesAdded'), removed: sum('linesRemoved') }
}

/** Often zero: Cursor does not store the real numbers. */
function readUsage(bubble: JsonObject, session: SessionOutput, model: string | undefined): void {
  const tokens = asObject(bubble.tokenCount)
  const [input, output] = [asCount(tokens.inputTokens), asCount(tokens.outputTokens)]
  if (input + output === 0) return
  const none = { cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, reasoning: 0 }
  session.usage({
    key: asString(bubble.bubbleId),
    ts: asIsoTime(bubble.createdAt),
    model: model ?? null,
    input,
    output,
    ...none,
  })
}
