// Turns the update log into events: joins chunks and removes repetitions.
import type { Event } from '../../core/session.ts'
import { asArray, asCount, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { blockText, parseUserText } from './content.ts'
import type { GrokSession, Update } from './timeline.ts'
import { type TurnLog, turnAt } from './timeline.ts'
import { callEvent, collectCalls, editEvent, resultEvent, type UpdateCall, type UpdateCalls } from './tools.ts'
import { turnUsages } from './usage.ts'

interface UpdateState {
  place: GrokSession
  journal: TurnLog
  calls: UpdateCalls
  book: PendingCalls
  events: Event[]
  model: string | undefined
  /** Chunks of a message that was not emitted yet. */
  run: ChunkRun | undefined
  /** Calls without a result in the log. */
  open: Set<UpdateCall>
  /** For every prompt turn that was not rewound, the number of prompts before it. */
  turns: number[]
  prompts: number
  hasPromptIndex: boolean
  hasFailed: boolean
}

interface ChunkRun {
  kind: string
  group: string
  first: Update
  content: JsonObject[]
}

export function readUpdates(updates: Update[], journal: TurnLog, place: GrokSession): void {
  const reading: UpdateState = {
    place,
    journal,
    calls: collectCalls(updates),
    book: pendingCalls(undefined),
    events: [],
    model: undefined,
    run: undefined,
    open: new Set(),
    turns: [],
    prompts: 0,
    hasPromptIndex: false,
    hasFailed: false,
  }
  for (const update of updates) readUpdate(update, reading)
  flushRun(reading)
  const session = place.out.session(place.session)
  for (const event of reading.events) session.event(event)
  // The usage of a subagent is included in the turn of its parent.
  if (!place.isSubagent) for (const usage of turnUsages(updates, reading.model)) session.usage(usage)
  if (reading.model) session.about({ model: reading.model })
}

function readUpdate(update: Update, reading: UpdateState): void {
  const { update: value } = update
  switch (update.kind) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return addChunk(update, reading)
    case 'hook_execution':
      return readHooks(update, reading)
  }
  flushRun(reading)
  switch (update.kind) {
    case 'tool_call':
    case 'tool_call_update':
      return readTool(update, reading)
    case 'task_completed':
      return readTask(update, reading)
    case 'task_backgrounded':
      return
    case 'turn_completed':
      return readTurnEnd(update, reading)
    case 'rewind_marker':
      return readRewind(update, reading)
    case 'compaction_checkpoint':
    case 'auto_compact_completed':
      return readCompaction(update, reading)
    case 'retry_state':
      return value.type === 'retrying'
        ? undefined
        : emitError(update, asString(value.message) || asString(value.reason), reading)
    case 'auto_compact_failed':
    case 'auto_recovery_exhausted':
      return emitError(update, asString(value.error), reading)
    case 'model_changed':
    case 'model_auto_switched': {
      reading.model = optionalString(value.model_id) ?? optionalString(value.new_model_id) ?? reading.model
      return emitLifecycle(update, `Model changed to ${reading.model ?? 'another'}`, reading)
    }
    case 'subagent_spawned':
      return emitLifecycle(
        update,
        `Subagent started: ${asString(value.subagent_type)}: ${asString(value.description)}`,
        reading,
      )
    case 'subagent_finished': {
      const why = optionalString(value.error) ? `: ${asString(value.error)}` : ''
      return emitLifecycle(update, `Subagent ${asString(value.status) || 'finished'}${why}`, reading)
    }
    case 'session_summary_generated':
      return reading.place.out
        .session(reading.place.session)
        .about({ title: optionalString(value.session_summary), titleRank: 3 })
    default:
      reading.place.out.unknownType(update.kind)
  }
}

/** Chunks with the same kind, prompt and model stream belong together. */
function addChunk(update: Update, reading: UpdateState): void {
  const own = asObject(update.update._meta)
  if (own.hostTurn === true) return flushRun(reading) // text of the program that drives the agent
  const content = asObject(update.update.content)
  const isUser = update.kind === 'user_message_chunk'
  const group = isUser
    ? `${own.promptIndex ?? ''}/${asObject(content._meta).bash_command ?? ''}`
    : `${asString(update.meta.promptId)}/${update.meta.streamStartMs ?? ''}`
  const { run } = reading
  if (run && run.kind === update.kind && run.group === group) {
    run.content.push(content)
    return
  }
  flushRun(reading)
  reading.run = { kind: update.kind, group, first: update, content: [content] }
  if (!isUser) return
  reading.hasPromptIndex ||= typeof own.promptIndex === 'number'
  reading.model = optionalString(own.modelId) ?? reading.model
}

function flushRun(reading: UpdateState): void {
  const { run } = reading
  if (!run) return
  reading.run = undefined
  const said = joinChunks(run.content)
  if (run.kind === 'user_message_chunk') return readUserRun(run, said, reading)
  if (!said.trim()) return
  reading.events.push({
    ...baseOf(run.first),
    kind: run.kind === 'agent_thought_chunk' ? 'thinking' : 'reply',
    role: 'assistant',
    text: said,
    model: reading.model,
  })
}

/** Text chunks are concatenated; an image or file is on a line of its own. */
function joinChunks(content: JsonObject[]): string {
  const parts: string[] = []
  let isText = false
  for (const block of content) {
    const part = blockText(block)
    if (part === '') continue
    if (block.type === 'text' && isText) parts[parts.length - 1] += part
    else parts.push(part)
    isText = block.type === 'text'
  }
  return parts.join('\n')
}

