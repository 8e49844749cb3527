// Reads a rollout: lines `{timestamp, type, payload}` since September 2025, before that a header
// and bare items.
import type { Json } from '../../core/session.ts'
import type { LogReader, ReaderOutput } from '../agent.ts'
import { asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { inheritedTotals, isCopied, revertedPrompts, startCopy, timeOfId } from './lineage.ts'
import { flushMessages } from './prompts.ts'
import { itemTypes, readAgentMessage, readEvent, readItem } from './records.ts'
import { rolloutFile } from './rollout-files.ts'
import { type CodexThread, emit, openThread, saveThread, sessionOf } from './state.ts'
import { readServiceTier, readUsageRecord, startTotalsAt } from './usage.ts'

export function openRollout(path: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const thread = openThread(path, out, state)
  return {
    record(record) {
      const type = asString(record.type)
      const known = record.payload === undefined ? readBare(thread, record, type) : readLine(thread, record, type)
      if (!known) out.unknownType(nameOf(record, type))
    },
    state: () => saveThread(thread),
  }
}

function nameOf(record: JsonObject, type: string): string {
  const payload = asObject(record.payload)
  const inner = [asString(payload.type), asString(asObject(payload.item).type)].filter((name) => name !== '').join('/')
  if (type === '') return 'record without type'
  if (type !== 'response_item' && type !== 'event_msg') return type
  return inner ? `${type}/${inner}` : `${type} without type`
}

function readLine(thread: CodexThread, record: JsonObject, type: string): boolean {
  const payload = asObject(record.payload)
  const ts = asIsoTime(record.timestamp)
  if (isCopied(thread, type, payload)) return true
  switch (type) {
    case 'response_item':
      return readItem(thread, payload, asObject(record.metadata), ts)
    case 'event_msg':
      if (payload.type === 'task_started' || payload.type === 'turn_started') startTurn(thread, payload)
      return readEvent(thread, payload, ts)
    case 'turn_context':
      readTurnContext(thread, payload)
      return true
    case 'session_meta':
      readHeader(thread, payload, ts)
      return true
    case 'compacted':
      readCompacted(thread, payload, ts)
      return true
    case 'token_usage_record':
      readUsageRecord(thread, payload, ts)
      return true
    case 'inter_agent_communication':
      readAgentMessage(thread, payload, ts)
      return true
    default:
      return ignoredLines.has(type)
  }
}

const ignoredLines = new Set(['world_state', 'retained_context', 'security_risk_score', 'realtime_item'])

/** The summary is empty if the model service made it. */
function readCompacted(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  flushMessages(thread)
  emit(thread, { kind: 'compaction', role: 'system', ts, text: asString(payload.message) || 'Context compacted' })
}

/**
 * To September 2025: a header `{id, timestamp, instructions, git}`, then items; no time, no model,
 * no tokens.
 */
function readBare(thread: CodexThread, record: JsonObject, type: string): boolean {
  if (record.record_type === 'state') return true
  if (type === '' && record.id !== undefined && record.timestamp !== undefined) {
    readHeader(thread, record, asIsoTime(record.timestamp))
    return true
  }
  if (!itemTypes.has(type)) return false
  const known = readItem(thread, record, {}, asIsoTime(record.timestamp))
  // Such a file has no events, so messages need no confirmation.
  flushMessages(thread)
  return known
}

/**
 * `session_meta`, or the bare header line of 2025. Only the first one counts: copies and resumed
 * files contain more.
 */
function readHeader(thread: CodexThread, meta: JsonObject, ts: string | null): void {
  if (thread.hasHeader) return readSecondHeader(thread, meta)
  thread.hasHeader = true
  thread.id ||= asString(meta.id)
  const lineage = lineageOf(meta)
  const git = asObject(meta.git)
  thread.isSubagent = lineage.kind === 'subagent'
  thread.cwd = asString(meta.cwd)
  thread.madeAt = timeOfId(thread.id) ?? (Date.parse(asIsoTime(meta.timestamp) ?? ts ?? '') || 0)
  sessionOf(thread).about({
    ...lineage,
    cwd: optionalString(meta.cwd),
    branch: optionalString(git.branch),
    remote: optionalString(git.repository_url),
    version: optionalString(meta.cli_version),
    started: asIsoTime(meta.timestamp) ?? ts ?? undefined,
    ...(thread.isSubagent ? subagentTitle(meta) : {}),
  })
  const base = asObject(meta.history_base)
  if (optionalString(base.thread_id)) return readBase(thread, base, ts)
  if (lineage.parent) startCopy(thread, lineage.parent)
}

/** Forks to the end of 2025 do not name their origin, but contain its header. */
function readSecondHeader(thread: CodexThread, meta: JsonObject): void {
  const origin = asString(meta.id)
  if (!origin || origin === thread.id || thread.copy || thread.turn) return
  if (!thread.isSubagent) sessionOf(thread).about({ kind: 'fork', parent: origin })
  startCopy(thread, origin)
}

interface Lineage {
  kind?: 'subagent' | 'fork'
  parent?: string
}

function lineageOf(meta: JsonObject): Lineage {
  const source = asObject(meta.source)
  const spawn = asObject(asObject(source.subagent).thread_spawn)
  const origin = optionalString(meta.forked_from_id)
  const above = optionalString(meta.parent_thread_id) ?? optionalString(spawn.parent_thread_id)
  const root = optionalString(meta.session_id)
  const isUnderRoot = root !== undefined && root !== meta.id && !origin
  const isSubagent =
    above !== undefined ||
    source.subagent !== undefined ||
    source.internal !== undefined ||
    meta.thread_source === 'subagent' ||
    meta.thread_source === 'memory_consolidation' ||
    isUnderRoot
  if (isSubagent) return { kind: 'subagent', parent: above ?? origin ?? (isUnderRoot ? root : undefined) }
  return origin ? { kind: 'fork', parent: origin } : {}
}

function subagentTitle(meta: JsonObject): { title?: string; titleRank?: number } {
  const spawn = asObject(asObject(asObject(meta.source).subagent).thread_spawn)
  const role =
    optionalString(meta.agent_role) ??
    optionalString(spawn.agent_role) ??
    optionalString(asObject(meta.source).subagent)
  const nickname = optionalString(meta.agent_nickname) ?? optionalString(spawn.agent_nickname)
  const title = [role, nickname].filter(Boolean).join(': ')
  return title ? { title, titleRank: 3 } : {}
}

/**
 * Since about July 2026 a fork names the rollout and point from which it continues; so does a
 * reverted thread.
 */
function readBase(thread: CodexThread, base: JsonObject, ts: string | null): void {
  startTotalsAt(thread, inheritedTotals(thread.path, base))
  const undoes = revertedPrompts(thread.path, base)
  if (undoes === undefined) return
  emit(thread, {
    key: `${rolloutFile(thread.path).rollout}/revert`,
    kind: 'lifecycle',
    role: 'system',
    ts,
    text: 'Thread reverted to an earlier point',
    undoes: undoes || undefined,
  })
}

function readTurnContext(thread: CodexThread, payload: JsonObject): void {
  startTurn(thread, payload)
  readServiceTier(thread, payload)
  const model = optionalString(payload.model)
  const cwd = optionalString(payload.cwd)
  if (model === undefined && cwd === undefined) return
  if ((model ?? thread.model) === thread.model && (cwd ?? thread.cwd) === thread.cwd) return
  thread.model = model ?? thread.model
  // A session belongs to the folder in which it started, even if later turns run elsewhere.
  sessionOf(thread).about({ model, cwd: thread.cwd ? undefined : cwd })
  thread.cwd = cwd ?? thread.cwd
}

function startTurn(thread: CodexThread, payload: JsonObject): void {
  const turn = optionalString(payload.turn_id)
  if (turn) thread.turn = turn
}
