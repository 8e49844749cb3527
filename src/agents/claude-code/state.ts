// State of the reader of one transcript, and the part of it that is saved between sweeps. Also
// finds the session of each record, from its envelope.

import { basename, sep } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Json, SessionDetails } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import { asArray, asCount, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { type CompactionUsage, createCompactionUsage } from './compaction-usage.ts'

/** How a program of the family differs from Claude Code. */
export interface ClaudeDialect {
  /** Records that Claude Code does not write. */
  records?: Readonly<Record<string, (record: JsonObject, reading: ClaudeState) => void>>
  /** Records that Claude Code does not write and that have no content. */
  ignored?: readonly string[]
}

export interface TranscriptSource {
  path: string
  dialect: ClaudeDialect
  out: ReaderOutput
}

export interface ClaudeState extends TranscriptSource {
  /** Native id of the file's session (or subagent); '' until a record names it. */
  session: string
  isSubagent: boolean
  calls: PendingCalls
  /**
   * Files that open calls of edit tools will change: results of old versions only report success.
   */
  edits: PendingChanges
  /** Inline sidechain of a record, by uuid. */
  sidechains: Map<string, string>
  /**
   * Typed prompts, oldest first: a second prompt with the same parent retracts everything since the
   * first.
   */
  trail: TypedPrompt[]
  /**
   * Prefixes of the latest uuids, and summaries whose leaf has not been seen: together they assign
   * a summary to a session.
   */
  seen: Set<string>
  summaries: Map<string, string>
  /** Working folder by session. */
  folders: Map<string, string>
  /** Sessions that were described in this sweep. */
  places: Map<string, RecordSession>
  /** Titles emitted in this sweep, by rank. */
  titles: Map<number, string>
  /** Whether the first chain record, which identifies a fork, has been read. */
  isBegun: boolean
  /** Whether records name parents: only then does a prompt without one start over. */
  isLinked: boolean
  /** A person has denied a call with a reason: which words the client puts in front of one. */
  hasDenied: boolean
  /** A compaction boundary was read, but not its summary. */
  isCompacting: boolean
  /** Set while the copied records of the parent at the start of a forked subagent are read. */
  isCopy: boolean
  /** The usage that was emitted last. */
  usage: { key: string; output: number; isLowerBound: boolean }
  compactionUsage: CompactionUsage
}

export interface TypedPrompt {
  uuid: string
  parent: string
  isPrompt: boolean
}

/** The session that a chain record belongs to. */
export interface RecordSession {
  session: SessionOutput
  native: string
  isSubagent: boolean
  cwd: Json | undefined
  branch: Json | undefined
  version: Json | undefined
  model: string | undefined
}

export function createState(source: TranscriptSource, state: Json | undefined): ClaudeState {
  const { path } = source
  const saved = asObject(state)
  return {
    ...source,
    session: asString(saved.session) || sessionOfPath(path),
    isSubagent: basename(path).startsWith('agent-'),
    calls: pendingCalls(saved.calls),
    edits: pendingChanges(saved.edits),
    sidechains: restoreMap(saved.sidechains),
    trail: asArray(saved.trail).map(restoreTyped),
    seen: new Set(asArray(saved.seen).map(asString)),
    summaries: restoreMap(saved.summaries),
    folders: restoreMap(saved.folders),
    places: new Map(),
    titles: new Map(),
    isBegun: saved.isBegun === true,
    isLinked: saved.isLinked === true,
    hasDenied: saved.hasDenied === true,
    isCompacting: saved.isCompacting === true,
    isCopy: saved.isCopy === true,
    usage: {
      key: asString(asObject(saved.usage).key),
      output: asCount(asObject(saved.usage).output),
      isLowerBound: asObject(saved.usage).isLowerBound === true,
    },
    compactionUsage: createCompactionUsage(saved.compactionUsage),
  }
}

export function saveState(reading: ClaudeState): Json {
  return {
    session: reading.session,
    calls: reading.calls.state(),
    edits: reading.edits.state(),
    sidechains: [...reading.sidechains],
    trail: reading.trail.map(({ uuid, parent, isPrompt }) => [uuid, parent, isPrompt]),
    seen: [...reading.seen],
    summaries: [...reading.summaries],
    folders: [...reading.folders],
    isBegun: reading.isBegun,
    isLinked: reading.isLinked,
    hasDenied: reading.hasDenied,
    isCompacting: reading.isCompacting,
    isCopy: reading.isCopy,
    usage: { ...reading.usage },
    compactionUsage: reading.compactionUsage.state(),
  }
}

/** Sets a key and drops the oldest beyond `max`, to keep the saved state small. */
export function setBounded(map: Map<string, string>, key: string, value: string, max: number): void {
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value!)
}

/**
 * The file name is the session id; a subagent of the older layout lies beside its session, which
 * only its records name.
 */
function sessionOfPath(path: string): string {
  const name = basename(path, '.jsonl')
  if (!name.startsWith('agent-')) return name
  const parts = path.split(sep)
  const at = parts.lastIndexOf('subagents')
  return at > 0 ? `${parts[at - 1]}/${name.slice('agent-'.length)}` : ''
}

export function subagentSession(record: JsonObject, path: string): string {
  const parent = asString(record.sessionId) || asString(record.parentSessionId)
  return parent && `${parent}/${basename(path, '.jsonl').slice('agent-'.length)}`
}

function restoreMap(value: Json | undefined): Map<string, string> {
  return new Map(asArray(value).map((pair) => [asString(asArray(pair)[0]), asString(asArray(pair)[1])]))
}

