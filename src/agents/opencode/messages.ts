// Reads messages and parts of the first schema, which the database and the files share.
import type { Event } from '../../core/session.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import {
  attachmentText,
  type OpenCodeState,
  promptKind,
  readTool,
  type StoredMessage,
  type StoredPart,
} from './reader.ts'

/** Marks a shell line that the user ran; the command follows as a tool of the next answer. */
const shellAnnouncement = 'The following tool was executed by the user'

/** Creates a reader for the messages of one session, in order. */
export function createMessageReader(): (message: StoredMessage, reading: OpenCodeState) => void {
  let isShell = false
  return (message, reading) => {
    const written = asString(message.data.role)
    const role = reading.dialect.roles?.[written] ?? written
    if (role === 'user') {
      isShell = message.parts.some(({ data }) => data.text === shellAnnouncement && data.synthetic === true)
      return readUser(message, reading)
    }
    if (role === 'assistant') readAssistant(message, reading, isShell)
    else if (role === 'system') readSystem(message, reading)
    else reading.out.unknownType(`message of ${role || 'no role'}`)
    isShell = false
  }
}

/** Not written by OpenCode itself. */
function readSystem(message: StoredMessage, { session }: OpenCodeState): void {
  for (const part of message.parts) {
    const text = asString(part.data.text)
    if (text.trim()) session.event({ ...base(message, part), kind: 'context', role: 'system', text, model: undefined })
  }
}

function readUser(message: StoredMessage, reading: OpenCodeState): void {
  const ts = asIsoTime(asObject(message.data.time).created)
  const said = message.parts.map(({ data }) => typedText(data)).filter((part) => part !== '')
  if (said.length > 0) {
    const event = { id: message.id, key: message.id, ts, role: 'user' as const, text: said.join('\n') }
    reading.session.event({ ...event, kind: promptKind(reading) })
  }
  for (const part of message.parts) readUserPart(part, { ...base(message, part), ts }, reading)
}

function typedText(part: JsonObject): string {
  if (part.type === 'text')
    return part.synthetic === true || part.ignored === true ? '' : withoutQuotes(asString(part.text).trim())
  if (part.type !== 'file') return ''
  return /^(?:image|audio|video)\/|^application\/pdf$/.test(asString(part.mime)) ? attachmentText(part) : '' // others are quoted as text
}

/** `opencode run` stores its arguments with their quotes. */
function withoutQuotes(said: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(said) ? said.slice(1, -1).replaceAll('\\"', '"') : said
}

function readUserPart(part: StoredPart, baseOf: AnswerBase, reading: OpenCodeState): void {
  const { data } = part
  const { session } = reading
  switch (data.type) {
    case 'text':
      if (
        data.synthetic === true &&
        data.ignored !== true &&
        asString(data.text).trim() &&
        data.text !== shellAnnouncement
      )
        session.event({ ...baseOf, kind: 'context', role: 'user', text: asString(data.text) })
      return
    case 'subtask': {
      const command = optionalString(data.command)
      const said = command ? `/${command.replace(/^\//, '')}` : asString(data.prompt) || asString(data.description)
      return session.event({ ...baseOf, kind: command ? 'command' : 'context', role: 'user', text: said })
    }
    default:
      readOtherPart(part, baseOf, reading)
  }
}

function readOtherPart(part: StoredPart, base: AnswerBase, reading: OpenCodeState): void {
  const type = asString(part.data.type)
  const { dialect, out } = reading
  if (ignoredParts.has(type) || dialect.ignoredParts?.includes(type)) return
  if (!dialect.readPart?.(part, { base, reading })) out.unknownType(`part ${type || 'without type'}`)
}

/** Files are quoted in synthetic texts, compactions have a summary, steps repeat their message. */
const ignoredParts = new Set(['file', 'agent', 'compaction', 'step-start', 'step-finish', 'snapshot'])

type AnswerBase = Pick<Event, 'id' | 'key' | 'ts' | 'model'>

function base(message: StoredMessage, part: StoredPart): AnswerBase {
  const { start, created } = asObject(part.data.time)
  const ts = asIsoTime(start ?? created) ?? asIsoTime(asObject(message.data.time).created)
  return { id: part.id, key: `${message.id}/${part.id}`, ts, model: optionalString(message.data.modelID) }
}

