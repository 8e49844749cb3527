// Reads sessions of superagent-ai/grok-cli (source of May 2026, schema version 3), an unrelated
// tool with its database in ~/.grok/grok.db. Messages are those of the AI SDK.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, withDatabase } from '../database.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { parseUserText } from './content.ts'

export function communityDatabase(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    also: [`${path}-wal`],
    read: (out, memo) => withDatabase(path, out, (database) => readDatabase(database, out, memo)),
  }
}

function readDatabase(database: ForeignDatabase, out: ReaderOutput, memo: Json | undefined): Json {
  const sessions = sessionRows(database).map((row) => ({
    id: asString(row.id),
    // New usage and compactions do not change the time of the session.
    version: [row.updated_at, row.messages, row.usages, row.compactions].join('/'),
    read: () => readSession(row, database, out),
  }))
  return readChanged(out, memo, sessions)
}

function sessionRows(database: ForeignDatabase): JsonObject[] {
  if (!database.columns('messages').has('message_json')) return []
  const amount = (table: string) =>
    database.columns(table).has('session_id') ? `(SELECT count(*) FROM ${table} WHERE session_id = s.id)` : '0'
  return database.rows(
    `SELECT s.*, ${amount('messages')} AS messages, ${amount('usage_events')} AS usages,
      ${amount('compactions')} AS compactions FROM sessions s ORDER BY s.created_at, s.id`,
  )
}

function readSession(row: JsonObject, database: ForeignDatabase, out: ReaderOutput): void {
  const id = asString(row.id)
  const session = out.session(id)
  session.about({
    cwd: optionalString(row.cwd_at_start),
    title: optionalString(row.title),
    titleRank: 3,
    model: optionalString(row.model),
    version: 'grok-cli',
    started: asIsoTime(row.created_at) ?? undefined,
  })
  const compactions = rowsOf(database, 'compactions', id, 'id')
  const book = pendingCalls(undefined)
  for (const message of rowsOf(database, 'messages', id, 'seq')) {
    while (compactions.length > 0 && asString(compactions[0]!.created_at) < asString(message.created_at))
      session.event(compactionEvent(compactions.shift()!, id))
    readMessage(message, { session, id, model: optionalString(row.model), book, out })
  }
  for (const compaction of compactions) session.event(compactionEvent(compaction, id))
  for (const usage of rowsOf(database, 'usage_events', id, 'id')) readUsage(usage, id, session)
}

function rowsOf(database: ForeignDatabase, table: string, session: string, order: string): JsonObject[] {
  if (!database.columns(table).has('session_id')) return []
  return database.rows(`SELECT * FROM ${table} WHERE session_id = ? ORDER BY ${order}`, session)
}

function compactionEvent(row: JsonObject, session: string): Event {
  const key = `${session}/compaction/${row.id}`
  const said = `${asString(row.summary)}\n(${asCount(row.tokens_before)} tokens before)`
  return { id: '', key, kind: 'compaction', role: 'system', ts: asIsoTime(row.created_at), text: said }
}

interface MessageState {
  session: SessionOutput
  id: string
  model: string | undefined
  book: PendingCalls
  out: ReaderOutput
}

function readMessage(row: JsonObject, reading: MessageState): void {
  const message = asObject(parseJson(asString(row.message_json)))
  const role = optionalString(message.role) ?? asString(row.role)
  const base = { id: '', key: `${reading.id}/${row.seq}`, ts: asIsoTime(row.created_at) }
  if (role === 'user') {
    const { kind, text: said } = parseUserText(parts(message.content).map(partText).filter(Boolean).join('\n'))
    if (said) reading.session.event({ ...base, kind, role: 'user', text: said })
  } else if (role === 'system') {
    const said = asString(message.content)
    if (said) reading.session.event({ ...base, kind: 'context', role: 'system', text: said })
  } else if (role === 'assistant' || role === 'tool') {
    parts(message.content).forEach((part, index) => {
      readPart(part, { ...base, key: `${base.key}#${index}` }, reading)
    })
  } else reading.out.unknownType(role || 'message without role')
}

