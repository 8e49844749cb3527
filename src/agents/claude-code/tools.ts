// Reads tool results: text, reason of failure, changed files. Also the text of message content.

import { realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase } from '../agent.ts'
import { diffCounts, lineCount } from '../file-changes.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import type { ClaudeState, RecordSession } from './state.ts'

interface ResultRecord {
  record: JsonObject
  results: JsonObject[]
  base: EventBase
}

export function readResults({ record, results, base }: ResultRecord, place: RecordSession, reading: ClaudeState): void {
  // The structured result belongs to one call; with several results in a record it is unknown to
  // which.
  const structured = results.length === 1 ? asObject(record.toolUseResult) : {}
  results.forEach((block, index) => {
    const call = optionalString(block.tool_use_id)
    const key = `${base.key}#${index}`
    const said = persistedOutput(contentText(block.content), structured, reading)
    const result = reading.calls.close({ ...base, key, kind: 'tool_result', role: 'tool', text: said, call })
    const denial = results.length === 1 ? optionalString(record.toolDenialKind) : undefined
    const error =
      block.is_error === true
        ? errorKind(said, { denial, isWrittenByClient: isWrittenByClient(record, results, result.tool, reading) })
        : interruptionOf(structured)
    const exit = error === 'failed' ? exitCode(said) : undefined
    if (error !== undefined) result.error = error
    if (exit !== undefined) result.exit = exit
    place.session.event(result)
    const wanted = reading.edits.close(call)
    if (error) return
    const files = changedFiles(structured, wanted, said)
    if (files.length > 0) {
      place.session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
    }
    const git = gitText(asObject(structured.gitOperation))
    if (git) place.session.event({ ...base, key: `${key}/git`, kind: 'lifecycle', role: 'system', text: git, call })
  })
}

/** A command that the user stopped is reported as a success with partial output. */
function interruptionOf(structured: JsonObject): ToolError | undefined {
  return structured.interrupted === true ? 'interrupted' : undefined
}

interface ErrorSource {
  /** `toolDenialKind`: since about 2.1.80 the client marks what it denied itself. */
  denial: string | undefined
  isWrittenByClient: boolean
}

