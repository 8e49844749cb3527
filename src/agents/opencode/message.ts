// Messages and parts of the first schema, in the database and in files alike.
import type { Event } from '../../core/session.ts'
import { count, type Fields, fields, list, money, named, text, time } from '../values.ts'
import { promptKind, type Reading, type StoredMessage, type StoredPart } from './session.ts'
import { attachment, readTool } from './tool.ts'

/** How OpenCode announces a shell line that the user ran; the command itself follows as a tool of the next answer. */
const shellAnnouncement = 'The following tool was executed by the user'

/** A reader for the messages of one session, in their order. */
export function readMessage(): (message: StoredMessage, reading: Reading) => void {
  let isShell = false
  return (message, reading) => {
    if (message.data.role === 'user') {
      isShell = message.parts.some(({ data }) => data.text === shellAnnouncement && data.synthetic === true)
      return readUser(message, reading)
    }
    if (message.data.role === 'assistant') readAssistant(message, reading, isShell)
    else reading.out.unknown(`message of ${text(message.data.role) || 'no role'}`)
    isShell = false
  }
}

function readUser(message: StoredMessage, reading: Reading): void {
  const ts = time(fields(message.data.time).created)
  const said = message.parts.map(({ data }) => typed(data)).filter((part) => part !== '')
  if (said.length > 0) {
    const event = { id: message.id, key: message.id, ts, role: 'user' as const, text: said.join('\n') }
    reading.session.event({ ...event, kind: promptKind(reading) })
  }
  for (const part of message.parts) readUserPart(part, { ...base(message, part), ts }, reading)
}

function typed(part: Fields): string {
  if (part.type === 'text')
    return part.synthetic === true || part.ignored === true ? '' : unquote(text(part.text).trim())
  if (part.type !== 'file') return ''
  return /^(?:image|audio|video)\/|^application\/pdf$/.test(text(part.mime)) ? attachment(part) : '' // others are quoted as text
}

/** `opencode run` stores its arguments in the quotes that keep them together. */
function unquote(said: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(said) ? said.slice(1, -1).replaceAll('\\"', '"') : said
}

function readUserPart({ data }: StoredPart, base: Base, { session, out }: Reading): void {
  switch (data.type) {
    case 'text':
      if (data.synthetic === true && data.ignored !== true && text(data.text).trim() && data.text !== shellAnnouncement)
        session.event({ ...base, kind: 'context', role: 'user', text: text(data.text) })
      return
    case 'subtask': {
      const command = named(data.command)
      const said = command ? `/${command.replace(/^\//, '')}` : text(data.prompt) || text(data.description)
      return session.event({ ...base, kind: command ? 'command' : 'context', role: 'user', text: said })
    }
    default:
      if (!passedOver.has(text(data.type))) out.unknown(`part ${text(data.type) || 'without type'}`)
  }
}

/** Files are quoted in synthetic texts; a compaction is told by its summary; steps repeat what their message says. */
const passedOver = new Set(['file', 'agent', 'compaction', 'step-start', 'step-finish', 'snapshot'])

type Base = Pick<Event, 'id' | 'key' | 'ts' | 'model'>

function base(message: StoredMessage, part: StoredPart): Base {
  const { start, created } = fields(part.data.time)
  const ts = time(start ?? created) ?? time(fields(message.data.time).created)
  return { id: part.id, key: `${message.id}/${part.id}`, ts, model: named(message.data.modelID) }
}

function readAssistant(message: StoredMessage, reading: Reading, isShell: boolean): void {
  const { session } = reading
  if (!isShell) readUsage(message, reading)
  const edited = new Set<string>()
  for (const part of message.parts) {
    if (part.data.type === 'patch') readPatch(part, base(message, part), reading, edited)
    else if (part.data.type === 'tool')
      for (const path of readTool(callOf(part.data), { base: base(message, part), reading, isShell })) edited.add(path)
    else readAnswerPart(part, base(message, part), reading, message.data.summary === true)
  }
  const error = fields(message.data.error)
  if (!named(error.name)) return
  const isStop = /Abort/.test(text(error.name))
  session.event({
    id: message.id,
    key: `${message.id}/error`,
    kind: isStop ? 'interrupt' : 'error',
    role: isStop ? 'user' : 'system',
    ts: time(fields(message.data.time).completed) ?? time(fields(message.data.time).created),
    text: isStop ? '' : errorText(error),
  })
}

function callOf(part: Fields) {
  const state = fields(part.state)
  const { start, end } = fields(state.time)
  return {
    tool: named(part.tool) ?? 'unknown',
    call: named(part.callID),
    status: text(state.status),
    input: state.input ?? {},
    output: [text(state.output), ...list(state.attachments).map((file) => attachment(fields(file)))].join('\n').trim(),
    error: text(state.error),
    details: fields(state.metadata),
    started: time(start),
    ended: time(end),
  }
}

function readAnswerPart({ data }: StoredPart, base: Base, { session, out }: Reading, isSummary: boolean): void {
  const said = text(data.text)
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
      return session.event({ ...base, kind: 'error', role: 'system', text: errorText(fields(data.error)) })
    default:
      if (!passedOver.has(text(data.type))) out.unknown(`part ${text(data.type) || 'without type'}`)
  }
}

function errorText(error: Fields): string {
  return named(fields(error.data).message) ?? named(error.message) ?? text(error.name)
}

/** What changed between two snapshots: the files that no editing tool has named were changed by commands. */
function readPatch({ data }: StoredPart, base: Base, { session }: Reading, edited: Set<string>): void {
  const paths = list(data.files).map(text)
  const files = paths.filter((path) => path && !edited.has(path)).map((path) => ({ path, change: 'update' as const }))
  if (files.length > 0) session.event({ ...base, kind: 'edit', role: 'tool', text: '', files })
}

function readUsage({ id, data }: StoredMessage, { session }: Reading): void {
  const model = named(data.modelID)
  const tokens = fields(data.tokens)
  const cache = fields(tokens.cache)
  const [input, written, reasoning] = [count(tokens.input), count(tokens.output), count(tokens.reasoning)]
  const [cacheRead, cacheWrite] = [count(cache.read), count(cache.write)]
  if (model) session.about({ model })
  if (input + written + reasoning + cacheRead + cacheWrite === 0) return
  // 1.2 counted reasoning inside the output, later versions beside it: the total tells which.
  const isBeside = count(tokens.total) === input + written + reasoning + cacheRead + cacheWrite
  session.usage({
    key: id,
    ts: time(fields(data.time).created),
    model: model ?? null,
    input,
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
    output: isBeside ? written + reasoning : written,
    reasoning,
    costUsd: money(data.cost) || undefined, // zero is written for models whose price it does not know
  })
}
