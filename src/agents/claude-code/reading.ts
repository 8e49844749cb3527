// What is known while one transcript is read, and the part of it that has to survive until the next sweep.
import { basename, sep } from 'node:path'
import type { Json } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import { asArray, asCount, asObject, asString, type JsonObject } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

export interface Reading {
  out: ReaderOutput
  path: string
  /** Native id of the session (or subagent) that the file belongs to; '' until a record has named it. */
  session: string
  isSubagent: boolean
  calls: PendingCalls
  /** Files that calls of edit tools wait to change: old versions say no more in the result than that it went well. */
  edits: PendingChanges
  /** Which inline sidechain a record belongs to, by uuid. */
  sidechains: Map<string, string>
  /** What people typed, oldest first: a second prompt with the same parent takes back all since the first. */
  trail: Typed[]
  /** Beginnings of the latest uuids, and summaries whose leaf has not been seen: together they place a summary. */
  seen: Set<string>
  summaries: Map<string, string>
  /** The folder that each session was told to be in. */
  folders: Map<string, string>
  /** Sessions that something was said about in this sweep. */
  places: Map<string, Place>
  /** Titles told in this sweep, by rank. */
  titles: Map<number, string>
  /** Whether the first chain record has been read, which tells a fork. */
  isBegun: boolean
  /** Whether records name their parents at all: only then does a prompt without one go back to the beginning. */
  isLinked: boolean
  /** A compaction boundary stands and its summary has not come. */
  isCompacting: boolean
  /** A forked subagent begins with a copy of its parent's records, which ends with a text of its own. */
  isCopy: boolean
  /** The usage told last. */
  usage: { key: string; output: number; isLowerBound: boolean }
}

export interface Typed {
  uuid: string
  parent: string
  isPrompt: boolean
}

/** The session that a chain record belongs to. */
export interface Place {
  session: SessionOutput
  native: string
  isSubagent: boolean
  cwd: Json | undefined
  branch: Json | undefined
  version: Json | undefined
  model: string | undefined
}

export function startReading(path: string, out: ReaderOutput, state: Json | undefined): Reading {
  const saved = asObject(state)
  return {
    out,
    path,
    session: asString(saved.session) || sessionOfPath(path),
    isSubagent: basename(path).startsWith('agent-'),
    calls: pendingCalls(saved.calls),
    edits: pendingChanges(saved.edits),
    sidechains: savedMap(saved.sidechains),
    trail: asArray(saved.trail).map(typed),
    seen: new Set(asArray(saved.seen).map(asString)),
    summaries: savedMap(saved.summaries),
    folders: savedMap(saved.folders),
    places: new Map(),
    titles: new Map(),
    isBegun: saved.isBegun === true,
    isLinked: saved.isLinked === true,
    isCompacting: saved.isCompacting === true,
    isCopy: saved.isCopy === true,
    usage: {
      key: asString(asObject(saved.usage).key),
      output: asCount(asObject(saved.usage).output),
      isLowerBound: asObject(saved.usage).isLowerBound === true,
    },
  }
}

export function stateOf(reading: Reading): Json {
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
    isCompacting: reading.isCompacting,
    isCopy: reading.isCopy,
    usage: { ...reading.usage },
  }
}

/** Remembers, and forgets the oldest: what is saved between sweeps has to stay small. */
export function remember(map: Map<string, string>, key: string, value: string, max: number): void {
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value!)
}

/** The file name is the session; a subagent of the older layout lies beside its session and names it only inside. */
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

function savedMap(value: Json | undefined): Map<string, string> {
  return new Map(asArray(value).map((pair) => [asString(asArray(pair)[0]), asString(asArray(pair)[1])]))
}

function typed(value: Json): Typed {
  const [uuid, parent, isPrompt] = asArray(value)
  return { uuid: asString(uuid), parent: asString(parent), isPrompt: isPrompt === true }
}
