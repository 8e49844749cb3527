// Reads the two logs of a session: updates.jsonl, sorted by time, and events.jsonl, the only one
// that says why a tool did not run and how an unclosed turn ended.

import type { ToolError } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { readRecords } from '../files.ts'
import { asIsoTime, asObject, asString, fingerprint, type JsonObject, optionalString } from '../json-values.ts'

export interface Update {
  kind: string
  update: JsonObject
  /** Envelope: prompt, stream and event id. */
  meta: JsonObject
  id: string
  key: string
  ts: string | null
  /** Session that wrote the line first: a fork copies lines with their ids. */
  origin: string
  ms: number
  counter: number
}

export function readTimeline(path: string, session: string, out: ReaderOutput): Update[] {
  const updates = new Map<string, Update>()
  let before = { ms: 0, counter: 0 }
  for (const { record, offset } of readRecords(path, out)) {
    const params = 'params' in record ? asObject(record.params) : record // the oldest lines have no envelope
    const update = asObject(params.update)
    const kind = asString(update.sessionUpdate)
    if (!kind) out.unknownType('update without kind')
    else if (!ignoredUpdates.has(kind)) {
      const meta = asObject(params._meta)
      const place = positionOf(meta, record.timestamp, before)
      before = { ms: Math.max(before.ms, place.ms), counter: place.counter }
      const id = asString(meta.eventId)
      const key = keyOf(id, meta, update, `${session}/${offset}`)
      const ts = asIsoTime(meta.agentTimestampMs) ?? asIsoTime(record.timestamp)
      updates.set(key, { kind, update, meta, id, key, ts, origin: id.replace(/-\d+$/, '') || session, ...place })
    }
  }
  return [...updates.values()]
}

/**
 * Lines are not written in order. The counter of the event id restarts with every process that
 * resumes the session, so the clock decides first, then the counter within a millisecond.
 */
export function sortUpdates(updates: Update[]): Update[] {
  return updates.sort((a, b) => a.ms - b.ms || a.counter - b.counter)
}

/** A line without a time (a rewind marker) stays after the latest line before it. */
function positionOf(meta: JsonObject, written: JsonObject[string], before: { ms: number; counter: number }) {
  const counter = /-(\d+)$/.exec(asString(meta.eventId))?.[1]
  const seconds = typeof written === 'number' ? written * 1000 : 0
  const own = meta.agentTimestampMs
  return {
    ms: typeof own === 'number' && own > 0 ? own : Math.max(before.ms, seconds),
    counter: counter === undefined ? before.counter : Number(counter),
  }
}

/** The event id is not unique: the counter of a resumed session restarts. */
function keyOf(id: string, meta: JsonObject, update: JsonObject, place: string): string {
  const clock = typeof meta.agentTimestampMs === 'number' ? meta.agentTimestampMs : undefined
  if (id) return `${id}@${clock ?? fingerprint(JSON.stringify(update))}`
  // A rewind marker has neither, but a creation time, which a fork copies.
  return fingerprint(clock ?? optionalString(update.created_at) ?? place, JSON.stringify(update))
}

/** Display state and counters that repeat other updates. */
const ignoredUpdates = new Set(
  `plan available_commands_update current_mode_update config_option_update session_info_update usage_update
   tool_call_delta_chunk diff_review auto_compact_started auto_compact_cancelled auto_continue_completed
   memory_flush_started memory_flush_completed memory_dream_completed memory_session_saved memory_files
   feedback_request relay_sync_status session_status auto_recovery_started hook_annotation hooks_changed
   plugins_changed plugin_updates_installed session_recap session_recap_unavailable last_turn_summary
   subagent_progress subagent_permission_decision scheduled_task_created scheduled_task_fired scheduled_task_deleted
   monitor_event agent_changed image_compressed image_dropped workflow_updated goal_updated pending_interaction
   interaction_resolved response_started reasoning_completed response_completed background_tasks`.split(/\s+/),
)

/** The session that is being read. */
export interface GrokSession {
  out: ReaderOutput
  session: string
  isSubagent: boolean
}

interface LoggedTurn {
  start: number
  end: number
  outcome: string
  category: string
}

export interface TurnLog {
  /** Outcome of each tool call, by its id. */
  outcomes: Map<string, string>
  turns: LoggedTurn[]
}

export function readTurnLog(path: string, out: ReaderOutput): TurnLog {
  const journal: TurnLog = { outcomes: new Map(), turns: [] }
  let start = 0
  for (const { record } of readRecords(path, out)) {
    const at = Date.parse(asIsoTime(record.ts) ?? '') || 0
    if (record.type === 'turn_started') start = at
    if (record.type === 'tool_completed') journal.outcomes.set(asString(record.tool_call_id), asString(record.outcome))
    if (record.type === 'turn_ended') {
      const category = asString(record.cancellation_category)
      journal.turns.push({ start: start || at, end: at, outcome: asString(record.outcome), category })
      start = 0
    }
  }
  return journal
}

/** events.jsonl is written a little later than the update that closes the turn. */
const slackMs = 2000

export function turnAt(journal: TurnLog, ms: number): LoggedTurn | undefined {
  return journal.turns.find((turn) => ms >= turn.start && ms <= turn.end + slackMs)
}

/** Failed or cancelled turns without an end in the update log, as the missing update. */
export function unclosedTurns(journal: TurnLog, timeline: Update[], session: string): Update[] {
  const closed = new Set(
    timeline.filter((update) => update.kind === 'turn_completed').map((update) => turnAt(journal, update.ms)),
  )
  return journal.turns
    .filter((turn) => turn.end > 0 && /^(?:cancelled|error)$/.test(turn.outcome) && !closed.has(turn))
    .map((turn) => ({
      kind: 'turn_completed',
      update: { stop_reason: turn.outcome },
      meta: {},
      id: '',
      key: fingerprint(session, 'turn', turn.end),
      ts: asIsoTime(turn.end),
      origin: session,
      ms: turn.end,
      counter: Number.MAX_SAFE_INTEGER,
    }))
}

const errorsByOutcome = new Map<string, ToolError>([
  ['error', 'failed'],
  ['invalid_tool', 'failed'],
  ['permission_rejected', 'denied'],
  ['permission_timed_out', 'denied'],
  ['hook_denied', 'denied'],
  ['followup', 'denied'],
  ['permission_cancelled', 'interrupted'],
  ['cancelled', 'interrupted'],
])

export function toolError(journal: TurnLog, call: string): ToolError | undefined {
  return errorsByOutcome.get(journal.outcomes.get(call) ?? '')
}