function readAssistant(message: StoredMessage, reading: OpenCodeState, isShell: boolean): void {
  const { session } = reading
  if (!isShell) readUsage(message, reading)
  const edited = new Set<string>()
  for (const part of message.parts) {
    if (part.data.type === 'patch') readPatch(part, base(message, part), reading, edited)
    else if (part.data.type === 'tool')
      for (const path of readTool(callOf(part.data), { base: base(message, part), reading, isShell })) edited.add(path)
    else readAnswerPart(part, base(message, part), reading, message.data.summary === true)
  }
  const error = asObject(message.data.error)
  if (!optionalString(error.name)) return
  const isStop = /Abort/.test(asString(error.name))
  session.event({
    id: message.id,
    key: `${message.id}/error`,
    kind: isStop ? 'interrupt' : 'error',
    role: isStop ? 'user' : 'system',
    ts: asIsoTime(asObject(message.data.time).completed) ?? asIsoTime(asObject(message.data.time).created),
    text: isStop ? '' : errorText(error),
  })
}

function callOf(part: JsonObject) {
  const state = asObject(part.state)
  const { start, end } = asObject(state.time)
  return {
    tool: optionalString(part.tool) ?? 'unknown',
    call: optionalString(part.callID),
    status: asString(state.status),
    input: state.input ?? {},
    output: [asString(state.output), ...asArray(state.attachments).map((file) => attachmentText(asObject(file)))]
      .join('\n')
      .trim(),
    error: asString(state.error),
    details: asObject(state.metadata),
    started: asIsoTime(start),
    ended: asIsoTime(end),
  }
}

function readAnswerPart(part: StoredPart, base: AnswerBase, reading: OpenCodeState, isSummary: boolean): void {
  const { data } = part
  const { session } = reading
  const said = asString(data.text)
  switch (data.type) {
    case 'text':
      if (!said.trim() || data.ignored === true) return
      if (isSummary) return session.event({ ...base, kind: 'compaction', role: 'system', text: said })
      if (data.synthetic === true) return session.event({ ...base, kind: 'context', role: 'system', text: said })
      return session.event({ ...base, kind: 'reply', role: 'assistant', text: said })
    case 'reasoning':
      if (said.trim()) session.event({ ...base, kind: 'thinking', role: 'assistant', text: said })
      return
    case 'retry':
      return session.event({ ...base, kind: 'error', role: 'system', text: errorText(asObject(data.error)) })
    default:
      readOtherPart(part, base, reading)
  }
}

function errorText(error: JsonObject): string {
  return optionalString(asObject(error.data).message) ?? optionalString(error.message) ?? asString(error.name)
}

/** Changes between two snapshots: files that no editing tool named were changed by commands. */
function readPatch({ data }: StoredPart, base: AnswerBase, { session }: OpenCodeState, edited: Set<string>): void {
  const paths = asArray(data.files).map(asString)
  const files = paths.filter((path) => path && !edited.has(path)).map((path) => ({ path, change: 'update' as const }))
  if (files.length > 0) session.event({ ...base, kind: 'edit', role: 'tool', text: '', files })
}

function readUsage({ id, data }: StoredMessage, { session, dialect }: OpenCodeState): void {
  const model = optionalString(data.modelID)
  if (model) session.about({ model })
  if (dialect.usage) return
  const tokens = asObject(data.tokens)
  const cache = asObject(tokens.cache)
  const [input, written, reasoning] = [asCount(tokens.input), asCount(tokens.output), asCount(tokens.reasoning)]
  const [cacheRead, cacheWrite] = [asCount(cache.read), asCount(cache.write)]
  if (input + written + reasoning + cacheRead + cacheWrite === 0) return
  // 1.2 included reasoning in the output, later versions do not; the total tells which.
  const isBeside = asCount(tokens.total) === input + written + reasoning + cacheRead + cacheWrite
  session.usage({
    key: id,
    ts: asIsoTime(asObject(data.time).created),
    model: model ?? null,
    input,
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
    output: isBeside ? written + reasoning : written,
    reasoning,
    costUsd: asUsd(data.cost) || undefined, // zero means that OpenCode has no price
  })
}
