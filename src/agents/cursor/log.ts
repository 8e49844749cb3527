// Agent transcripts as JSON lines. They carry no ids, no times beyond the minute of a prompt, and hardly any results.
import { join } from 'node:path'
import type { Event, Json } from '../../core/session.ts'
import type { LogReader, LogTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import {
  asArray,
  asCount,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { aboutChat, folderOf, isInEditor, type Place } from './place.ts'
import { promptTime, readPrompt } from './prompt.ts'
import { changedFiles } from './tool.ts'

export function logTranscript(path: string, place: Place): LogTranscript {
  return {
    shape: 'log',
    path,
    also: place.chat ? [join(place.chat, 'meta.json')] : [],
    open: (out, state) => openLog(place, out, state),
  }
}

interface Reading {
  place: Place
  out: ReaderOutput
  readonly session: SessionOutput
  calls: PendingCalls
  /** Calls whose result may still come; results name no call, so the oldest is meant. */
  waiting: string[]
  /** Records read so far: half of the identity of a record that has no id. */
  ordinal: number
  cwd: string | undefined
}

function openLog(place: Place, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const isElsewhere = state === undefined ? isInEditor(place) : saved.isElsewhere === true
  if (isElsewhere) return { record() {}, state: () => ({ isElsewhere }) }
  const reading: Reading = {
    place,
    out,
    get session() {
      return out.session(place.id) // a transcript without a line is no session
    },
    calls: pendingCalls(saved.calls),
    waiting: asArray(saved.waiting).map(asString),
    ordinal: asCount(saved.ordinal),
    cwd: optionalString(saved.cwd) ?? aboutChat(place).cwd,
  }
  if (reading.ordinal > 0) reading.session.about(aboutChat(place)) // a title comes later than the first lines
  return {
    record(record) {
      if (reading.ordinal === 0) reading.session.about(aboutChat(place))
      readRecord(record, reading)
      reading.ordinal++
    },
    state: () => ({
      ordinal: reading.ordinal,
      calls: reading.calls.state(),
      waiting: reading.waiting,
      cwd: reading.cwd ?? null,
    }),
  }
}

function readRecord(record: JsonObject, reading: Reading): void {
  const content = blocks(asObject(record.message).content)
  if (record.role === 'user') return readUser(content, reading)
  if (record.role === 'assistant') return readAnswer(content, reading)
  if (record.type === 'turn_ended') return readEnd(record, reading)
  reading.out.unknownType(optionalString(record.type) ?? optionalString(record.role) ?? 'record without type')
}

function blocks(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content).map(asObject)
}

function event(reading: Reading, index: number, made: Pick<Event, 'kind' | 'role' | 'text'> & Partial<Event>): Event {
  const key = fingerprint(reading.place.id, reading.ordinal, index, made.kind, made.text, JSON.stringify(made.input))
  return { id: '', key, ts: null, ...made }
}

function readUser(content: JsonObject[], reading: Reading): void {
  const { session, place } = reading
  const said = content.map((block) => (block.type === 'image' ? image(block) : asString(block.text))).join('\n')
  const prompt = readPrompt(said)
  if (prompt.text) {
    const kind = place.parent ? 'context' : prompt.kind
    reading.waiting.length = 0
    reading.calls = pendingCalls(undefined)
    session.event(event(reading, 0, { kind, role: 'user', text: prompt.text, ts: promptTime(said) }))
  }
  content.forEach((block, index) => {
    if (isResult(block)) readResult(block, index, reading)
    else if (block.type !== 'text' && block.type !== 'image') reading.out.unknownType(`block ${asString(block.type)}`)
  })
}

function image(block: JsonObject): string {
  const source = asObject(block.source)
  return imagePlaceholder(
    optionalString(source.media_type) ?? optionalString(block.mimeType),
    asString(source.data) || asString(block.data),
  )
}

function isResult(block: JsonObject): boolean {
  return block.type === 'tool_result' || block.type === 'tool-result'
}

function readResult(block: JsonObject, index: number, reading: Reading): void {
  const call = reading.waiting.shift()
  const said = blocks(block.content).map((part) => (part.type === 'image' ? image(part) : asString(part.text)))
  const error = block.is_error === true ? 'failed' : undefined
  const result = event(reading, index, { kind: 'tool_result', role: 'tool', text: said.join('\n'), call, error })
  reading.session.event(reading.calls.close(result))
}

function readAnswer(content: JsonObject[], reading: Reading): void {
  for (const [index, block] of content.entries()) readAnswerBlock(block, index, reading)
}

function readAnswerBlock(block: JsonObject, index: number, reading: Reading): void {
  const { session, out } = reading
  switch (block.type) {
    case 'text': {
      const said = asString(block.text).replaceAll('[REDACTED]', '').trim() // stands for thinking that is not kept
      if (said) session.event(event(reading, index, { kind: 'reply', role: 'assistant', text: said }))
      return
    }
    case 'thinking': {
      const said = asString(block.thinking) || asString(block.text)
      if (said) session.event(event(reading, index, { kind: 'thinking', role: 'assistant', text: said }))
      return
    }
    case 'tool_use':
    case 'tool_call':
      return readCall(block, index, reading)
    default:
      out.unknownType(`block ${asString(block.type) || 'without type'}`)
  }
}

function readCall(block: JsonObject, index: number, reading: Reading): void {
  const { session, calls, waiting } = reading
  const tool = optionalString(block.name) ?? 'unknown'
  const input = block.input ?? {}
  const made = event(reading, index, { kind: 'tool_call', role: 'assistant', text: '', tool, input })
  made.call = optionalString(block.id) ?? made.key
  session.event(calls.open(made))
  waiting.push(made.call)
  if (waiting.length > 100) waiting.shift()
  learnFolder(input, reading)
  // Whether the edit was refused or failed is not written anywhere: it is taken for done.
  const files = changedFiles(tool, asObject(input))
  if (files.length > 0)
    session.event({ ...made, key: `${made.key}/edit`, kind: 'edit', role: 'tool', input: undefined, files })
}

/** The name of the project folder is the path with all marks replaced: a path that gives that name is the one. */
function learnFolder(input: Json, reading: Reading): void {
  if (reading.cwd !== undefined) return
  const paths = Object.values(asObject(input)).map(asString)
  reading.cwd = paths.map((path) => folderOf(path, reading.place.slug)).find((folder) => folder !== undefined)
  if (reading.cwd) reading.session.about({ cwd: reading.cwd })
}

function readEnd(record: JsonObject, reading: Reading): void {
  const status = asString(record.status)
  reading.waiting.length = 0
  if (/abort|cancel|interrupt/i.test(status))
    reading.session.event(event(reading, 0, { kind: 'interrupt', role: 'user', text: '' }))
  else if (/error|fail/i.test(status))
    reading.session.event(
      event(reading, 0, { kind: 'error', role: 'system', text: optionalString(record.error) ?? status }),
    )
}
