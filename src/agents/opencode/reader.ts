// Turns a stored session into events: the part that all schemas and layouts share, with tool calls,
// results and changed files.

import type { Event, FileChange, Json, ToolError, Usage } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import type { ForeignDatabase } from '../database.ts'
import { diffCounts, lineCount } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

export interface StoredSession {
  id: string
  parent?: string
  /** The session from which this one was forked. */
  origin?: string
  directory?: string
  title?: string
  version?: string
  created: number
  updated: number
  /** The first retracted message; it and all after it are still stored. */
  revertedFrom?: string
}

export interface StoredMessage {
  id: string
  data: JsonObject
  parts: StoredPart[]
  /** The agent of the session that it belongs to, where several share one. */
  agent?: string | undefined
}

export interface StoredPart {
  id: string
  data: JsonObject
}

/** How a program of the family differs from OpenCode. */
export interface OpenCodeDialect {
  /** Its names of roles. */
  roles?: Readonly<Record<string, string>>
  /** Parts without content that OpenCode does not write. */
  ignoredParts?: readonly string[]
  /** Reads a part that OpenCode does not write; false if it is unknown. */
  readPart?(part: StoredPart, context: PartContext): boolean
  /** Titles of sessions that the program runs for its own purposes. */
  ownSessions?: RegExp
  /** Where tokens are counted, if not in the messages. */
  usage?: {
    table: string
    /** An expression for the session `s` that changes with its tokens. */
    version: string
    read(database: ForeignDatabase, session: string): Usage[]
  }
}

export interface PartContext {
  base: Pick<Event, 'id' | 'key' | 'ts' | 'model'>
  reading: OpenCodeState
}

/** Where a session comes from and goes to. */
export interface OpenCodeSource {
  out: ReaderOutput
  dialect: OpenCodeDialect
}

export interface OpenCodeState extends OpenCodeSource {
  session: SessionOutput
  stored: StoredSession
  calls: PendingCalls
  /** Number of prompts, in all and before the first retracted message. */
  prompts: { all: number; kept: number | undefined }
}

/** Emits the session and calls `readMessage` for each message that is not a copy. */
export function readSession(
  { out, dialect }: OpenCodeSource,
  stored: StoredSession,
  messages: StoredMessage[],
  readMessage: (message: StoredMessage, reading: OpenCodeState) => void,
): void {
  // A fork starts with copies under new ids; their times are older than the fork.
  const own = messages.filter((message) => (createdAt(message) || stored.created) >= stored.created)
  if (messages.length === 0) return
  const session = out.session(stored.id)
  const isBranch = stored.origin !== undefined || own.length < messages.length
  session.about({
    kind: stored.parent ? 'subagent' : isBranch ? 'fork' : undefined,
    parent: stored.parent ?? stored.origin,
    cwd: stored.directory,
    version: stored.version,
    ...titleOf(stored),
  })
  const reading: OpenCodeState = {
    out,
    dialect,
    session,
    stored,
    calls: pendingCalls(undefined),
    prompts: { all: 0, kept: undefined },
  }
  for (const message of own) {
    if (message.id === stored.revertedFrom) reading.prompts.kept = reading.prompts.all
    readMessage(message, reading)
  }
  readRevert(reading)
}

export function createdAt(message: StoredMessage): number {
  return asCount(asObject(message.data.time).created)
}

/** The first text of a child session is the parent's task. */
export function promptKind({ stored, prompts, dialect }: OpenCodeState): 'prompt' | 'context' {
  if (stored.parent || dialect.ownSessions?.test(stored.title ?? '')) return 'context'
  prompts.all++
  return 'prompt'
}

/** The default title contains the time. */
function titleOf({ title }: StoredSession): { title?: string; titleRank?: number } {
  if (!title || /^(?:New|Child) session - \d{4}-/.test(title)) return {}
  return { title, titleRank: 3 }
}

