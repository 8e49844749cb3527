// Reads tool calls, their results and file changes. A call and its result share `call_id`; reports
// about the end of a call (patch_apply_end, mcp_tool_call_end) come before the result.
import { commandOf, testCounts } from '../../core/commands.ts'
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import { diffCounts, lineCount, patchChanges } from '../file-changes.ts'
import { asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { readOutput, type ToolOutput } from './output.ts'
import { type CallEnd, type CodexThread, emit, forgetOldest, keyScope, nextKey } from './state.ts'

export function readCall(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  const { tool, input } = toolOf(payload)
  openCall(thread, { tool, input, call: callOf(payload), id: asString(payload.id), ts })
}

function toolOf(payload: JsonObject): { tool: string; input: Json } {
  if (payload.type === 'local_shell_call') return { tool: 'local_shell', input: payload.action ?? {} }
  if (payload.type === 'custom_tool_call') return { tool: toolName(payload), input: { input: asString(payload.input) } }
  return { tool: toolName(payload), input: argumentsOf(payload.arguments) }
}

/** MCP tools come as one name, or as server and name; both become `mcp__server__tool`. */
function toolName(payload: JsonObject): string {
  const name = optionalString(payload.name) ?? 'unnamed'
  const namespace = asString(payload.namespace)
  if (!namespace.startsWith('mcp__') || name.startsWith(namespace)) return name
  return `${namespace.replace(/_+$/, '')}__${name.replace(/^_+/, '')}`
}

/** A JSON string; invalid JSON is kept as text. */
function argumentsOf(value: Json | undefined): Json {
  return typeof value === 'string' ? (parseJson(value) ?? { input: value }) : (value ?? {})
}

export function callOf(payload: JsonObject): string | undefined {
  return optionalString(payload.call_id) ?? optionalString(payload.id)
}

export interface ToolRequest {
  tool: string
  input: Json
  call: string | undefined
  id?: string
  ts: string | null
}

export function openCall(thread: CodexThread, { tool, input, call, id, ts }: ToolRequest): void {
  const { model } = thread
  const key = call ? `${keyScope(thread)}/${call}` : nextKey(thread, 'tool_call')
  const event = { id: id ?? '', key, kind: 'tool_call', role: 'assistant', text: '', ts, tool, input, call } as const
  emit(thread, thread.calls.open({ ...event, model: model || undefined }))
  if (!call) return
  thread.patches.open(call, plannedChanges(tool, input, thread.cwd))
  const process = asObject(input).session_id
  if (tool === 'write_stdin' && thread.tests.has(String(process))) thread.looks.add(call)
  forgetOldest(thread.looks, 50)
}

export function readResult(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  closeCall(thread, callOf(payload), readOutput(payload.output), ts)
}

export function closeCall(thread: CodexThread, call: string | undefined, result: ToolOutput, ts: string | null): void {
  const verdict = call ? thread.verdicts.get(call) : undefined
  const error = verdict?.error ?? result.error
  const exit = result.exit ?? verdict?.exit
  const key = call ? `${keyScope(thread)}/${call}/${result.isLate ? 'end' : 'result'}` : nextKey(thread, 'tool_result')
  const event: Event = thread.calls.close({
    id: '',
    key,
    kind: 'tool_result',
    role: 'tool',
    ts,
    text: result.text,
    call,
  })
  if (error) event.error = error
  if (exit !== undefined) event.exit = exit
  if (call && thread.looks.delete(call)) {
    event.kind = 'test_run'
    event.tests = testCounts(event.text)
  }
  if (result.running && event.kind === 'test_run') {
    // Running tests have no outcome yet; the call that sees them end has it.
    thread.tests.add(result.running)
    forgetOldest(thread.tests, 50)
    event.kind = 'tool_result'
    delete event.tests
  }
  if (result.isUnproven && !verdict) {
    // Nobody may take it for the end of its command.
    event.kind = 'tool_result'
    delete event.tests
    delete event.call
  }
  emit(thread, event)
  if (!call) return
  const changes = thread.patches.close(call)
  thread.verdicts.delete(call)
  if (!error) emitEdit(thread, call, changes, ts)
}

/** Saves the end of a call, which is reported before its output. */
export function recordCallEnd(thread: CodexThread, call: string, verdict: CallEnd): void {
  thread.verdicts.set(call, verdict)
  forgetOldest(thread.verdicts, 50)
}

/** The changes that a patch made; they replace what the patch text planned. */
export function recordPatch(
  thread: CodexThread,
  call: string,
  changes: FileChange[],
  status: string,
  ts: string | null,
): void {
  thread.patches.close(call)
  const error = errorOfStatus(status)
  if (error) recordCallEnd(thread, call, { error })
  else emitEdit(thread, call, changes, ts)
}

function emitEdit(thread: CodexThread, call: string, files: FileChange[], ts: string | null): void {
  if (files.length === 0) return
  const key = `${keyScope(thread)}/${call}/edit`
  emit(thread, { key, kind: 'edit', role: 'tool', text: '', ts, call, files })
}

export function errorOfStatus(status: string): ToolError | undefined {
  return status === 'declined' ? 'denied' : status === 'failed' ? 'failed' : undefined
}

/** Searches and images of the model service: one record is both call and result. */
export function readHostedCall(
  thread: CodexThread,
  tool: string,
  said: string,
  payload: JsonObject,
  ts: string | null,
): void {
  const id = asString(payload.id)
  const input = tool === 'web_search' ? (payload.action ?? {}) : undefined
  emit(thread, { id, kind: 'tool_result', role: 'tool', ts, tool, input, text: said })
}

/**
 * `changes` of patch_apply_end and of a FileChange item: path → {type, content | unified_diff,
 * move_path}.
 */
export function reportedChanges(changes: Json | undefined): FileChange[] {
  return Object.entries(asObject(changes)).map(([path, value]) => {
    const change = asObject(value)
    const moved = optionalString(change.move_path)
    if (change.type === 'add') return { path, change: 'add', added: lineCount(asString(change.content)), removed: 0 }
    if (change.type === 'delete')
      return { path, change: 'delete', added: 0, removed: lineCount(asString(change.content)) }
    return { path: moved ?? path, change: moved ? 'move' : 'update', ...diffCounts(asString(change.unified_diff)) }
  })
}

/** The files that a patch would change, in the input of the call or in a shell line around it. */
export function plannedChanges(tool: string, input: Json, cwd: string): FileChange[] {
  const from = asObject(input)
  const source =
    tool === 'apply_patch'
      ? (optionalString(from.input) ?? optionalString(from.patch) ?? commandOf(input))
      : shellPatch(commandOf(input))
  return source ? patchChanges(source, optionalString(from.workdir) ?? cwd) : []
}

function shellPatch(command: string): string {
  return /^[^\n]*\bapply_?patch\b[\s\S]*\*\*\* Begin Patch/.test(command) ? command : ''
}