function readPart(part: JsonObject, base: Pick<Event, 'id' | 'key' | 'ts'>, reading: MessageState): void {
  const { session, book, model, out } = reading
  const call = optionalString(part.toolCallId)
  switch (part.type) {
    case 'text':
      if (asString(part.text).trim())
        session.event({ ...base, kind: 'reply', role: 'assistant', text: asString(part.text), model })
      return
    case 'reasoning':
      if (asString(part.text))
        session.event({ ...base, kind: 'thinking', role: 'assistant', text: asString(part.text), model })
      return
    case 'tool-call': {
      const tool = optionalString(part.toolName) ?? 'tool'
      const input = part.input ?? part.args ?? {}
      return session.event(
        book.open({ ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input, model }),
      )
    }
    case 'tool-result': {
      const { files, ...result } = resultOf(part.output ?? part.result)
      session.event(book.close({ ...base, ...result, kind: 'tool_result', role: 'tool', call }))
      if (files.length > 0)
        session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
      return
    }
    case 'file':
    case 'image':
      return session.event({ ...base, kind: 'reply', role: 'assistant', text: partText(part), model })
    default:
      out.unknownType(`part ${asString(part.type)}`)
  }
}

interface CommunityResult {
  text: string
  error?: ToolError
  exit?: number
  files: FileChange[]
}

/**
 * `{type: "json", value: {success, output, error, diff}}`, `{type: "error-text", value: "…"}`, or
 * the value itself.
 */
function resultOf(output: Json | undefined): CommunityResult {
  const type = asString(asObject(output).type)
  if (type === 'execution-denied') return { text: asString(asObject(output).reason), error: 'denied', files: [] }
  const value = type && 'value' in asObject(output) ? asObject(output).value : output
  const { success, output: said, error, diff } = asObject(value)
  const isFailed = type.startsWith('error') || success === false
  const message =
    typeof value === 'string' ? value : isFailed ? (optionalString(error) ?? asString(said)) : asString(said)
  const exit = /\bexit(?:ed with)?(?: code)?:? (\d+)/i.exec(isFailed ? message : '')?.[1]
  return {
    text: message || contentOf(value),
    error: isFailed ? 'failed' : undefined,
    exit: exit === undefined ? undefined : Number(exit),
    files: isFailed ? [] : changedFile(asObject(diff)),
  }
}

function contentOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((part) => partText(asObject(part))).join('\n')
  return 'success' in asObject(value) ? '' : JSON.stringify(value ?? '')
}

function changedFile(diff: JsonObject): FileChange[] {
  const path = optionalString(diff.filePath)
  if (!path) return []
  const change = diff.isNew === true ? 'add' : 'update'
  return [{ path, change, added: asCount(diff.additions), removed: asCount(diff.removals) }]
}

function parts(content: Json | undefined): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asArray(content).map(asObject)
}

function partText(part: JsonObject): string {
  if (part.type === 'text') return asString(part.text)
  if (part.type !== 'image' && part.type !== 'file' && part.type !== 'media') return ''
  const data = optionalString(part.image) ?? optionalString(part.data) ?? ''
  return optionalString(part.filename)
    ? `[file ${part.filename}]`
    : imagePlaceholder(optionalString(part.mediaType), data)
}

/**
 * Costs come from the tool's own price list, in millionths of a dollar; zero means an unknown
 * price.
 */
function readUsage(row: JsonObject, session: string, out: SessionOutput): void {
  const cost = asUsd(row.cost_micros)
  out.usage({
    key: `${session}/usage/${row.id}`,
    ts: asIsoTime(row.created_at),
    model: optionalString(row.model) ?? null,
    input: asCount(row.input_tokens),
    cacheRead: 0,
    cacheWrite: 0,
    cacheWrite1h: 0,
    output: asCount(row.output_tokens),
    reasoning: 0,
    costUsd: cost ? cost / 1e6 : undefined,
  })
}
