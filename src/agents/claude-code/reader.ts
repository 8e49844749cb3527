// Dispatches the records of a transcript by type, and reads system records and titles.
import type { Event, Json } from '../../core/session.ts'
import type { LogReader } from '../agent.ts'
import { asArray, asCount, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { readAssistant } from './assistant.ts'
import { commandText, readAttachment, readUser } from './prompts.ts'
import {
  type ClaudeState,
  createState,
  isForked,
  type RecordSession,
  saveState,
  sessionOfRecord,
  setBounded,
  subagentSession,
  type TranscriptSource,
} from './state.ts'
import { baseOf } from './tools.ts'

export function openTranscript(source: TranscriptSource, state: Json | undefined): LogReader {
  const { path, out } = source
  const reading = createState(source, state)
  if (state === undefined && reading.isSubagent) reading.isCopy = isForked(path)
  return {
    record(record) {
      reading.session ||= subagentSession(record, path)
      if (!reading.session) return out.unknownType('subagent record that names no session')
      readRecord(record, reading)
    },
    state: () => saveState(reading),
  }
}

function readRecord(raw: JsonObject, reading: ClaudeState): void {
  const record = withMessage(raw)
  const type = typeOf(record)
  switch (type) {
    case 'user':
      return readUser(record, sessionOfRecord(record, reading), reading)
    case 'assistant':
      return readAssistant(record, sessionOfRecord(record, reading), reading)
    case 'system':
      return readSystem(record, sessionOfRecord(record, reading), reading)
    case 'attachment':
      return readAttachment(record, sessionOfRecord(record, reading), reading)
    case 'summary':
      return readSummary(record, reading)
    case 'agent-name':
      return describeTitle(reading, asString(record.agentName), 2)
    case 'ai-title':
      return describeTitle(reading, asString(record.aiTitle), 3)
    case 'custom-title':
      return describeTitle(reading, asString(record.customTitle), 4)
    case 'pr-link':
      return emitLifecycle(reading, optionalString(record.prUrl), 'Pull request', record)
    case 'continued-in':
      return emitLifecycle(reading, optionalString(record.continuedInSessionId), 'Continued in session', record)
    case 'ended-by-model':
      return emitLifecycle(reading, 'the model', 'Ended by', record)
    case 'fork-context-ref': // later versions refer to the parent's records instead of copying them
      reading.isCopy = false
      return
    case 'cost-state': {
      const usage = reading.compactionUsage.totals(record)
      if (usage) reading.out.session(reading.session).usage(usage)
      return
    }
    case 'derived-from':
      return readOrigin(record, reading)
    case 'relocated':
      return relocate(reading, optionalString(record.relocatedCwd))
    default:
      readOther(record, type, reading)
  }
}

function readOther(record: JsonObject, type: string, reading: ClaudeState): void {
  const { records = {}, ignored = [] } = reading.dialect
  if (Object.hasOwn(records, type)) return records[type]!(record, reading)
  if (!ignoredTypes.has(type) && !ignored.includes(type) && !type.startsWith('artifact-'))
    reading.out.unknownType(type || 'record without type')
}

/** Transcripts of other programs in this format have role and content in the record itself. */
function withMessage(record: JsonObject): JsonObject {
  const { type, message, role, content } = record
  return type === undefined && message === undefined && role !== undefined
    ? { ...record, message: { role, content: content ?? null } }
    : record
}

/** Very old versions have no type beside the message. */
function typeOf(record: JsonObject): string {
  return asString(record.type) || asString(asObject(record.message).role)
}

/** Names the sessions that this one was made from, and how (bundle of 2.1.325). */
function readOrigin(record: JsonObject, { out, session }: ClaudeState): void {
  const source = asArray(record.sessions)
    .map(asObject)
    .find(({ via }) => via === 'branch')
  const parent = optionalString(source?.id)
  if (parent && parent !== session) out.session(session).about({ kind: 'fork', parent })
}

/** Internal state that repeats what the chain records contain, seen to 2.1.325. */
const ignoredTypes = new Set(
  `progress last-prompt mode permission-mode file-history-snapshot file-history-delta queue-operation agent-color
   agent-setting tag worktree-state content-replacement bridge-session frame-link atis-latch
   api-request api-request-shape api-request-blob tools-used started launched result failed resume-head-vouch
   memory-mode history-suppression session-owner isolation-latch data-flow-records observer-ref dev-mods`.split(/\s+/),
)

/** A summary names the record at which it was made, and is often in the file of another session. */
function readSummary(record: JsonObject, reading: ClaudeState): void {
  const leaf = asString(record.leafUuid)
  if (reading.seen.has(leaf.slice(0, 8))) return describeTitle(reading, asString(record.summary), 1)
  setBounded(reading.summaries, leaf, asString(record.summary), 20)
}

/** Titles are repeated with every prompt. */
function describeTitle(reading: ClaudeState, value: string, titleRank: number): void {
  if (!value || reading.titles.get(titleRank) === value) return
  reading.titles.set(titleRank, value)
  reading.out.session(reading.session).about({ title: value, titleRank })
}

/** Such records are repeated, so the key is made of the session and the content. */
function emitLifecycle(reading: ClaudeState, what: string | undefined, words: string, record: JsonObject): void {
  if (!what) return
  reading.out.session(reading.session).event({
    id: '',
    key: `${reading.session}/${words}/${what}`,
    kind: 'lifecycle',
    role: 'system',
    ts: asIsoTime(record.timestamp),
    text: `${words} ${what}`,
  })
}

function relocate(reading: ClaudeState, cwd: string | undefined): void {
  if (!cwd) return
  reading.folders.set(reading.session, cwd)
  reading.out.session(reading.session).about({ cwd })
}

function readSystem(record: JsonObject, { session, native }: RecordSession, reading: ClaudeState): void {
  if (reading.isCopy) return
  const subtype = asString(record.subtype)
  const said = asString(record.content)
  const tell = (kind: Event['kind'], words: string, more: Partial<Event> = {}) => {
    const base = baseOf(record, native)
    if (words) session.event({ ...base, key: `${base.key}#0`, kind, role: 'system', text: words, ...more })
  }
  switch (subtype) {
    case 'compact_boundary':
      reading.isCompacting = true
      session.usage(
        reading.compactionUsage.compaction(`${asString(record.uuid)}/compaction`, asIsoTime(record.timestamp)),
      )
      return tell('compaction', `${said || 'Conversation compacted'} (${compactionFacts(record)})`, keptBy(record))
    case 'microcompact_boundary': // removes tool output only
      return tell('lifecycle', said || 'Old tool output dropped')
    case 'local_command':
      if (said.startsWith('<command-name>')) return tell('command', commandText(said), { role: 'user' })
      return tell('context', said)
    case 'api_error':
    case 'error':
      return tell('error', serviceError(record))
    case 'api_refusal':
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback': {
      const retracted = asArray(record.retractedMessageUuids).map(asString)
      return tell('error', said || 'The model refused', retracted.length > 0 ? { replaces: retracted } : {})
    }
    case 'away_summary':
    case 'informational':
    case 'memory_saved':
    case 'agents_killed':
    case 'permission_retry':
    case 'scheduled_task_fire':
      return tell('context', said)
    default:
      if (!ignoredSubtypes.has(subtype)) reading.out.unknownType(`system/${subtype || 'without subtype'}`)
  }
}

