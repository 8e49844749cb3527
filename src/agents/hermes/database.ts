// Reads state.db of Hermes (schema versions to 30, from its source). Columns were added by
// migrations, so missing ones are not selected. A compaction continues a conversation in the same
// session, with the old rows archived, or in a new one; both begin with copies of the last messages.
import type { Json, SessionDetails, Usage } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, hasRow, readChanged, withDatabase } from '../database.ts'
import {
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { readMessages } from './messages.ts'

/** Emits the sessions that changed since the last read; the memo holds the version of each. */
export function readDatabase(path: string, out: ReaderOutput, memo: Json | undefined): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const rows = new Map(sessionRows(database).map((row) => [asString(row.id), row]))
    const sessions = [...conversations(rows)].map(([id, chain]) => ({
      id,
      version: chain.map((row) => versionColumns.map((name) => String(row[name] ?? '')).join('/')).join('|'),
      read: () => readConversation(database, chain, rows, out),
    }))
    return readChanged(out, memo, sessions)
  })
  return versions ?? memo
}

export function holdsSession(path: string, session: string): boolean {
  return hasRow(path, 'SELECT 1 FROM sessions WHERE id = ?', session)
}

/** The others are chats with messengers, and jobs. */
export function isCodingSource(source: string): boolean {
  return /^(?:cli|tui|subagent)?$/.test(source)
}

const sessionColumns = `id source model model_config parent_session_id started_at ended_at end_reason input_tokens
  output_tokens cache_read_tokens cache_write_tokens reasoning_tokens cwd git_branch git_repo_root estimated_cost_usd
  actual_cost_usd cost_status title title_source`.split(/\s+/)
const versionColumns = `messages newest live ended_at end_reason title input_tokens output_tokens`.split(' ')

function sessionRows(database: ForeignDatabase): JsonObject[] {
  const known = database.columns('sessions')
  const ofMessages = database.columns('messages')
  if (!known.has('id') || !ofMessages.has('session_id')) return []
  const columns = [
    ...sessionColumns.filter((name) => known.has(name)).map((name) => `s.${name}`),
    '(SELECT count(*) FROM messages WHERE session_id = s.id) AS messages',
    '(SELECT max(id) FROM messages WHERE session_id = s.id) AS newest',
    ...(ofMessages.has('active') ? ['(SELECT sum(active) FROM messages WHERE session_id = s.id) AS live'] : []),
  ]
  return database
    .rows(
      `SELECT ${columns.join(', ')} FROM sessions s ORDER BY ${known.has('started_at') ? 's.started_at, ' : ''}s.id`,
    )
    .filter((row) => optionalString(row.id) && isCodingSource(asString(row.source)))
}

/** Sessions in the order of their conversations, each under the id of its first one. */
function conversations(rows: ReadonlyMap<string, JsonObject>): Map<string, JsonObject[]> {
  const chains = new Map<string, JsonObject[]>()
  for (const [id, row] of rows) {
    const first = firstOf(id, rows)
    chains.set(first, [...(chains.get(first) ?? []), row])
  }
  return chains
}

/** The session with which the conversation of a session began. */
function firstOf(id: string, rows: ReadonlyMap<string, JsonObject>): string {
  const seen = new Set([id])
  for (let first = id; ; seen.add(first)) {
    const before = continuedBy(rows.get(first), rows)
    if (!before || seen.has(before)) return first
    first = before
  }
}

/** The session that a compaction ended and this one continues. */
function continuedBy(row: JsonObject | undefined, rows: ReadonlyMap<string, JsonObject>): string | undefined {
  const parent = optionalString(row?.parent_session_id)
  if (!row || !parent || rows.get(parent)?.end_reason !== 'compression') return undefined
  const config = configOf(row)
  const isOther = row.source === 'subagent' || config._branched_from || config._reset_from || config._delegate_from
  return isOther ? undefined : parent
}

function configOf(row: JsonObject): JsonObject {
  return asObject(typeof row.model_config === 'string' ? parseJson(row.model_config) : row.model_config)
}

function readConversation(
  database: ForeignDatabase,
  chain: readonly JsonObject[],
  rows: ReadonlyMap<string, JsonObject>,
  out: ReaderOutput,
): void {
  const first = chain[0]!
  const native = asString(first.id)
  const origin = originOf(first, rows)
  const details = detailsOf(chain, origin && { ...origin, parent: firstOf(origin.parent, rows) })
  const source = origin?.kind === 'fork' ? messageRows(database, origin.parent) : []
  const messages: JsonObject[] = []
  for (const row of chain) {
    const own = messageRows(database, asString(row.id))
    const archived = own.filter(isArchived)
    const live = own.filter((message) => !isArchived(message))
    messages.push(...withoutCopies(archived, [...source, ...messages]))
    messages.push(...withoutCopies(live, [...source, ...messages]))
  }
  const usages = chain.flatMap(usageOf)
  if (messages.length === 0 && usages.length === 0) return
  const session = out.session(native)
  session.about(details)
  for (const usage of usages) session.usage(usage)
  const isSubagent = details.kind === 'subagent'
  readMessages(messages, { out, session, native, cwd: details.cwd, isSubagent })
}

