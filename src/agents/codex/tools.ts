// Reads tool calls, their results and file changes. A call and its result share `call_id`; reports
// about the end of a call (patch_apply_end, mcp_tool_call_end) come before the result. Codex has no
// error flag: the exit code is in a heading, in JSON (2025), or only the wording tells.
import { commandOf, testCounts } from '../../core/commands.ts'
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import { diffCounts, lineCount, patchChanges } from '../file-changes.ts'
import {
  asArray,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
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

function callOf(payload: JsonObject): string | undefined {
  return optionalString(payload.call_id) ?? optionalString(payload.id)
}

interface ToolRequest {
  tool: string
  input: Json
  call: string | undefined
  id?: string
  ts: string | null
}

function openCall(thread: CodexThread, { tool, input, call, id, ts }: ToolRequest): void {
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

function closeCall(thread: CodexThread, call: string | undefined, result: ToolOutput, ts: string | null): void {
  const verdict = call ? thread.verdicts.get(call) : undefined
  const error = verdict?.error ?? result.error
  const exit = result.exit ?? verdict?.exit
  const key = call ? `${keyScope(thread)}/${call}/result` : nextKey(thread, 'tool_result')
  const event = thread.calls.close({ id: '', key, kind: 'tool_result', role: 'tool', ts, text: result.text, call })
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

/**
 * In code mode the model calls `exec` with a program; the calls of that program are only reported
 * at their end.
 */
export function isInsideProgram(call: string): boolean {
  return /^exec-[0-9a-f]{8}-/.test(call)
}

export function readInsideCall(thread: CodexThread, call: ToolRequest & { call: string }, result: ToolOutput): void {
  openCall(thread, call)
  closeCall(thread, call.call, result, call.ts)
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

interface ToolOutput {
  text: string
  exit?: number
  error?: ToolError
  /** Id of the process if it was still running. */
  running?: string
}

export function readOutput(output: Json | undefined): ToolOutput {
  if (Array.isArray(output)) return parseHeaded(contentText(output))
  if (typeof output === 'string') return output.startsWith('{"output":') ? parseWrapped(output) : parseHeaded(output)
  const { content, success } = asObject(output)
  const said = typeof content === 'string' ? content : contentText(asArray(content))
  return { ...parseHeaded(said), ...(success === false ? { error: 'failed' } : {}) }
}

/** Heading of command output: chunk, wall time, process state, token count, then `Output:`. */
const outputHeading =
  /^(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines|Warning)\b[^\n]*\n|Process (?:exited|running)[^\n]*\n)+Output:\n?/

function parseHeaded(said: string): ToolOutput {
  const head = outputHeading.exec(said)?.[0]
  if (!head) return { text: said, error: errorOf(said) }
  const body = said.slice(head.length)
  const running = /^Process running with session ID (\S+)/m.exec(head)?.[1]
  if (running) return { text: body || `Process running with session ID ${running}`, running }
  const exit = /^(?:Exit code: |Process exited with code )(-?\d+)/m.exec(head)?.[1]
  return exit === undefined ? { text: body } : exitedOutput(body, Number(exit))
}

/** `{"output", "metadata": {"exit_code"}}` */
function parseWrapped(said: string): ToolOutput {
  const value = asObject(parseJson(said))
  if (typeof value.output !== 'string') return parseHeaded(said)
  const exit = asObject(value.metadata).exit_code
  return typeof exit === 'number' ? exitedOutput(value.output, exit) : parseHeaded(value.output)
}

function exitedOutput(body: string, exit: number): ToolOutput {
  return { text: body, exit, error: exit === 0 ? undefined : (stoppedBy(body) ?? 'failed') }
}

const failurePattern =
  /^(?:[\w.]+ (?:verification )?failed\b|failed to |failed in sandbox|failed for |unsupported (?:custom tool )?call|execution error|tool call error|error: |err: )/i

function errorOf(said: string): ToolError | undefined {
  return stoppedBy(said) ?? (failurePattern.test(said) ? 'failed' : undefined)
}

function stoppedBy(said: string): ToolError | undefined {
  if (/^(?:aborted|command was aborted|interrupted) by (?:the )?user\b|^aborted$/i.test(said)) return 'interrupted'
  const isDenied =
    /^(?:(?:exec command|patch|command) )?rejected\b|^user (?:rejected|cancelled|declined)\b|^This action was rejected|^approval (?:denied|policy)/i
  return isDenied.test(said) ? 'denied' : undefined
}

/** Text of content parts; images as a placeholder. */
export function contentText(parts: Json[]): string {
  return parts
    .map((part) => partText(typeof part === 'string' ? { text: part } : asObject(part)))
    .filter((said) => said !== '')
    .join('\n')
}

function partText(part: JsonObject): string {
  const image = imageOf(part)
  return image || asString(part.text) || asString(part.refusal)
}

/** `[image …]` for an image part of any dialect, '' for other parts. */
export function imageOf(part: JsonObject): string {
  const url = optionalString(part.image_url) ?? optionalString(asObject(part.image_url).url)
  if (url) return imageAt(url)
  if (part.type === 'local_image' || part.type === 'localImage') return imageAt(asString(part.path))
  if (part.type === 'image') return imagePlaceholder(optionalString(part.mimeType), asString(part.data))
  return ''
}

export function imageAt(url: string): string {
  const data = /^data:([\w/+.-]+)?[^,]{0,40},/.exec(url)
  if (data) return imagePlaceholder(data[1], url.slice(data[0].length))
  return url.length < 400 ? `[image ${url}]` : imagePlaceholder(undefined, url)
}
