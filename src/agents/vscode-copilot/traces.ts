// The trace database of Copilot Chat (seen in 1.119; its setting is off by default): a span for every
// turn of an agent, call of a model, tool and hook. It keeps 100 sessions for seven days. Turns repeat
// the tokens of their calls, so only those of calls are counted. Calls for titles and status lines
// belong to no session.
import { existsSync } from 'node:fs'
import type { Json, Usage } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, rowsAt, withDatabase } from '../database.ts'
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
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { changesOf, inputOf, isConfirmed, outcomeOf, treeText } from './tools.ts'

export interface ChatSpan {
  id: string
  ts: string
  model: string | null
  tokens: Omit<Usage, 'key' | 'ts' | 'model'>
}

/** Returns the calls of a conversation, which has one or more ids, in order. */
export type TraceIndex = (sessions: string[]) => ChatSpan[]

/** The database is read once, and only if a session has changed. */
export function traceIndex(path: string): TraceIndex {
  let bySession: Map<string, ChatSpan[]> | undefined
  return (sessions) => {
    bySession ??= existsSync(path) ? spansBySession(path) : new Map()
    const spans = sessions.flatMap((session) => bySession!.get(session) ?? [])
    return spans.sort((a, b) => (a.ts < b.ts ? -1 : 1))
  }
}

function spansBySession(path: string): Map<string, ChatSpan[]> {
  const found = new Map<string, ChatSpan[]>()
  const rows = rowsAt(path, "SELECT * FROM spans WHERE operation_name = 'chat' AND chat_session_id IS NOT NULL")
  for (const row of rows) {
    const session = asString(row.chat_session_id)
    if (!found.get(session)?.push(spanOf(row))) found.set(session, [spanOf(row)])
  }
  return found
}

/** Cached tokens are a part of the input. */
function spanOf(row: JsonObject): ChatSpan {
  const cacheRead = asCount(row.cached_tokens)
  const input = Math.max(0, asCount(row.input_tokens) - cacheRead)
  const [output, reasoning] = [asCount(row.output_tokens), asCount(row.reasoning_tokens)]
  return {
    id: asString(row.span_id),
    ts: asIsoTime(row.start_time_ms) ?? '',
    model: optionalString(row.response_model) ?? optionalString(row.request_model) ?? null,
    tokens: { input, cacheRead, cacheWrite: 0, cacheWrite1h: 0, output, reasoning },
  }
}

/**
 * Sessions of which nothing else is on this machine: the chat session of a remote window is with its
 * screen, and only the latest transcripts are kept.
 */
export function traceTranscript(path: string, known: ReadonlySet<string>): DocumentTranscript {
  return {
    shape: 'document',
    path,
    also: [`${path}-wal`],
    read: (out, memo) => withDatabase(path, out, (database) => readTraces(database, known, out, memo)) ?? memo,
  }
}

function readTraces(
  database: ForeignDatabase,
  known: ReadonlySet<string>,
  out: ReaderOutput,
  memo: Json | undefined,
): Json {
  if (!database.columns('spans').has('chat_session_id')) return {}
  const rows = database.rows(
    `SELECT chat_session_id AS id, count(*) AS spans, max(end_time_ms) AS ended FROM spans
     WHERE chat_session_id IS NOT NULL GROUP BY chat_session_id ORDER BY chat_session_id`,
  )
  const sessions = rows
    .filter((row) => !known.has(asString(row.id)))
    .map((row) => ({
      id: asString(row.id),
      version: `${asCount(row.spans)}/${asCount(row.ended)}`,
      read: () => readTraced(database, asString(row.id), out),
    }))
  return readChanged(out, memo, sessions)
}

function readTraced(database: ForeignDatabase, id: string, out: ReaderOutput): void {
  const session = out.session(id)
  const calls = pendingCalls(undefined)
  const spans = database.rows('SELECT * FROM spans WHERE chat_session_id = ? ORDER BY start_time_ms, span_id', id)
  for (const span of spans) {
    const attributes = database.rows('SELECT key, value FROM span_attributes WHERE span_id = ?', asString(span.span_id))
    const about = Object.fromEntries(attributes.map(({ key, value }) => [asString(key), asString(value)]))
    readSpan(span, about, { session, calls, out })
  }
}

interface TraceContext {
  session: SessionOutput
  calls: PendingCalls
  out: ReaderOutput
}

function readSpan(span: JsonObject, about: Record<string, string>, context: TraceContext): void {
  const { session, out } = context
  const id = asString(span.span_id)
  const base = { id, key: id, ts: asIsoTime(span.start_time_ms) }
  const operation = asString(span.operation_name)
  switch (operation) {
    case 'invoke_agent': {
      session.about({
        branch: optionalString(about['copilot_chat.repo.head_branch_name']),
        remote: optionalString(about['copilot_chat.repo.remote_url']),
      })
      const text = about['copilot_chat.user_request'] ?? ''
      const isTyped = !optionalString(span.parent_span_id)
      if (text) session.event({ ...base, kind: isTyped ? 'prompt' : 'context', role: 'user', text })
      return
    }
    case 'chat': {
      const { ts, model, tokens } = spanOf(span)
      const said = { ...base, role: 'assistant', model: model ?? undefined } as const
      session.about({ model: said.model })
      session.usage({ key: id, ts, model, ...tokens })
      const text = answerText(about['gen_ai.output.messages'] ?? '')
      if (text) session.event({ ...said, kind: 'reply', text })
      return
    }
    case 'execute_tool':
      return readTool(span, about, context)
    case 'execute_hook':
      return
    default:
      out.unknownType(`span ${operation || 'without operation'}`)
  }
}

function answerText(source: string): string {
  return asArray(parseJson(source))
    .flatMap((message) => asArray(asObject(message).parts).map(asObject))
    .map((part) => (part.type === 'text' ? asString(part.content) : ''))
    .join('')
    .trim()
}

/** The editor's own calls, such as reading the list of tasks, have no id. */
function readTool(span: JsonObject, about: Record<string, string>, { session, calls }: TraceContext): void {
  const call = optionalString(span.tool_call_id)
  const tool = optionalString(span.tool_name)
  if (!call || !tool) return
  const id = asString(span.span_id)
  const input = inputOf(about['gen_ai.tool.call.arguments'])
  const made = { id, key: id, ts: asIsoTime(span.start_time_ms), call, tool }
  session.event(calls.open({ ...made, kind: 'tool_call', role: 'assistant', text: '', input }))
  const printed = about['gen_ai.tool.call.result'] ?? ''
  const outcome = outcomeOf(treeText(asObject(parseJson(printed)).node).trim() || printed, undefined)
  const done = { ...made, ts: asIsoTime(span.end_time_ms), role: 'tool' } as const
  const error = span.status_code === 2 ? 'failed' : outcome.error
  session.event(calls.close({ ...done, key: `${id}/result`, kind: 'tool_result', ...outcome, error }))
  const files = error || !isConfirmed(outcome.text) ? [] : changesOf(tool, input, undefined)
  if (files.length > 0) session.event({ ...done, key: `${id}/edit`, kind: 'edit', text: '', files })
}