interface Origin {
  kind: 'subagent' | 'fork'
  parent: string
}

function originOf(row: JsonObject, rows: ReadonlyMap<string, JsonObject>): Origin | undefined {
  const config = configOf(row)
  const parent = optionalString(row.parent_session_id)
  const caller = optionalString(config._delegate_from) ?? (row.source === 'subagent' ? parent : undefined)
  if (caller) return { kind: 'subagent', parent: caller }
  const isBranch = parent !== undefined && rows.get(parent)?.end_reason === 'branched'
  const source = optionalString(config._branched_from) ?? (isBranch ? parent : undefined)
  return source ? { kind: 'fork', parent: source } : undefined
}

function detailsOf(chain: readonly JsonObject[], origin: Origin | undefined): SessionDetails {
  const first = chain[0]!
  const latest = (name: string) => chain.map((row) => optionalString(row[name])).findLast(Boolean)
  return {
    kind: origin?.kind ?? (first.source === 'subagent' ? 'subagent' : undefined),
    parent: origin?.parent,
    cwd: latest('cwd') ?? optionalString(configOf(first).cwd),
    branch: latest('git_branch'),
    root: latest('git_repo_root'),
    title: latest('title'),
    titleRank: latest('title_source') === 'user' ? 4 : 3,
    model: latest('model'),
    started: asIsoTime(first.started_at) ?? undefined,
    ended: asIsoTime(chain.at(-1)!.ended_at) ?? undefined,
  }
}

/** Rows that are neither live nor archived by a compaction were rewound. */
function messageRows(database: ForeignDatabase, session: string): JsonObject[] {
  const known = database.columns('messages')
  const live = known.has('active') ? ` AND (active = 1${known.has('compacted') ? ' OR compacted = 1' : ''})` : ''
  return database.rows(`SELECT * FROM messages WHERE session_id = ?${live} ORDER BY id`, session)
}

function isArchived(message: JsonObject): boolean {
  return message.active === 0 && message.compacted === 1
}

/** The beginning that repeats earlier messages, except summaries, which are new. */
function withoutCopies(messages: readonly JsonObject[], earlier: readonly JsonObject[]): JsonObject[] {
  const known = new Set(earlier.map(contentOf))
  if (known.size === 0) return [...messages]
  const start = messages.findIndex((message) => !known.has(contentOf(message)) && !isInserted(message))
  const copied = start < 0 ? messages : messages.slice(0, start)
  const own = start < 0 ? [] : messages.slice(start)
  return [...copied.filter((message) => !known.has(contentOf(message))), ...own]
}

function contentOf({ role, content, tool_call_id: call, tool_calls: calls }: JsonObject): string {
  return JSON.stringify([role, content, call ?? null, calls ?? null])
}

/** A compaction puts its summary and the list of tasks between the copies. */
function isInserted({ content, display_kind: kind, _compressed_summary: summary }: JsonObject): boolean {
  return (
    Boolean(summary) ||
    kind === 'hidden' ||
    /^\[(?:CONTEXT (?:COMPACTION|SUMMARY)|Your active task list)/.test(asString(content))
  )
}

/** Totals of a session. A table of usage by model has the same tokens again. */
function usageOf(row: JsonObject): Usage[] {
  const output = asCount(row.output_tokens)
  const tokens = {
    input: asCount(row.input_tokens),
    cacheRead: asCount(row.cache_read_tokens),
    cacheWrite: asCount(row.cache_write_tokens),
    cacheWrite1h: 0,
    output,
    reasoning: Math.min(output, asCount(row.reasoning_tokens)),
  }
  if (Object.values(tokens).every((count) => count === 0)) return []
  const ts = asIsoTime(row.ended_at) ?? asIsoTime(row.started_at)
  // Zero is written for subscriptions and for models without a known price.
  const costUsd = asUsd(row.actual_cost_usd) || asUsd(row.estimated_cost_usd) || undefined
  return [{ key: `${asString(row.id)}/total`, ts, model: optionalString(row.model) ?? null, ...tokens, costUsd }]
}
