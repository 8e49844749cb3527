// Finds the sessions that edited a file and what each did to it. Recorded paths differ from the one
// asked for: the session may have run in another worktree, a subfolder, a deleted checkout or
// another machine.
import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { commandOf, splitCommands } from '../core/commands.ts'
import { findRepository } from '../core/project/project.ts'
import type { Json } from '../core/session.ts'
import { tellLines } from '../gate/gate.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { promptSeqBefore } from '../store/sessions/events.ts'
import { type EditedFile, editedFilesNamed } from '../store/sessions/file-edits.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import { truncate } from '../text/truncate.ts'

export interface BlameFile {
  /** Relative to the project root, with slashes. */
  path: string
  /** Absolute path on this machine; null where only the project is known. */
  absolute: string | null
  /** Root of its working tree. */
  folder: string | null
  hasGit: boolean
}

/** Without a repository, the folder of the project key is the root. */
export function locateFile(absolute: string, project: string | null): BlameFile {
  const repository = findRepository(dirname(absolute))
  const isInside = project !== null && toSlashes(absolute).startsWith(`${toSlashes(project)}/`)
  const folder = repository?.folder ?? (isInside ? project : dirname(absolute))
  return { path: toSlashes(relative(folder, absolute)), absolute, folder, hasGit: repository !== undefined }
}

export interface RecordedPath {
  path: string
  cwd: string | null
}

export function isSameFile(written: RecordedPath, file: BlameFile): boolean {
  const path = toSlashes(written.path)
  const cwd = written.cwd === null ? null : toSlashes(written.cwd)
  const absolute = isAbsolute(path) ? path : cwd === null ? null : toSlashes(resolvePath(cwd, path))
  // Some agents record paths relative to the repository root, whatever their working directory.
  const isFromRoot = path.replace(/^(?:\.\/)+/, '') === file.path
  if (isFromRoot && (absolute === null || !existsSync(absolute))) return true
  if (absolute === null) return false
  if (file.absolute !== null && absolute === toSlashes(file.absolute)) return true
  if (!absolute.endsWith(`/${file.path}`)) return false
  return isProjectRoot(absolute.slice(0, -file.path.length - 1), cwd)
}

/** Whether the folder is a project root: `packages/a/src/index.ts` is not `src/index.ts`. */
function isProjectRoot(folder: string, cwd: string | null): boolean {
  if (existsSync(folder)) {
    const repository = findRepository(folder)
    if (repository) return toSlashes(repository.folder) === folder
  }
  if (cwd === null || !folder.startsWith(`${cwd}/`)) return true
  // Below the working directory only a worktree is a root (Claude Code creates them in
  // .claude/worktrees).
  return /(?:^|\/)\.?worktrees\//.test(folder.slice(cwd.length))
}

function resolvePath(cwd: string, path: string): string {
  // A Windows path captured on another machine: `resolve` would treat it as relative.
  return cwd.startsWith('/') ? resolve(cwd, path) : `${cwd}/${path.replace(/^(?:\.\/)+/, '')}`
}

export function toSlashes(path: string): string {
  return path.replaceAll('\\', '/')
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(path)
}

export interface BlameContext {
  ledger: Ledger
  project: string | null
  file: BlameFile
  env: Readonly<Record<string, string | undefined>>
}

/** Edits of a file in one session, under all paths that it recorded. */
export interface FileTouch extends EditedFile {
  isFile(path: string): boolean
}

/** Last edited first. */
export function fileTouches({ ledger, project }: BlameContext, file: BlameFile): FileTouch[] {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const rows = editedFilesNamed(ledger, { name, project, absolute: file.absolute }).filter((row) =>
    isSameFile(row, file),
  )
  return [...Map.groupBy(rows, ({ session }) => session).values()].map(mergeRows)
}

function mergeRows(rows: EditedFile[]): FileTouch {
  const paths = new Set(rows.map(({ path }) => path))
  const [newest] = rows
  const oldest = rows.reduce((one, other) => ((other.first ?? 0) < (one.first ?? 0) ? other : one))
  return {
    ...newest!,
    times: rows.reduce((sum, { times }) => sum + times, 0),
    added: rows.reduce((sum, { added }) => sum + added, 0),
    removed: rows.reduce((sum, { removed }) => sum + removed, 0),
    first: oldest.first,
    firstAt: oldest.firstAt,
    last: rows.some(({ last }) => last === null) ? null : Math.max(...rows.map(({ last }) => last!)),
    isFile: (path) => paths.has(path),
  }
}

/** Other files of the same name in the project, as recorded. */
export function sameNamedFiles({ ledger, project, file }: BlameContext): string[] {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const paths = editedFilesNamed(ledger, { name, project, absolute: file.absolute }).map(({ path }) => path)
  return [...new Set(paths)].slice(0, 3)
}

/** The prompt of an exchange; subagents are prompted by an agent. */
export interface BlamePrompt {
  seq: number
  at: string | null
  text: string
  by: 'user' | 'agent'
}

/** What a subagent was asked is the text of an agent. */
export function toldPrompt(asked: BlamePrompt | null): string {
  return asked === null ? '' : tellLines(asked.text, asked.by === 'user' ? 'person' : 'agent')
}