/** Durations, hook counts and status lines; no part of the conversation. */
const ignoredSubtypes = new Set(['turn_duration', 'stop_hook_summary', 'bridge_status', 'session_start'])

/** Since 2.1 the latest messages may stay behind the summary. */
function keptBy(record: JsonObject): Partial<Event> {
  const { preservedMessages, preservedSegment } = asObject(record.compactMetadata)
  const [first = asObject(preservedSegment).headUuid] = asArray(asObject(preservedMessages).uuids)
  const keepsFrom = optionalString(first)
  return keepsFrom ? { keepsFrom } : {}
}

function compactionFacts(record: JsonObject): string {
  const { trigger, preTokens, postTokens } = asObject(record.compactMetadata)
  const facts = [optionalString(trigger) ?? 'auto']
  if (asCount(preTokens)) facts.push(`${asCount(preTokens)} tokens before`)
  if (asCount(postTokens)) facts.push(`${asCount(postTokens)} after`)
  return facts.join(', ')
}

/** The service's error message. Its headers are left out: they name the account's organisation. */
function serviceError(record: JsonObject): string {
  const error = asObject(record.error)
  const inner = asObject(asObject(error.error).error)
  const words =
    optionalString(inner.message) ??
    optionalString(error.formatted) ??
    optionalString(error.message) ??
    optionalString(asObject(error.connection).message) ??
    optionalString(record.content) ??
    'The model service failed'
  const attempt = asCount(record.retryAttempt)
  const status = asCount(error.status)
  return [
    status ? `${status} ${words}` : words,
    attempt ? ` (attempt ${attempt}${asCount(record.maxRetries) ? ` of ${asCount(record.maxRetries)}` : ''})` : '',
  ].join('')
}