function readUserRun(run: ChunkRun, said: string, reading: UpdateState): void {
  const own = asObject(run.first.update._meta)
  const shown = asObject(run.content[0]?._meta)
  const event = { ...baseOf(run.first), role: 'user' as const }
  const shell = optionalString(shown.bash_command)
  if (shell) {
    reading.events.push({ ...event, kind: 'shell', text: shell })
    return
  }
  // Before the first prompt index every message is a turn; later, messages without one steer the
  // current turn.
  if (!reading.hasPromptIndex || typeof own.promptIndex === 'number') reading.turns.push(reading.prompts)
  if (!said.trim()) return
  const isMachine = reading.place.isSubagent || own.hideFromScrollback === true || shown.displayAsCron === true
  const person = parseUserText(optionalString(shown.displayText) ?? said)
  const kind = isMachine ? 'context' : shown.displayAsSkill === true ? 'command' : person.kind
  reading.events.push({ ...event, kind, text: person.text })
  if (kind === 'prompt') reading.prompts++
  reading.hasFailed = false
}

function readTool(update: Update, reading: UpdateState): void {
  const opened = reading.calls.opening.get(update)
  if (opened) {
    reading.events.push(reading.book.open(callEvent(opened, reading.model)))
    reading.open.add(opened)
  }
  const closed = reading.calls.closing.get(update)
  if (closed) closeCall(closed, update, reading)
}

function closeCall(call: UpdateCall, at: Update, reading: UpdateState): void {
  reading.open.delete(call)
  const result = resultEvent(call, reading.journal, at)
  reading.events.push(reading.book.close(result))
  const edit = result.error ? undefined : editEvent(call)
  if (edit) reading.events.push(edit)
}

function readTask(update: Update, reading: UpdateState): void {
  const call = reading.calls.closing.get(update)
  if (call) return closeCall(call, update, reading)
  const task = asObject(update.update.task_snapshot)
  const exit = typeof task.exit_code === 'number' ? ` with exit code ${task.exit_code}` : ''
  const said = `Background task ended${exit}: ${asString(task.command)}\n${asString(task.output)}`.trim()
  reading.events.push({ ...baseOf(update), kind: 'context', role: 'system', text: said })
}

/** Cancellations that the user did not cause. */
const automatic = /hook|max_turns|budget|timeout/

function readTurnEnd(update: Update, reading: UpdateState): void {
  const reason = asString(update.update.stop_reason).toLowerCase()
  const category = turnAt(reading.journal, update.ms)?.category ?? ''
  const isStopped = reason === 'cancelled' && !automatic.test(category)
  for (const call of reading.open) {
    const error = isStopped ? 'interrupted' : reason === 'cancelled' ? 'cancelled' : undefined
    const result = resultEvent(call, reading.journal, update, reading.journal.outcomes.has(call.id) ? undefined : error)
    // Without an outcome the call may still run in the background.
    if (!result.error || call.closed) continue
    reading.open.delete(call)
    reading.events.push(reading.book.close(result))
  }
  if (isStopped)
    reading.events.push({ ...baseOf(update), kind: 'interrupt', role: 'user', text: category || 'cancelled' })
  else if (/error|fail|refus/.test(reason)) {
    if (!reading.hasFailed) emitError(update, asString(update.update.agent_result) || `Turn ended: ${reason}`, reading)
  } else if (reason && reason !== 'end_turn') emitLifecycle(update, `Turn ended: ${category || reason}`, reading)
}

/** The abandoned branch stays in the log; the marker says how many turns remain. */
function readRewind(update: Update, reading: UpdateState): void {
  const target = update.update.target_prompt_index
  const before = typeof target === 'number' ? reading.turns[target] : undefined
  const undoes = before === undefined ? 0 : reading.prompts - before
  if (before !== undefined) {
    reading.prompts = before
    reading.turns.length = target as number
  }
  reading.events.push({
    ...baseOf(update),
    ts: asIsoTime(update.update.created_at) ?? update.ts,
    kind: 'lifecycle',
    role: 'system',
    text: `Rewound to before prompt ${asCount(target) + 1}`,
    undoes: undoes > 0 ? undoes : undefined,
  })
}

/** A compaction writes a checkpoint and a notice, in either order. */
function readCompaction(update: Update, reading: UpdateState): void {
  const { tokens_before, tokens_after, summary_preview } = update.update
  const sizes =
    asCount(tokens_after) > 0 ? `, ${asCount(tokens_before)} tokens before, ${asCount(tokens_after)} after` : ''
  const said = `Conversation compacted${sizes}${optionalString(summary_preview) ? `: ${asString(summary_preview)}` : ''}`
  const last = reading.events.at(-1)
  if (last?.kind !== 'compaction') {
    reading.events.push({ ...baseOf(update), kind: 'compaction', role: 'system', text: said })
  } else if (said.length > last.text.length) last.text = said
}

/** Successful hooks are ignored; a failed or blocking one changed what the agent did. */
function readHooks(update: Update, reading: UpdateState): void {
  const troubles = asArray(update.update.runs).flatMap((run) => {
    const { name, status } = asObject(run)
    const { error, detail } = asObject(status)
    const why = optionalString(error) ?? optionalString(detail)
    return why ? [`${asString(update.update.event_name)} hook ${asString(name)}: ${why}`] : []
  })
  if (troubles.length === 0) return
  flushRun(reading)
  reading.events.push({ ...baseOf(update), kind: 'context', role: 'system', text: troubles.join('\n') })
}

function emitError(update: Update, said: string, reading: UpdateState): void {
  reading.hasFailed = true
  reading.events.push({ ...baseOf(update), kind: 'error', role: 'system', text: said })
}

function emitLifecycle(update: Update, said: string, reading: UpdateState): void {
  reading.events.push({ ...baseOf(update), kind: 'lifecycle', role: 'system', text: said })
}

function baseOf({ id, key, ts }: Update): Pick<Event, 'id' | 'key' | 'ts'> {
  return { id, key, ts }
}
