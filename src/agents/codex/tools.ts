// Tool calls, their results and the file changes they made. A call and its result share `call_id`; what is reported about
// the end of a call (patch_apply_end, mcp_tool_call_end) comes before the result.
import { testCounts } from '../../core/commands.ts'
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import { asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { plannedChanges } from './patch.ts'
import { type Result, readOutput } from './results.ts'
import { emit, forgetOldest, nextKey, scope, type Thread, type Verdict } from './thread.ts'

export function readCall(thread: Thread, payload: JsonObject, ts: string | null): void {
  const { tool, input } = toolOf(payload)
  openCall(thread, { tool, input, call: callOf(payload), id: asString(payload.id), ts })
}

function toolOf(payload: JsonObject): { tool: string; input: Json } {
  if (payload.type === 'local_shell_call') return { tool: 'local_shell', input: payload.action ?? {} }
  if (payload.type === 'custom_tool_call') return { tool: toolName(payload), input: { input: asString(payload.input) } }
  return { tool: toolName(payload), input: argumentsOf(payload.arguments) }
}

/** MCP tools come as one name, or as server and name: `mcp__server__tool` in both cases. */
function toolName(payload: JsonObject): string {
  const name = optionalString(payload.name) ?? 'unnamed'
  const namespace = asString(payload.namespace)
  if (!namespace.startsWith('mcp__') || name.startsWith(namespace)) return name
  return `${namespace.replace(/_+$/, '')}__${name.replace(/^_+/, '')}`
}

/** A JSON string; what does not parse is kept as it is. */
function argumentsOf(value: Json | undefined): Json {
  return typeof value === 'string' ? (parseJson(value) ?? { input: value }) : (value ?? {})
}

function callOf(payload: JsonObject): string | undefined {
  return optionalString(payload.call_id) ?? optionalString(payload.id)
}

interface Call {
  tool: string
  input: Json
  call: string | undefined
  id?: string
  ts: string | null
}

function openCall(thread: Thread, { tool, input, call, id, ts }: Call): void {
  const { model } = thread
  const key = call ? `${scope(thread)}/${call}` : nextKey(thread, 'tool_call')
  const event = { id: id ?? '', key, kind: 'tool_call', role: 'assistant', text: '', ts, tool, input, call } as const
  emit(thread, thread.calls.open({ ...event, model: model || undefined }))
  if (!call) return
  thread.patches.open(call, plannedChanges(tool, input, thread.cwd))
  const process = asObject(input).session_id
  if (tool === 'write_stdin' && thread.tests.has(String(process))) thread.looks.add(call)
  forgetOldest(thread.looks, 50)
}

export function readResult(thread: Thread, payload: JsonObject, ts: string | null): void {
  closeCall(thread, callOf(payload), readOutput(payload.output), ts)
}

function closeCall(thread: Thread, call: string | undefined, result: Result, ts: string | null): void {
  const verdict = call ? thread.verdicts.get(call) : undefined
  const error = verdict?.error ?? result.error
  const exit = result.exit ?? verdict?.exit
  const key = call ? `${scope(thread)}/${call}/result` : nextKey(thread, 'tool_result')
  const event = thread.calls.close({ id: '', key, kind: 'tool_result', role: 'tool', ts, text: result.text, call })
  if (error) event.error = error
  if (exit !== undefined) event.exit = exit
  if (call && thread.looks.delete(call)) {
    event.kind = 'test_run'
    event.tests = testCounts(event.text)
  }
  if (result.running && event.kind === 'test_run') {
    // Tests that still run have no outcome yet: the call that sees them end has it.
    thread.tests.add(result.running)
    forgetOldest(thread.tests, 50)
    event.kind = 'tool_result'
    delete event.tests
  }
  emit(thread, event)
  if (!call) return
  const changes = thread.patches.close(call)
  thread.verdicts.delete(call)
  if (!error) emitEdit(thread, call, changes, ts)
}

/** How a call ended, told before its output. */
export function noteEnd(thread: Thread, call: string, verdict: Verdict): void {
  thread.verdicts.set(call, verdict)
  forgetOldest(thread.verdicts, 50)
}

/** The changes of a patch as they were made: these count, not what the patch text planned. */
export function notePatch(
  thread: Thread,
  call: string,
  changes: FileChange[],
  status: string,
  ts: string | null,
): void {
  thread.patches.close(call)
  const error = errorOfStatus(status)
  if (error) noteEnd(thread, call, { error })
  else emitEdit(thread, call, changes, ts)
}

function emitEdit(thread: Thread, call: string, files: FileChange[], ts: string | null): void {
  if (files.length === 0) return
  const key = `${scope(thread)}/${call}/edit`
  emit(thread, { key, kind: 'edit', role: 'tool', text: '', ts, call, files })
}

export function errorOfStatus(status: string): ToolError | undefined {
  return status === 'declined' ? 'denied' : status === 'failed' ? 'failed' : undefined
}

/** In code mode the model calls `exec` with a program, and the calls which that makes are only told by their end. */
export function isInsideProgram(call: string): boolean {
  return /^exec-[0-9a-f]{8}-/.test(call)
}

export function readInsideCall(thread: Thread, call: Call & { call: string }, result: Result): void {
  openCall(thread, call)
  closeCall(thread, call.call, result, call.ts)
}

/** Searches and images made by the model service: one record, which is the call and all there is of its result. */
export function readHostedCall(
  thread: Thread,
  tool: string,
  said: string,
  payload: JsonObject,
  ts: string | null,
): void {
  const id = asString(payload.id)
  const input = tool === 'web_search' ? (payload.action ?? {}) : undefined
  emit(thread, { id, kind: 'tool_result', role: 'tool', ts, tool, input, text: said })
}