export interface SessionFileEdit {
  seq: number
  at: string | null
  asked: BlamePrompt | null
  added: number
  removed: number
  /** Strings of the tool input that made the edit. */
  wrote: string
}

export interface SessionCommit {
  /** Prefix of the hash; '' where only the command is known. */
  hash: string
  /** Interval in which it was made. */
  fromAt: string | null
  toAt: string | null
  seq: number
  asked: BlamePrompt | null
}

export interface FileWork {
  edits: SessionFileEdit[]
  commits: SessionCommit[]
  /** The body was deleted, truncated or is damaged. */
  isTextGone: boolean
}

interface FileWorkFilter {
  session: number
  uid: string
  fromSeq: number
  isFile(path: string): boolean
  /** Stop after this event. */
  throughSeq?: number | null
  /** Stop after this time. */
  untilMs?: number
}

const maxPromptLength = 600
/** Limit of the tool input that is searched for lines. */
const maxInputLength = 200_000

export function readFileWork(ledger: Ledger, filter: FileWorkFilter): FileWork {
  const work: FileWork = { edits: [], commits: [], isTextGone: false }
  const body = bodyOfSession(ledger, filter.uid)
  if (!body) return { ...work, isTextGone: true }
  const from = promptSeqBefore(ledger, filter.session, filter.fromSeq + 1)
  try {
    collectWork(readBody(ledger.layout.bodies, body.file, body.bytes, from), filter, work)
  } catch {
    work.isTextGone = true // damaged: doctor reports it, and the readable part is used
  }
  return work
}

function collectWork(events: Iterable<StoredEvent>, filter: FileWorkFilter, work: FileWork): void {
  const calls = new Map<string, StoredEvent>()
  let asked: BlamePrompt | null = null
  for (const event of events) {
    if (typeof filter.throughSeq === 'number' && event.seq > filter.throughSeq) return
    if (filter.untilMs !== undefined && event.ts !== null && Date.parse(event.ts) > filter.untilMs) return
    asked = promptAt(event, asked)
    if (event.kind === 'tool_call' && event.call) rememberCall(calls, event.call, event)
    const call = event.call ? calls.get(event.call) : undefined
    if (event.kind === 'edit') work.edits.push(...editsIn(event, call, asked, filter))
    else work.commits.push(...commitsIn(event, call, asked))
  }
}

/**
 * The first `context` event of a subagent is its task; after a prompt, `context` is machine text.
 */
function promptAt({ kind, role, seq, ts, text }: StoredEvent, before: BlamePrompt | null): BlamePrompt | null {
  const isTask = before === null && kind === 'context' && role === 'user'
  const isSaid = kind === 'prompt' || kind === 'command'
  if ((!isSaid && !isTask) || text.trim() === '') return before
  return { seq, at: ts, text: truncate(text.trim(), maxPromptLength), by: isSaid ? 'user' : 'agent' }
}

function editsIn(
  { seq, ts, files }: StoredEvent,
  call: StoredEvent | undefined,
  asked: BlamePrompt | null,
  { isFile }: FileWorkFilter,
): SessionFileEdit[] {
  return (files ?? [])
    .filter(({ path }) => isFile(path))
    .map(({ added, removed }) => {
      const wrote = call?.input === undefined ? '' : stringsIn(call.input).join('\n').slice(0, maxInputLength)
      return { seq, at: ts, asked, added: added ?? 0, removed: removed ?? 0, wrote }
    })
}

function commitsIn(event: StoredEvent, call: StoredEvent | undefined, asked: BlamePrompt | null): SessionCommit[] {
  const { seq, ts, text } = event
  if (event.kind === 'lifecycle') {
    const hash = /^Commit ([0-9a-f]{7,40})\b/.exec(text)?.[1]
    return hash ? [{ hash, fromAt: null, toAt: null, seq, asked }] : []
  }
  if (!call || (event.kind !== 'tool_result' && event.kind !== 'test_run') || !isCommit(commandOf(call.input)))
    return []
  // `[main 0a1b2c3] Fix it`, also where a later command of the same line failed.
  const hashes = [...text.matchAll(/^\[[^\]\n]* ([0-9a-f]{7,40})\] /gm)].map((match) => match[1]!)
  if (hashes.length === 0 && (event.error || event.exit)) return []
  const made = hashes.length > 0 ? hashes : ['']
  return made.map((hash) => ({ hash, fromAt: call.ts, toAt: ts, seq, asked }))
}

function isCommit(command: string): boolean {
  return splitCommands(command).some(
    (part) => /^(?:\w+=\S*\s+)*git\b.*\scommit\b/.test(part) && !/--dry-run/.test(part),
  )
}

function stringsIn(input: Json): string[] {
  if (typeof input === 'string') return [input]
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).flatMap((value) => (value === undefined ? [] : stringsIn(value)))
}

/** Results follow their calls closely, so old calls are dropped. */
function rememberCall(calls: Map<string, StoredEvent>, call: string, event: StoredEvent): void {
  calls.set(call, event)
  if (calls.size > 200) calls.delete(calls.keys().next().value!)
}
