// Turns the entries of a Pi session into events. A session is a tree from version 2 on: going back
// appends an entry whose parent is not the latest one, and the entries in between are abandoned.
import type { Event, Json } from '../../core/session.ts'
import type { LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import { pendingChanges } from '../file-changes.ts'
import { asIsoTime, asObject, asString, fingerprint, type JsonObject, optionalString } from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { trackBranches } from './branches.ts'
import { contentText, messageEvents } from './messages.ts'
import { trackResponses } from './responses.ts'
import type { PiDialect, PiState } from './state.ts'

export function openPi(path: string, dialect: PiDialect, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const reading: PiState = {
    out,
    path,
    dialect,
    session: asString(saved.session) || dialect.sessionOfPath(path),
    isSubagent: saved.isSubagent === true,
    calls: pendingCalls(saved.calls),
    branches: trackBranches(saved.branches),
    changes: pendingChanges(saved.changes),
    responses: trackResponses(saved.responses),
  }
  return {
    record: (record) => readEntry(record, reading),
    state: () => ({
      session: reading.session,
      ...(reading.isSubagent ? { isSubagent: true } : {}),
      calls: reading.calls.state(),
      branches: reading.branches.state(),
      changes: reading.changes.state(),
      ...(dialect.addsChildUsage ? { responses: reading.responses.state() } : {}),
    }),
  }
}

function readEntry(entry: JsonObject, reading: PiState): void {
  if (entry.type === 'session') return readHeader(entry, reading)
  if (reading.dialect.ignored.includes(asString(entry.type))) return follow(entry, [], reading)
  const session = reading.out.session(reading.session)
  follow(entry, eventsOf(entry, session, reading), reading)
}

/** Every entry is a node of the tree, whether it has content or not. */
function follow(entry: JsonObject, events: Event[], reading: PiState): void {
  const leftBehind = reading.branches.follow({
    id: asString(entry.id),
    parent: asString(entry.parentId),
    isPrompt: events.some((event) => event.kind === 'prompt'),
  })
  if (leftBehind > 0) events.unshift(rewind(entry, leftBehind, reading.dialect))
  if (events.length === 0) return
  const session = reading.out.session(reading.session)
  for (const event of events) session.event(event)
}

function readHeader(header: JsonObject, reading: PiState): void {
  const { dialect, path } = reading
  const id = optionalString(header.id) ?? reading.session
  if (id !== reading.session) reading.branches = trackBranches(undefined) // another session, with a tree of its own
  reading.session = id
  reading.isSubagent = dialect.isSubagent?.(path, header) ?? false
  const parent = optionalString(header.parentSession) ?? optionalString(header.branchedFrom)
  reading.out.session(reading.session).about({
    kind: reading.isSubagent ? 'subagent' : parent ? 'fork' : undefined,
    parent: parent && dialect.sessionOfPath(parent),
    cwd: optionalString(header.cwd),
    model: optionalString(header.modelId),
    started: asIsoTime(header.timestamp) ?? undefined,
    ...dialect.describe?.(header, path),
  })
}

function eventsOf(entry: JsonObject, session: SessionOutput, reading: PiState): Event[] {
  const type = asString(entry.type)
  const base = { id: asString(entry.id), key: keyOf(entry, reading.dialect), ts: asIsoTime(entry.timestamp) }
  const { entries } = reading.dialect
  if (Object.hasOwn(entries, type)) return entries[type]!(entry, { base, session, reading })
  switch (type) {
    case 'message':
      return messageEvents(asObject(entry.message), { base, session, reading })
    case 'model_change': {
      // Oh My Pi writes `provider/model` in one string.
      const model = optionalString(entry.modelId) ?? optionalString(asString(entry.model).replace(/^[^/]*\//, ''))
      session.about({ model })
      return model ? [{ ...base, kind: 'lifecycle', role: 'system', text: `Model ${model}`, model }] : []
    }
    case 'compaction':
      return [{ ...base, kind: 'compaction', role: 'system', text: asString(entry.summary), ...keptBy(entry) }]
    case 'branch_summary':
      return [{ ...base, kind: 'context', role: 'system', text: asString(entry.summary) }]
    case 'custom_message':
      return [{ ...base, kind: 'context', role: 'user', text: contentText(entry.content) }]
    case 'session_info':
      session.about({ title: optionalString(entry.name), titleRank: 4 })
      return []
    case 'thinking_level_change':
    case 'custom': // state of extensions
    case 'label':
      return []
    default:
      reading.out.unknownType(type)
      return []
  }
}

/** Files of version 1 count entries instead of naming one, which Pi changes when it opens them. */
function keptBy(entry: JsonObject): Partial<Event> {
  const keepsFrom = optionalString(entry.firstKeptEntryId)
  return keepsFrom ? { keepsFrom } : {}
}

/**
 * Ids were added in version 2, when an old file is opened and rewritten, and copies in forked
 * sessions keep ids and times. So the key is made of time and content, which are the same in every
 * version and copy.
 */
function keyOf(entry: JsonObject, { isKeyedById }: PiDialect): string {
  if (isKeyedById && optionalString(entry.id)) return fingerprint(asString(entry.id), asString(entry.timestamp))
  const message = asObject(entry.message)
  const role = message.role === 'hookMessage' ? 'custom' : asString(message.role)
  const written = typeof message.timestamp === 'number' ? message.timestamp : asString(entry.timestamp)
  const content = entry.type === 'message' ? (message.content ?? message.command) : (entry.summary ?? entry.content)
  return fingerprint(
    asString(entry.type),
    role,
    written,
    asString(message.toolCallId),
    JSON.stringify(content ?? entry.modelId),
  )
}

function rewind(entry: JsonObject, undoes: number, dialect: PiDialect): Event {
  return {
    id: asString(entry.id),
    key: `${keyOf(entry, dialect)}/rewind`,
    kind: 'lifecycle',
    role: 'user',
    ts: asIsoTime(entry.timestamp),
    text: 'Went back to an earlier point of the session',
    undoes,
  }
}
