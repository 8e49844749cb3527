// Results of tools: what came back, why it failed, which files it changed.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import { diffCounts, lineCount } from '../changes.ts'
import { type Fields, fields, list, named, text } from '../values.ts'
import { type Base, contentText } from './content.ts'
import { persistedOutput } from './persisted.ts'
import type { Place, Reading } from './reading.ts'

interface ResultRecord {
  record: Fields
  results: Fields[]
  base: Base
}

export function readResults({ record, results, base }: ResultRecord, place: Place, reading: Reading): void {
  // The structured result is of one call: with several results in a record nobody says of which.
  const structured = results.length === 1 ? fields(record.toolUseResult) : {}
  results.forEach((block, index) => {
    const call = named(block.tool_use_id)
    const key = `${base.key}#${index}`
    const said = persistedOutput(contentText(block.content), structured, reading)
    const error = block.is_error === true ? errorKind(record, said) : interrupted(structured)
    const result: Event = { ...base, key, kind: 'tool_result', role: 'tool', text: said, call, error }
    const exit = error === 'failed' ? exitCode(said) : undefined
    if (exit !== undefined) result.exit = exit
    place.session.event(reading.calls.closed(result))
    const wanted = reading.edits.closed(call)
    if (error) return
    const files = changedFiles(structured, wanted, said)
    if (files.length > 0) {
      place.session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
    }
    const git = gitWords(fields(structured.gitOperation))
    if (git) place.session.event({ ...base, key: `${key}/git`, kind: 'lifecycle', role: 'system', text: git, call })
  })
}

/** A command that a person stopped comes back as a success with half its output. */
function interrupted(structured: Fields): ToolError | undefined {
  return structured.interrupted === true ? 'interrupted' : undefined
}

function errorKind(record: Fields, said: string): ToolError {
  if (named(record.toolDenialKind) || denied.test(said)) return 'denied'
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
  const path = named(fields(input).file_path) ?? named(fields(input).notebook_path)
  return path && tool && editTools.has(tool) ? [{ path, change: 'update' }] : []
}

/** What really changed: the result says it with its patch; results of old versions only say that it went well. */
function changedFiles(structured: Fields, wanted: FileChange[], said: string): FileChange[] {
  const path = named(structured.filePath) ?? named(structured.notebook_path)
  if (path && (Array.isArray(structured.structuredPatch) || 'newString' in structured || 'new_source' in structured)) {
    return named(structured.error) ? [] : [patched(path, structured)]
  }
  const shell = fields(structured.bashEditDiff)
  if (structured.bashEditDiff) return shellEdits(shell)
  return /^File created\b/.test(said) ? wanted.map((file) => ({ ...file, change: 'add' })) : wanted
}

function patched(path: string, result: Fields): FileChange {
  const change = result.type === 'create' ? 'add' : 'update'
  const { added, removed } = hunkCounts(result.structuredPatch)
  if (change === 'add' && added === 0) return { path, change, added: lineCount(text(result.content)), removed: 0 }
  return Array.isArray(result.structuredPatch) ? { path, change, added, removed } : { path, change }
}

/** From 2.1.269 on the shell tool may name the files that its command changed. */
function shellEdits(diff: Fields): FileChange[] {
  const changes = new Map<string, FileChange>()
  for (const path of list(diff.changedFiles).map(text)) if (path) changes.set(path, { path, change: 'update' })
  for (const file of list(diff.files).map(fields)) {
    const path = named(file.filePath)
    if (path) changes.set(path, { path, change: 'update', ...hunkCounts(file.hunks ?? file.structuredPatch) })
  }
  return [...changes.values()]
}

function hunkCounts(hunks: Json | undefined): { added: number; removed: number } {
  const lines = list(hunks).flatMap((hunk) => list(fields(hunk).lines).map(text))
  return diffCounts(lines.join('\n'))
}

function gitWords(operation: Fields): string {
  const commit = fields(operation.commit)
  const push = fields(operation.push)
  return [
    named(commit.sha) && `Commit ${text(commit.sha)} ${text(commit.kind)}`.trim(),
    named(push.branch) && `Branch ${text(push.branch)} pushed`,
  ]
    .filter(Boolean)
    .join(', ')
}
