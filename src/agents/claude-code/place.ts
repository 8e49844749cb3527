// The session that a record belongs to, and what the record's envelope says about it.
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import type { About } from '../../core/session.ts'
import { asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { type Place, type Reading, remember } from './reading.ts'

export function placeOf(record: JsonObject, reading: Reading): Place {
  const { session, isSubagent } = reading
  noteUuid(record, reading)
  const sidechain = isSubagent ? '' : sidechainOf(record, reading)
  const native = sidechain ? `${session}/${sidechain}` : session
  let place = reading.places.get(native)
  if (!place) {
    place = newPlace(native, reading)
    reading.places.set(native, place)
  }
  if (!sidechain && optionalString(record.parentUuid)) reading.isLinked = true
  if (!reading.isBegun && !sidechain) tellOrigin(record, place, reading)
  if (record.cwd !== place.cwd || record.gitBranch !== place.branch || record.version !== place.version) {
    tellEnvelope(record, place, reading)
  }
  return place
}

function newPlace(native: string, reading: Reading): Place {
  const { isSubagent, session } = reading
  const place: Place = {
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

/** Old versions wrote subagents inline: a sidechain starts without a parent and goes on by parentUuid. */
function sidechainOf(record: JsonObject, { sidechains }: Reading): string {
  if (record.isSidechain !== true) return ''
  if (optionalString(record.agentId)) return asString(record.agentId)
  const uuid = optionalString(record.uuid) ?? 'sidechain'
  const parent = optionalString(record.parentUuid)
  const root = (parent && (sidechains.get(parent) ?? [...sidechains.values()].at(-1))) ?? uuid
  remember(sidechains, uuid, root, 200)
  return root
}

/** A fork is a copy of another session up to some point; 2.1.28x names that session, older ones may let its id stand. */
function tellOrigin(record: JsonObject, place: Place, reading: Reading): void {
  reading.isBegun = true
  if (reading.isSubagent) return
  const ids = [record.session_id, record.sessionId].map(asString)
  const other = ids.find((id) => id !== reading.session && /^[\da-f]{8}-[\da-f-]{27}$/i.test(id))
  const parent = optionalString(asObject(record.forkedFrom).sessionId) ?? other
  if (parent) place.session.about({ kind: 'fork', parent })
}

function tellEnvelope(record: JsonObject, place: Place, reading: Reading): void {
  place.cwd = record.cwd
  place.branch = record.gitBranch
  place.version = record.version
  place.session.about({
    cwd: newFolder(optionalString(record.cwd), place, reading),
    branch: record.gitBranch === 'HEAD' ? undefined : optionalString(record.gitBranch),
    version: optionalString(record.version),
  })
}

/** The shell's folder wanders; the session's is the one that its project folder is named for, or else the first. */
function newFolder(cwd: string | undefined, place: Place, { folders, path }: Reading): string | undefined {
  const told = folders.get(place.native)
  if (!cwd || told === cwd) return undefined
  const parts = path.split(sep)
  const project = parts[parts.lastIndexOf('projects') + 1] ?? ''
  if (told !== undefined && !(isNamedFor(project, cwd) && !isNamedFor(project, told))) return undefined
  remember(folders, place.native, cwd, 50)
  return cwd
}

function isNamedFor(project: string, cwd: string): boolean {
  const key = cwd.replace(/[^A-Za-z0-9]/g, '-')
  return key === project || (key.length > 200 && project.startsWith(key.slice(0, 200)))
}

function aboutSubagent({ path, session }: Reading): About {
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

/** Whether a subagent was forked off its parent, talk and all. */
export function isForked(path: string): boolean {
  return metaOf(path).isFork === true
}

function metaOf(path: string): JsonObject {
  try {
    return asObject(parseJson(readFileSync(path.replace(/\.jsonl$/, '.meta.json'), 'utf8')))
  } catch {
    return {} // older layouts have no such file
  }
}

/** How far back a summary's leaf may lie; measured: 171 records. */
const maxSeen = 400

function noteUuid({ uuid }: JsonObject, reading: Reading): void {
  if (typeof uuid !== 'string') return
  const { seen, summaries } = reading
  seen.add(uuid.slice(0, 8))
  if (seen.size > maxSeen) seen.delete(seen.keys().next().value!)
  if (summaries.size === 0) return
  const title = summaries.get(uuid)
  if (title) reading.out.session(reading.session).about({ title, titleRank: 1 })
}
