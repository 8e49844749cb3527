// Reads tool calls of the update log: a call has several updates, and only the last one has the
// outcome.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import { linesOf } from '../file-changes.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { contentText, outputText } from './content.ts'
import type { Update } from './timeline.ts'
import { type TurnLog, toolError } from './timeline.ts'

export interface UpdateCall {
  id: string
  tool: string
  input: Json
  /** Kind in the protocol: edit, delete, move, execute, … */
  kind: string
  status: string
  content: Json[]
  output: Json | undefined
  locations: Json[]
  opened: Update
  closed: Update | undefined
}

export interface UpdateCalls {
  /** The call that an update begins or ends. */
  opening: Map<Update, UpdateCall>
  closing: Map<Update, UpdateCall>
}

export function collectCalls(updates: Update[]): UpdateCalls {
  const calls: UpdateCall[] = []
  const latest = new Map<string, UpdateCall>()
  const tasks = new Map<string, string>() // background task -> tool call
  for (const update of updates) {
    if (update.kind === 'task_backgrounded')
      tasks.set(asString(update.update.task_id), asString(update.update.tool_call_id))
    if (update.kind === 'task_completed') closeTask(update, latest, tasks)
    if (update.kind !== 'tool_call' && update.kind !== 'tool_call_update') continue
    const id = asString(update.update.toolCallId)
    let call = latest.get(id)
    if (!call || (update.kind === 'tool_call' && call.closed)) {
      call = newCall(id, update)
      latest.set(id, call)
      calls.push(call)
    }
    addPiece(call, update)
  }
  return {
    opening: new Map(calls.map((call) => [call.opened, call])),
    closing: new Map(calls.flatMap((call) => (call.closed ? [[call.closed, call] as const] : []))),
  }
}

function newCall(id: string, opened: Update): UpdateCall {
  return {
    id,
    tool: '',
    input: {},
    kind: '',
    status: '',
    content: [],
    output: undefined,
    locations: [],
    opened,
    closed: undefined,
  }
}

function addPiece(call: UpdateCall, piece: Update): void {
  const { update } = piece
  const isFinal = /^(?:completed|failed|cancelled)$/.test(asString(update.status))
  if (call.closed && !isFinal) return // a late progress update has less than the result
  const native = asObject(asObject(update._meta)['x.ai/tool'])
  call.tool =
    optionalString(native.name) ??
    (call.tool || optionalString(update.title) || optionalString(asObject(update.rawInput).variant) || 'tool')
  call.kind = optionalString(update.kind) ?? (call.kind || asString(native.kind))
  // The first update has the model's arguments; later ones repeat them with a variant name.
  if (Object.keys(asObject(call.input)).length === 0) call.input = update.rawInput ?? {}
  if (asArray(update.content).length > 0) call.content = asArray(update.content)
  if (asArray(update.locations).length > 0) call.locations = asArray(update.locations)
  if (update.rawOutput != null) call.output = update.rawOutput
  if (!isFinal) return
  call.status = asString(update.status)
  call.closed = piece
}

/** A command in the background may only end as a task. */
function closeTask(update: Update, latest: Map<string, UpdateCall>, tasks: Map<string, string>): void {
  const snapshot = asObject(update.update.task_snapshot)
  const task = asString(snapshot.task_id)
  const call = latest.get(tasks.get(task) ?? task)
  if (!call || call.closed) return
  call.status = snapshot.exit_code === 0 ? 'completed' : 'failed'
  call.content = []
  call.output = snapshot
  call.closed = update
}

export function callEvent(call: UpdateCall, model: string | undefined): Event {
  const { id, key, ts } = call.opened
  return {
    id,
    key: `${key}/call`,
    kind: 'tool_call',
    role: 'assistant',
    ts,
    text: '',
    tool: call.tool,
    call: call.id || undefined,
    input: call.input,
    model,
  }
}

export function resultEvent(call: UpdateCall, journal: TurnLog, at: Update, error?: ToolError): Event {
  const said = contentText(call.content.filter((block) => asObject(block).type !== 'diff')) || outputText(call.output)
  const exit = exitCode(asObject(call.output))
  return {
    id: at.id,
    key: `${call.opened.key}/result`,
    kind: 'tool_result',
    role: 'tool',
    ts: at.ts,
    text: said,
    call: call.id || undefined,
    error: error ?? toolError(journal, call.id) ?? errorOf(call, said, exit),
    exit,
  }
}

function exitCode(output: JsonObject): number | undefined {
  return typeof output.exit_code === 'number' && output.type !== 'GrepSearch' ? output.exit_code : undefined
}

const refusal = /\b(?:user|hook|permission)\b.{0,40}\b(?:rejected|denied|declined)\b|\brejected by (?:the )?user\b/i

function errorOf(call: UpdateCall, said: string, exit: number | undefined): ToolError | undefined {
  if (call.status === 'cancelled') return 'cancelled'
  if (call.status === 'failed') return exit === undefined && refusal.test(said.slice(0, 300)) ? 'denied' : 'failed'
  return exit ? 'failed' : undefined
}

export function editEvent(call: UpdateCall): Event | undefined {
  const files = changedFiles(call)
  if (files.length === 0 || !call.closed) return undefined
  const { id, ts } = call.closed
  return {
    id,
    key: `${call.opened.key}/edit`,
    kind: 'edit',
    role: 'tool',
    ts,
    text: '',
    call: call.id || undefined,
    files,
  }
}

function changedFiles(call: UpdateCall): FileChange[] {
  const diffs = call.content.map(asObject).filter((block) => block.type === 'diff' && optionalString(block.path))
  if (diffs.length > 0) return diffs.map((diff) => changeOf(diff, call.kind))
  const applied = asObject(asObject(call.output).EditsApplied)
  const path = optionalString(applied.absolute_path)
  if (path) return [changeOf({ path, oldText: applied.old_string, newText: applied.new_string }, call.kind)]
  if (call.kind !== 'delete') return []
  return call.locations.flatMap((location) => {
    const path = optionalString(asObject(location).path)
    return path ? [{ path, change: 'delete' as const }] : []
  })
}

function changeOf(diff: JsonObject, kind: string): FileChange {
  const details = asArray(asObject(diff._meta).details).map(asObject)
  const pairs = details.length > 0 ? details.map((d) => [d.old_string, d.new_string]) : [[diff.oldText, diff.newText]]
  let added = 0
  let removed = 0
  for (const [before, after] of pairs) {
    const changed = changedLines(asString(before), asString(after))
    added += changed.added
    removed += changed.removed
  }
  const change = kind === 'delete' || kind === 'move' ? kind : asString(diff.oldText) === '' ? 'add' : 'update'
  return { path: asString(diff.path), change, added, removed }
}

/**
 * Counts lines that are on one side only. Moved lines count as unchanged, which is precise enough
 * for the size of an edit.
 */
function changedLines(before: string, after: string): { added: number; removed: number } {
  const left = new Map<string, number>()
  for (const line of linesOf(before)) left.set(line, (left.get(line) ?? 0) + 1)
  let added = 0
  for (const line of linesOf(after)) {
    const same = left.get(line) ?? 0
    if (same > 0) left.set(line, same - 1)
    else added++
  }
  return { added, removed: [...left.values()].reduce((sum, times) => sum + times, 0) }
}
