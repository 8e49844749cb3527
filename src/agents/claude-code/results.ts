// Results of tools: what came back, why it failed, which files it changed.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import { diffCounts, lineCount } from '../file-changes.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { type Base, contentText } from './content.ts'
import { persistedOutput } from './persisted.ts'
import type { Place, Reading } from './reading.ts'

interface ResultRecord {
  record: JsonObject
  results: JsonObject[]
  base: Base
}

export function readResults({ record, results, base }: ResultRecord, place: Place, reading: Reading): void {
  // The structured result is of one call: with several results in a record nobody says of which.
  const structured = results.length === 1 ? asObject(record.toolUseResult) : {}
  results.forEach((block, index) => {
    const call = optionalString(block.tool_use_id)
    const key = `${base.key}#${index}`
    const said = persistedOutput(contentText(block.content), structured, reading)
    const error = block.is_error === true ? errorKind(record, said) : interrupted(structured)
    const result: Event = { ...base, key, kind: 'tool_result', role: 'tool', text: said, call, error }
    const exit = error === 'failed' ? exitCode(said) : undefined
    if (exit !== undefined) result.exit = exit
    place.session.event(reading.calls.close(result))
    const wanted = reading.edits.close(call)
    if (error) return
    const files = changedFiles(structured, wanted, said)
    if (files.length > 0) {
      place.session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
    }
    const git = gitWords(asObject(structured.gitOperation))
    if (git) place.session.event({ ...base, key: `${key}/git`, kind: 'lifecycle', role: 'system', text: git, call })
  })
}

/** A command that a person stopped comes back as a success with half its output. */
function interrupted(structured: JsonObject): ToolError | undefined {
  return structured.interrupted === true ? 'interrupted' : undefined
}

function errorKind(record: JsonObject, said: string): ToolError {
  if (optionalString(record.toolDenialKind) || denied.test(said)) return 'denied'
  if (cancelled.test(said)) return 'cancelled'
  return /^(?:Error: )?(?:\[Request interrupted by user|Interrupted by user)/.test(said) ? 'interrupted' : 'failed'
}

const denied =
  /^(?:Error: )?(?:The user doesn't want to (?:proceed|take this action)|User rejected tool use|Permission to use \S+ (?:with .{0,500} )?has been denied|Claude requested permissions to )/

const cancelled = /^(?:Error: )?(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled:)/

/** There is no exit code on success; a failure has it in its text. */
function exitCode(said: string): number | undefined {
  const code = /^(?:Error: )?Exit code (\d+)/.exec(said)?.[1]
  return code === undefined ? undefined : Number(code)
}

const editTools = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/** The file that a call of an edit tool is about to change. */
export function wantedChanges({ tool, input }: Event): FileChange[] {
  const path = optionalString(asObject(input).file_path) ?? optionalString(asObject(input).notebook_path)
  return path && tool && editTools.has(tool) ? [{ path, change: 'update' }] : []
}

/** What really changed: the result says it with its patch; results of old versions only say that it went well. */
function changedFiles(structured: JsonObject, wanted: FileChange[], said: string): FileChange[] {
  const path = optionalString(structured.filePath) ?? optionalString(structured.notebook_path)
  if (path && (Array.isArray(structured.structuredPatch) || 'newString' in structured || 'new_source' in structured)) {
    return optionalString(structured.error) ? [] : [patched(path, structured)]
  }
  const shell = asObject(structured.bashEditDiff)
  if (structured.bashEditDiff) return shellEdits(shell)
  return /^File created\b/.test(said) ? wanted.map((file) => ({ ...file, change: 'add' })) : wanted
}

function patched(path: string, result: JsonObject): FileChange {
  const change = result.type === 'create' ? 'add' : 'update'
  const { added, removed } = hunkCounts(result.structuredPatch)
  if (change === 'add' && added === 0) return { path, change, added: lineCount(asString(result.content)), removed: 0 }
  return Array.isArray(result.structuredPatch) ? { path, change, added, removed } : { path, change }
}

/** From 2.1.269 on the shell tool may name the files that its command changed. */
function shellEdits(diff: JsonObject): FileChange[] {
  const changes = new Map<string, FileChange>()
  for (const path of asArray(diff.changedFiles).map(asString)) if (path) changes.set(path, { path, change: 'update' })
  for (const file of asArray(diff.files).map(asObject)) {
    const path = optionalString(file.filePath)
    if (path) changes.set(path, { path, change: 'update', ...hunkCounts(file.hunks ?? file.structuredPatch) })
  }
  return [...changes.values()]
}

function hunkCounts(hunks: Json | undefined): { added: number; removed: number } {
  const lines = asArray(hunks).flatMap((hunk) => asArray(asObject(hunk).lines).map(asString))
  return diffCounts(lines.join('\n'))
}

function gitWords(operation: JsonObject): string {
  const commit = asObject(operation.commit)
  const push = asObject(operation.push)
  return [
    optionalString(commit.sha) && `Commit ${asString(commit.sha)} ${asString(commit.kind)}`.trim(),
    optionalString(push.branch) && `Branch ${asString(push.branch)} pushed`,
  ]
    .filter(Boolean)
    .join(', ')
}