function restoreTyped(value: Json): TypedPrompt {
  const [uuid, parent, isPrompt] = asArray(value)
  return { uuid: asString(uuid), parent: asString(parent), isPrompt: isPrompt === true }
}

export function sessionOfRecord(record: JsonObject, reading: ClaudeState): RecordSession {
  const { session, isSubagent } = reading
  recordUuid(record, reading)
  const sidechain = isSubagent ? '' : sidechainOf(record, reading)
  const native = sidechain ? `${session}/${sidechain}` : session
  let place = reading.places.get(native)
  if (!place) {
    place = createRecordSession(native, reading)
    reading.places.set(native, place)
  }
  if (!sidechain && optionalString(record.parentUuid)) reading.isLinked = true
  if (!reading.isBegun && !sidechain) describeOrigin(record, place, reading)
  if (record.cwd !== place.cwd || record.gitBranch !== place.branch || record.version !== place.version) {
    describeEnvelope(record, place, reading)
  }
  return place
}

function createRecordSession(native: string, reading: ClaudeState): RecordSession {
  const { isSubagent, session } = reading
  const place: RecordSession = {
    session: reading.out.session(native),
    native,
    isSubagent: isSubagent || native !== session,
    cwd: undefined,
    branch: undefined,
    version: undefined,
    model: undefined,
  }
  if (isSubagent) place.session.about(aboutSubagent(reading))
  else if (place.isSubagent) place.session.about({ kind: 'subagent', parent: session })
  return place
}

/**
 * Old versions wrote subagents inline: a sidechain starts without a parent and continues by
 * parentUuid.
 */
function sidechainOf(record: JsonObject, { sidechains }: ClaudeState): string {
  if (record.isSidechain !== true) return ''
  if (optionalString(record.agentId)) return asString(record.agentId)
  const uuid = optionalString(record.uuid) ?? 'sidechain'
  const parent = optionalString(record.parentUuid)
  const root = (parent && (sidechains.get(parent) ?? [...sidechains.values()].at(-1))) ?? uuid
  setBounded(sidechains, uuid, root, 200)
  return root
}

/**
 * A fork starts as a copy of another session; 2.1.28x names that session, older versions may keep
 * its id in the records.
 */
function describeOrigin(record: JsonObject, place: RecordSession, reading: ClaudeState): void {
  reading.isBegun = true
  if (reading.isSubagent) return
  const ids = [record.session_id, record.sessionId].map(asString)
  const other = ids.find((id) => id !== reading.session && /^[\da-f]{8}-[\da-f-]{27}$/i.test(id))
  const parent = optionalString(asObject(record.forkedFrom).sessionId) ?? other
  if (parent) place.session.about({ kind: 'fork', parent })
}

function describeEnvelope(record: JsonObject, place: RecordSession, reading: ClaudeState): void {
  place.cwd = record.cwd
  place.branch = record.gitBranch
  place.version = record.version
  place.session.about({
    cwd: changedFolder(optionalString(record.cwd), place, reading),
    branch: record.gitBranch === 'HEAD' ? undefined : optionalString(record.gitBranch),
    ...(/^sdk-(?!cli)/.test(asString(record.entrypoint)) ? { isProgram: true as const } : {}),
    version: optionalString(record.version),
  })
}

/**
 * The working folder of the shell changes; the session's folder is the one that the project folder
 * is named after, or else the first.
 */
function changedFolder(
  cwd: string | undefined,
  place: RecordSession,
  { folders, path }: ClaudeState,
): string | undefined {
  const known = folders.get(place.native)
  if (!cwd || known === cwd) return undefined
  const parts = path.split(sep)
  const project = parts[parts.lastIndexOf('projects') + 1] ?? ''
  if (known !== undefined && !(isNamedFor(project, cwd) && !isNamedFor(project, known))) return undefined
  setBounded(folders, place.native, cwd, 50)
  return cwd
}

function isNamedFor(project: string, cwd: string): boolean {
  const key = cwd.replace(/[^A-Za-z0-9]/g, '-')
  return key === project || (key.length > 200 && project.startsWith(key.slice(0, 200)))
}

function aboutSubagent({ path, session }: ClaudeState): SessionDetails {
  const meta = metaOf(path)
  const [root] = session.split('/')
  const agent = optionalString(meta.parentAgentId)
  const title = [optionalString(meta.agentType), optionalString(meta.description)].filter(Boolean).join(': ')
  return {
    kind: 'subagent',
    parent: agent ? `${root}/${agent.replace(/^agent-/, '')}` : root,
    ...(title ? { title, titleRank: 3 } : {}),
  }
}

/** Whether a subagent started with a copy of its parent's conversation. */
export function isForked(path: string): boolean {
  return metaOf(path).isFork === true
}

/** The file that says what a subagent is for. */
export function metaPathOf(path: string): string {
  return path.replace(/\.jsonl$/, '.meta.json')
}

function metaOf(path: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(metaPathOf(path))))
  } catch {
    return {} // older layouts have no such file
  }
}

/** Distance of a summary from its leaf; measured: 171 records. */
const maxSeen = 400

function recordUuid({ uuid }: JsonObject, reading: ClaudeState): void {
  if (typeof uuid !== 'string') return
  const { seen, summaries } = reading
  seen.add(uuid.slice(0, 8))
  if (seen.size > maxSeen) seen.delete(seen.keys().next().value!)
  if (summaries.size === 0) return
  const title = summaries.get(uuid)
  if (title) reading.out.session(reading.session).about({ title, titleRank: 1 })
}