function errorKind(said: string, { denial, isWrittenByClient }: ErrorSource): ToolError {
  if (denial === 'interrupted' || denial === 'cancelled') return denial
  // The reason of a denial counts as text of the user, so a tool that prints one has only failed.
  if (denial || (denied.test(said) && (isWrittenByClient || !givesReason.test(said)))) return 'denied'
  if (cancelled.test(said)) return 'cancelled'
  return /^(?:Error: )?(?:\[Request interrupted by user|Interrupted by user)/.test(said) ? 'interrupted' : 'failed'
}

const denied =
  /^(?:Error: )?(?:The user doesn't want to (?:proceed|take this action)|User rejected tool use|Permission for this tool use was denied|Permission to use \S+ (?:with .{0,500} )?has been denied|Claude requested permissions to )/

const givesReason = /\buser said:/i

/**
 * Whether the text of a failed call is the client's: it says so, or the tool never begins an error
 * with foreign text (shells begin with `Exit code` since 2.1). MCP servers, pages and subagents can fail
 * with any text: of theirs the sentence counts with which versions without `toolDenialKind` began a
 * reason, once the client has written it for a tool of its own.
 */
function isWrittenByClient(
  record: JsonObject,
  results: JsonObject[],
  tool: string | undefined,
  reading: ClaudeState,
): boolean {
  if (results.length === 1 && record.toolUseResult === 'User rejected tool use') return true
  const version = asString(record.version)
  const isDenial = results.length === 1 && contentText(results[0]!.content).startsWith(wholeDenial)
  const isShell = tool === 'Bash' || tool === 'PowerShell'
  const isOwn = isShell ? /^(?:2\.[1-9]|[3-9]|\d\d)/.test(version) : tool !== undefined && ownErrorTools.has(tool)
  if (isOwn && isDenial) reading.hasDenied = true
  return isOwn || (isDenial && reading.hasDenied && /^2\.\d/.test(version) && isBeforePatch(version, 80))
}

const ownErrorTools = new Set('Edit MultiEdit Write NotebookEdit Read Glob Grep LS TodoWrite ExitPlanMode'.split(' '))

const wholeDenial =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"

/** Whether a version is older than this patch of 2.1. */
export function isBeforePatch(version: string, patch: number): boolean {
  const [major = 0, minor = 0, own = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0)
  if (major !== 2) return major < 2
  return minor < 1 || (minor === 1 && own < patch)
}

const cancelled = /^(?:Error: )?(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled:)/

/** Only failures have an exit code, in their text. */
function exitCode(said: string): number | undefined {
  const code = /^(?:Error: )?Exit code (\d+)/.exec(said)?.[1]
  return code === undefined ? undefined : Number(code)
}

const editTools = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/** The file that a call of an edit tool is about to change. */
export function plannedChanges({ tool, input }: Event): FileChange[] {
  const path = optionalString(asObject(input).file_path) ?? optionalString(asObject(input).notebook_path)
  return path && tool && editTools.has(tool) ? [{ path, change: 'update' }] : []
}

/**
 * The changes that were made: newer results contain a patch, results of old versions only report
 * success.
 */
function changedFiles(structured: JsonObject, wanted: FileChange[], said: string): FileChange[] {
  const path = optionalString(structured.filePath) ?? optionalString(structured.notebook_path)
  if (path && (Array.isArray(structured.structuredPatch) || 'newString' in structured || 'new_source' in structured)) {
    return optionalString(structured.error) ? [] : [patchedFile(path, structured)]
  }
  const shell = asObject(structured.bashEditDiff)
  if (structured.bashEditDiff) return shellEdits(shell)
  return /^File created\b/.test(said) ? wanted.map((file) => ({ ...file, change: 'add' })) : wanted
}

function patchedFile(path: string, result: JsonObject): FileChange {
  const change = result.type === 'create' ? 'add' : 'update'
  const { added, removed } = hunkCounts(result.structuredPatch)
  if (change === 'add' && added === 0) return { path, change, added: lineCount(asString(result.content)), removed: 0 }
  return Array.isArray(result.structuredPatch) ? { path, change, added, removed } : { path, change }
}

/** From 2.1.269 on the shell tool may report the files that its command changed. */
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

function gitText(operation: JsonObject): string {
  const commit = asObject(operation.commit)
  const push = asObject(operation.push)
  return [
    optionalString(commit.sha) && `Commit ${asString(commit.sha)} ${asString(commit.kind)}`.trim(),
    optionalString(push.branch) && `Branch ${asString(push.branch)} pushed`,
  ]
    .filter(Boolean)
    .join(', ')
}

const maxPersistedBytes = 5_000_000

/**
 * Reads output that was too long for the transcript from its own file (since 2.1.51). The path is
 * untrusted text, so only files in this session's folder are read.
 */
function persistedOutput(said: string, structured: JsonObject, { path, session }: ClaudeState): string {
  if (!said.startsWith('<persisted-output>')) return said
  const claimed = optionalString(structured.persistedOutputPath) ?? /Full output saved to: ([^\r\n]+)/.exec(said)?.[1]
  const parts = claimed?.trim().split(/[\\/]/) ?? []
  const [owner, folder, name] = parts.slice(-3)
  const own = session.split('/')[0]!
  if (!name || name === '..' || folder !== 'tool-results' || owner !== own) return said
  try {
    const results = realpathSync(join(projectFolder(path, own), own, 'tool-results'))
    const file = realpathSync(join(results, name))
    if (dirname(file) !== results || statSync(file).size > maxPersistedBytes) return said
    return readForeignText(file)
  } catch {
    return said // the file is gone: use the excerpt in the transcript
  }
}

function projectFolder(path: string, session: string): string {
  const at = path.lastIndexOf(`${sep}${session}${sep}`)
  return at < 0 ? dirname(path) : path.slice(0, at)
}

/** The key is the record's uuid, which forks and resumed copies keep. */
export function baseOf(record: JsonObject, native: string): EventBase {
  const id = asString(record.uuid)
  const key = /^\S+$/.test(id) ? id : fingerprint(native, JSON.stringify(record))
  return { id, key, ts: asIsoTime(record.timestamp) }
}

export function contentBlocks(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content).map((block) => (typeof block === 'string' ? { type: 'text', text: block } : asObject(block)))
}

export function contentText(content: Json | undefined): string {
  return typeof content === 'string' ? content : textOf(contentBlocks(content))
}

export function textOf(content: JsonObject[]): string {
  if (content.length === 1) return blockText(content[0]!)
  return content
    .map(blockText)
    .filter((part) => part !== '')
    .join('\n')
}

function blockText(block: JsonObject): string {
  switch (block.type) {
    case 'text':
      return asString(block.text)
    case 'image':
    case 'document': {
      const source = asObject(block.source)
      if (source.type === 'text') return asString(source.data)
      return imagePlaceholder(optionalString(source.media_type), asString(source.data)).replace(
        '[image',
        `[${block.type}`,
      )
    }
    case 'tool_reference':
      return `[tool ${asString(block.tool_name)}]`
    default: // a hit of a web search
      return typeof block.title === 'string' && typeof block.url === 'string' ? `${block.title} ${block.url}` : ''
  }
}