function readRevert({ session, stored, prompts }: OpenCodeState): void {
  if (prompts.kept === undefined) return
  session.event({
    id: '',
    key: `${stored.id}/revert/${stored.revertedFrom}`,
    kind: 'lifecycle',
    role: 'system',
    ts: asIsoTime(stored.updated),
    text: 'Went back to an earlier message',
    undoes: prompts.all - prompts.kept,
  })
}

export function sessionOf(row: JsonObject): StoredSession {
  const times = asObject(row.time)
  return {
    id: optionalString(row.id) ?? '',
    parent: optionalString(row.parent_id) ?? optionalString(row.parentID),
    origin: optionalString(row.fork_session_id),
    directory: optionalString(row.directory),
    title: optionalString(row.title),
    version: optionalString(row.version),
    created: asCount(row.time_created) || asCount(times.created),
    updated: asCount(row.time_updated) || asCount(times.updated),
    revertedFrom: optionalString(asObject(row.revert).messageID),
  }
}

interface OpenCodeToolCall {
  tool: string
  call: string | undefined
  status: string
  input: Json
  output: string
  error: string
  /** Details beside the output: exit code, diff, paths. */
  details: JsonObject
  started: string | null
  ended: string | null
}

interface CallContext {
  base: Pick<Event, 'id' | 'key' | 'ts' | 'model'>
  reading: OpenCodeState
  /** The user ran this command. */
  isShell: boolean
}

/** Emits call, result and edit; returns the changed paths. */
export function readTool(made: OpenCodeToolCall, { base, reading, isShell }: CallContext): string[] {
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

function resultOf({ tool, status, output, error, details }: OpenCodeToolCall): Pick<Event, 'text' | 'error' | 'exit'> {
  const exit = typeof details.exit === 'number' ? details.exit : undefined
  if (status === 'error') return { text: error || output, error: errorKind(error, tool), exit }
  if (/User aborted the command|Command was aborted/.test(output.slice(-300)))
    return { text: output, error: 'interrupted', exit }
  // A call of an unknown tool is answered by a tool named `invalid`.
  const isFailure = tool === 'invalid' || (exit !== undefined && exit !== 0)
  return { text: output, error: isFailure ? 'failed' : undefined, exit }
}

function errorKind(error: string, tool: string): ToolError {
  // The feedback in a denial counts as text of the user. The record is that of any other error, so
  // it is believed only of tools that never fail with foreign text; names of MCP tools contain `_`.
  if (denied.test(error) && (ownErrorTools.has(tool) || !/\bfeedback:/i.test(error))) return 'denied'
  return /^(?:Error: )?(?:Tool execution (?:was )?(?:aborted|interrupted)|Aborted|Interrupted)/i.test(error)
    ? 'interrupted'
    : 'failed'
}

const denied =
  /^(?:\w*Error: )?(?:The user (?:rejected|dismissed|denied|has specified a rule which prevents)|Permission denied by rule)/i

const ownErrorTools = new Set('bash edit multiedit write patch read list glob grep webfetch todowrite'.split(' '))

function changedFiles({ tool, input, details }: OpenCodeToolCall): FileChange[] {
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
  const change = changeKinds.get(asString(file.type) || asString(file.status)) ?? 'update'
  return [{ path, change, added: asCount(file.additions), removed: asCount(file.deletions) }]
}

const changeKinds = new Map<string, FileChange['change']>([
  ['add', 'add'],
  ['added', 'add'],
  ['delete', 'delete'],
  ['deleted', 'delete'],
  ['move', 'move'],
  ['renamed', 'move'],
])

/** Placeholder of a file in a message or result. */
export function attachmentText(file: JsonObject): string {
  const data = /^data:[^,]*,(.*)$/s.exec(asString(file.url) || asString(file.uri))?.[1] ?? asString(file.data)
  return imagePlaceholder(optionalString(file.mime), data)
}
