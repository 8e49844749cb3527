// superagent-ai/grok-cli (source of May 2026, schema version 3): an unrelated tool that keeps its sessions in ~/.grok/grok.db.
// Messages are those of the AI SDK.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { DocumentTranscript, Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { type ForeignDatabase, readChanged, withDatabase } from '../database.ts'
import { count, type Fields, fields, imagePlaceholder, list, money, named, parseJson, text, time } from '../values.ts'
import { personSaid } from './prompts.ts'

export function communityDatabase(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    also: [`${path}-wal`],
    read: (out, memo) => withDatabase(path, out, (database) => readDatabase(database, out, memo)),
  }
}

function readDatabase(database: ForeignDatabase, out: Out, memo: Json | undefined): Json {
  const sessions = sessionRows(database).map((row) => ({
    id: text(row.id),
    // Usage and compactions are added without touching the time of the session.
    version: [row.updated_at, row.messages, row.usages, row.compactions].join('/'),
    read: () => readSession(row, database, out),
  }))
  return readChanged(out, memo, sessions)
}

function sessionRows(database: ForeignDatabase): Fields[] {
  if (!database.columns('messages').has('message_json')) return []
  const amount = (table: string) =>
    database.columns(table).has('session_id') ? `(SELECT count(*) FROM ${table} WHERE session_id = s.id)` : '0'
  return database.rows(
    `SELECT s.*, ${amount('messages')} AS messages, ${amount('usage_events')} AS usages,
      ${amount('compactions')} AS compactions FROM sessions s ORDER BY s.created_at, s.id`,
  )
}

function readSession(row: Fields, database: ForeignDatabase, out: Out): void {
  const id = text(row.id)
  const session = out.session(id)
  session.about({
    cwd: named(row.cwd_at_start),
    title: named(row.title),
    titleRank: 3,
    model: named(row.model),
    version: 'grok-cli',
    started: time(row.created_at) ?? undefined,
  })
  const compactions = rowsOf(database, 'compactions', id, 'id')
  const book = callBook(undefined)
  for (const message of rowsOf(database, 'messages', id, 'seq')) {
    while (compactions.length > 0 && text(compactions[0]!.created_at) < text(message.created_at))
      session.event(compactionEvent(compactions.shift()!, id))
    readMessage(message, { session, id, model: named(row.model), book, out })
  }
  for (const compaction of compactions) session.event(compactionEvent(compaction, id))
  for (const usage of rowsOf(database, 'usage_events', id, 'id')) readUsage(usage, id, session)
}

function rowsOf(database: ForeignDatabase, table: string, session: string, order: string): Fields[] {
  if (!database.columns(table).has('session_id')) return []
  return database.rows(`SELECT * FROM ${table} WHERE session_id = ? ORDER BY ${order}`, session)
}

function compactionEvent(row: Fields, session: string): Event {
  const key = `${session}/compaction/${row.id}`
  const said = `${text(row.summary)}\n(${count(row.tokens_before)} tokens before)`
  return { id: '', key, kind: 'compaction', role: 'system', ts: time(row.created_at), text: said }
}

interface Reading {
  session: SessionOut
  id: string
  model: string | undefined
  book: CallBook
  out: Out
}

function readMessage(row: Fields, reading: Reading): void {
  const message = fields(parseJson(text(row.message_json)))
  const role = named(message.role) ?? text(row.role)
  const base = { id: '', key: `${reading.id}/${row.seq}`, ts: time(row.created_at) }
  if (role === 'user') {
    const { kind, text: said } = personSaid(parts(message.content).map(partText).filter(Boolean).join('\n'))
    if (said) reading.session.event({ ...base, kind, role: 'user', text: said })
  } else if (role === 'system') {
    const said = text(message.content)
    if (said) reading.session.event({ ...base, kind: 'context', role: 'system', text: said })
  } else if (role === 'assistant' || role === 'tool') {
    parts(message.content).forEach((part, index) => {
      readPart(part, { ...base, key: `${base.key}#${index}` }, reading)
    })
  } else reading.out.unknown(role || 'message without role')
}

function readPart(part: Fields, base: Pick<Event, 'id' | 'key' | 'ts'>, reading: Reading): void {
  const { session, book, model, out } = reading
  const call = named(part.toolCallId)
  switch (part.type) {
    case 'text':
      if (text(part.text).trim())
        session.event({ ...base, kind: 'reply', role: 'assistant', text: text(part.text), model })
      return
    case 'reasoning':
      if (text(part.text)) session.event({ ...base, kind: 'thinking', role: 'assistant', text: text(part.text), model })
      return
    case 'tool-call': {
      const tool = named(part.toolName) ?? 'tool'
      const input = part.input ?? part.args ?? {}
      return session.event(
        book.opened({ ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input, model }),
      )
    }
    case 'tool-result': {
      const { files, ...result } = resultOf(part.output ?? part.result)
      session.event(book.closed({ ...base, ...result, kind: 'tool_result', role: 'tool', call }))
      if (files.length > 0)
        session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
      return
    }
    case 'file':
    case 'image':
      return session.event({ ...base, kind: 'reply', role: 'assistant', text: partText(part), model })
    default:
      out.unknown(`part ${text(part.type)}`)
  }
}

interface Result {
  text: string
  error?: ToolError
  exit?: number
  files: FileChange[]
}

/** `{type: "json", value: {success, output, error, diff}}`, `{type: "error-text", value: "…"}`, or the value itself. */
function resultOf(output: Json | undefined): Result {
  const type = text(fields(output).type)
  if (type === 'execution-denied') return { text: text(fields(output).reason), error: 'denied', files: [] }
  const value = type && 'value' in fields(output) ? fields(output).value : output
  const { success, output: said, error, diff } = fields(value)
  const isFailed = type.startsWith('error') || success === false
  const message = typeof value === 'string' ? value : isFailed ? (named(error) ?? text(said)) : text(said)
  const exit = /\bexit(?:ed with)?(?: code)?:? (\d+)/i.exec(isFailed ? message : '')?.[1]
  return {
    text: message || contentOf(value),
    error: isFailed ? 'failed' : undefined,
    exit: exit === undefined ? undefined : Number(exit),
    files: isFailed ? [] : changedFile(fields(diff)),
  }
}

function contentOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((part) => partText(fields(part))).join('\n')
  return 'success' in fields(value) ? '' : JSON.stringify(value ?? '')
}

function changedFile(diff: Fields): FileChange[] {
  const path = named(diff.filePath)
  if (!path) return []
  const change = diff.isNew === true ? 'add' : 'update'
  return [{ path, change, added: count(diff.additions), removed: count(diff.removals) }]
}

function parts(content: Json | undefined): Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields)
}

function partText(part: Fields): string {
  if (part.type === 'text') return text(part.text)
  if (part.type !== 'image' && part.type !== 'file' && part.type !== 'media') return ''
  const data = named(part.image) ?? named(part.data) ?? ''
  return named(part.filename) ? `[file ${part.filename}]` : imagePlaceholder(named(part.mediaType), data)
}

/** The tool prices its usage by its own list, in millionths of a dollar; nought is a model that it has no price for. */
function readUsage(row: Fields, session: string, out: SessionOut): void {
  const cost = money(row.cost_micros)
  out.usage({
    key: `${session}/usage/${row.id}`,
    ts: time(row.created_at),
    model: named(row.model) ?? null,
    input: count(row.input_tokens),
    cacheRead: 0,
    cacheWrite: 0,
    cacheWrite1h: 0,
    output: count(row.output_tokens),
    reasoning: 0,
    costUsd: cost ? cost / 1e6 : undefined,
  })
}
