// A tool call of either schema: the call, its result and the files it changed.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import { diffCounts, lineCount } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import type { Reading } from './session.ts'

export interface ToolCall {
  tool: string
  call: string | undefined
  status: string
  input: Json
  output: string
  error: string
  /** What the tool says about its work beside its output: exit code, diff, paths. */
  details: JsonObject
  started: string | null
  ended: string | null
}

interface Place {
  base: Pick<Event, 'id' | 'key' | 'ts' | 'model'>
  reading: Reading
  /** The user ran this line himself. */
  isShell: boolean
}

/** Hands over what happened; gives back the paths that were changed. */
export function readTool(made: ToolCall, { base, reading, isShell }: Place): string[] {
  const { session, calls } = reading
  const { call, input } = made
  const at = { ...base, ts: made.started ?? base.ts, call }
  const done = { ...at, key: `${base.key}/result`, ts: made.ended ?? at.ts, model: undefined }
  if (isShell) {
    session.event({ ...at, kind: 'shell', role: 'user', text: asString(asObject(input).command), model: undefined })
    if (made.output) session.event({ ...done, kind: 'context', role: 'system', text: made.output })
    return []
  }
  session.event(calls.open({ ...at, kind: 'tool_call', role: 'assistant', text: '', tool: made.tool, input }))
  if (unfinished.has(made.status)) return []
  session.event(calls.close({ ...done, kind: 'tool_result', role: 'tool', ...resultOf(made) }))
  const files = made.status === 'error' ? [] : changedFiles(made)
  if (files.length > 0)
    session.event({ ...done, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', tool: made.tool, files })
  return files.map((file) => file.path)
}

const unfinished = new Set(['pending', 'running', 'streaming'])

function resultOf({ tool, status, output, error, details }: ToolCall): Pick<Event, 'text' | 'error' | 'exit'> {
  const exit = typeof details.exit === 'number' ? details.exit : undefined
  if (status === 'error') return { text: error || output, error: errorKind(error), exit }
  if (/User aborted the command|Command was aborted/.test(output.slice(-300)))
    return { text: output, error: 'interrupted', exit }
  // A call of a tool that does not exist is answered by a tool named `invalid`.
  const isFailure = tool === 'invalid' || (exit !== undefined && exit !== 0)
  return { text: output, error: isFailure ? 'failed' : undefined, exit }
}

function errorKind(error: string): ToolError {
  if (
    /The user (?:rejected|dismissed|denied|has specified a rule which prevents)|Permission denied by rule/i.test(error)
  )
    return 'denied'
  return /^(?:Error: )?(?:Tool execution (?:was )?(?:aborted|interrupted)|Aborted|Interrupted)/i.test(error)
    ? 'interrupted'
    : 'failed'
}

function changedFiles({ tool, input, details }: ToolCall): FileChange[] {
  if (!/^(?:edit|multiedit|write|patch|apply_patch)$/.test(tool)) return []
  const listed = asArray(details.files).map(asObject).flatMap(listedFile)
  if (listed.length > 0) return listed
  const given = asObject(input)
  const diff = asObject(details.filediff)
  const path = [diff.file, details.filepath, given.filePath, given.path].map(optionalString).find(Boolean)
  if (!path) return []
  const isNew = tool === 'write' ? details.exists === false : given.oldString === ''
  const shown = optionalString(details.diff) && diffCounts(asString(details.diff))
  const lines = optionalString(diff.file) ? { added: asCount(diff.additions), removed: asCount(diff.deletions) } : shown
  if (isNew && !lines) return [{ path, change: 'add', added: lineCount(asString(given.content)), removed: 0 }]
  return [{ path, change: isNew ? 'add' : 'update', ...lines }]
}

function listedFile(file: JsonObject): FileChange[] {
  const path = [file.movePath, file.filePath, file.file, file.path].map(optionalString).find(Boolean)
  if (!path) return []
  const change = changes.get(asString(file.type) || asString(file.status)) ?? 'update'
  return [{ path, change, added: asCount(file.additions), removed: asCount(file.deletions) }]
}

const changes = new Map<string, FileChange['change']>([
  ['add', 'add'],
  ['added', 'add'],
  ['delete', 'delete'],
  ['deleted', 'delete'],
  ['move', 'move'],
  ['renamed', 'move'],
])

/** What stands for a file that was given to the model or came back from a tool. */
export function attachment(file: JsonObject): string {
  const data = /^data:[^,]*,(.*)$/s.exec(asString(file.url) || asString(file.uri))?.[1] ?? asString(file.data)
  return imagePlaceholder(optionalString(file.mime), data)
}
