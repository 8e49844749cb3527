// Reads agent transcripts: JSON lines without ids, with no times but the minute of a prompt and
// hardly any results; in 2025 plain text with a heading line before every block.

import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { readForeignText } from '../../core/files.ts'
import type { Event, FileChange, Json } from '../../core/session.ts'
import type { DocumentTranscript, LogReader, LogTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { lineCount } from '../file-changes.ts'
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
import { type ChatLocation, describeChat, folderOf, isInEditor } from './chat.ts'
import { parsePrompt, promptTime } from './prompts.ts'

export function logTranscript(path: string, place: ChatLocation): LogTranscript {
  return {
    shape: 'log',
    path,
    also: place.chat ? [join(place.chat, 'meta.json')] : [],
    open: (out, state) => openLog(place, out, state),
  }
}

interface LogState {
  place: ChatLocation
  out: ReaderOutput
  readonly session: SessionOutput
  calls: PendingCalls
  /** Calls without a result; results name no call, so they belong to the oldest. */
  waiting: string[]
  /** Number of records read so far: part of the key of a record, which has no id. */
  ordinal: number
  cwd: string | undefined
}

function openLog(place: ChatLocation, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const isElsewhere = state === undefined ? isInEditor(place) : saved.isElsewhere === true
  if (isElsewhere) return { record() {}, state: () => ({ isElsewhere }) }
  const reading: LogState = {
    place,
    out,
    get session() {
      return out.session(place.id) // a transcript without a line is no session
    },
    calls: pendingCalls(saved.calls),
    waiting: asArray(saved.waiting).map(asString),
    ordinal: asCount(saved.ordinal),
    cwd: optionalString(saved.cwd) ?? describeChat(place).cwd,
  }
  if (reading.ordinal > 0) reading.session.about(describeChat(place)) // the title is written after the first lines
  return {
    record(record) {
      if (reading.ordinal === 0) reading.session.about(describeChat(place))
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

function readRecord(record: JsonObject, reading: LogState): void {
  const content = contentBlocks(asObject(record.message).content)
  if (record.role === 'user') return readUser(content, reading)
  if (record.role === 'assistant') return readAnswer(content, reading)
  if (record.type === 'turn_ended') return readEnd(record, reading)
  reading.out.unknownType(optionalString(record.type) ?? optionalString(record.role) ?? 'record without type')
}

function contentBlocks(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content).map(asObject)
}

function createEvent(
  reading: LogState,
  index: number,
  made: Pick<Event, 'kind' | 'role' | 'text'> & Partial<Event>,
): Event {
  const key = fingerprint(reading.place.id, reading.ordinal, index, made.kind, made.text, JSON.stringify(made.input))
  return { id: '', key, ts: null, ...made }
}

function readUser(content: JsonObject[], reading: LogState): void {
  const { session, place } = reading
  const said = content.map((block) => (block.type === 'image' ? imageText(block) : asString(block.text))).join('\n')
  const prompt = parsePrompt(said)
  if (prompt.text) {
    const kind = place.parent ? 'context' : prompt.kind
    reading.waiting.length = 0
    reading.calls = pendingCalls(undefined)
    session.event(createEvent(reading, 0, { kind, role: 'user', text: prompt.text, ts: promptTime(said) }))
  }
  content.forEach((block, index) => {
    if (isResult(block)) readResult(block, index, reading)
    else if (block.type !== 'text' && block.type !== 'image') reading.out.unknownType(`block ${asString(block.type)}`)
  })
}

function imageText(block: JsonObject): string {
  const source = asObject(block.source)
  return imagePlaceholder(
    optionalString(source.media_type) ?? optionalString(block.mimeType),
    asString(source.data) || asString(block.data),
  )
}

function isResult(block: JsonObject): boolean {
  return block.type === 'tool_result' || block.type === 'tool-result'
}

function readResult(block: JsonObject, index: number, reading: LogState): void {
  const call = reading.waiting.shift()
  const said = contentBlocks(block.content).map((part) =>
    part.type === 'image' ? imageText(part) : asString(part.text),
  )
  const error = block.is_error === true ? 'failed' : undefined
  const result = createEvent(reading, index, { kind: 'tool_result', role: 'tool', text: said.join('\n'), call, error })
  reading.session.event(reading.calls.close(result))
}

function readAnswer(content: JsonObject[], reading: LogState): void {
  for (const [index, block] of content.entries()) readAnswerBlock(block, index, reading)
}

function readAnswerBlock(block: JsonObject, index: number, reading: LogState): void {
  const { session, out } = reading
  switch (block.type) {
    case 'text': {
      const said = asString(block.text).replaceAll('[REDACTED]', '').trim() // placeholder of thinking that is not stored
      if (said) session.event(createEvent(reading, index, { kind: 'reply', role: 'assistant', text: said }))
      return
    }
    case 'thinking': {
      const said = asString(block.thinking) || asString(block.text)
      if (said) session.event(createEvent(reading, index, { kind: 'thinking', role: 'assistant', text: said }))
      return
    }
    case 'tool_use':
    case 'tool_call':
      return readCall(block, index, reading)
    default:
      out.unknownType(`block ${asString(block.type) || 'without type'}`)
  }
}

function readCall(block: JsonObject, index: number, reading: LogState): void {
  const { session, calls, waiting } = reading
  const tool = optionalString(block.name) ?? 'unknown'
  const input = block.input ?? {}
  const made = createEvent(reading, index, { kind: 'tool_call', role: 'assistant', text: '', tool, input })
  made.call = optionalString(block.id) ?? made.key
  session.event(calls.open(made))
  waiting.push(made.call)
  if (waiting.length > 100) waiting.shift()
  learnFolder(input, reading)
  // Whether an edit was denied or failed is not recorded: it counts as done.
  const files = changedFiles(tool, asObject(input))
  if (files.length > 0)
    session.event({ ...made, key: `${made.key}/edit`, kind: 'edit', role: 'tool', input: undefined, files })
}

/**
 * The project folder is named by a path with replaced characters: a path that yields this name is
 * the one.
 */
function learnFolder(input: Json, reading: LogState): void {
  if (reading.cwd !== undefined) return
  const paths = Object.values(asObject(input)).map(asString)
  reading.cwd = paths.map((path) => folderOf(path, reading.place.slug)).find((folder) => folder !== undefined)
  if (reading.cwd) reading.session.about({ cwd: reading.cwd })
}

function readEnd(record: JsonObject, reading: LogState): void {
  const status = asString(record.status)
  reading.waiting.length = 0
  if (/abort|cancel|interrupt/i.test(status))
    reading.session.event(createEvent(reading, 0, { kind: 'interrupt', role: 'user', text: '' }))
  else if (/error|fail/i.test(status))
    reading.session.event(
      createEvent(reading, 0, { kind: 'error', role: 'system', text: optionalString(record.error) ?? status }),
    )
}

export function changedFiles(tool: string, input: JsonObject): FileChange[] {
  const names = [input.path, input.target_file, input.file_path, input.relativeWorkspacePath, input.targetFile]
  const path = names.map(optionalString).find((name) => name !== undefined)
  if (!path) return []
  if (/^(?:Delete|delete_file)$/.test(tool)) return [{ path, change: 'delete' }]
  if (/^(?:Write|write|edit_file\w*)$/.test(tool)) {
    const content = optionalString(input.contents) ?? optionalString(input.code_edit)
    return [{ path, change: 'update', ...(content ? { added: lineCount(content) } : {}) }]
  }
  if (!/^(?:StrReplace|Edit|MultiEdit|EditNotebook|ApplyPatch|search_replace|apply_patch)$/.test(tool)) return []
  const [before, after] = [optionalString(input.old_string), optionalString(input.new_string)]
  if (before === undefined && after === undefined) return [{ path, change: 'update' }]
  return [{ path, change: 'update', added: lineCount(asString(after)), removed: lineCount(asString(before)) }]
}

export function textTranscript(path: string, place: ChatLocation): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      if (!isInEditor(place)) readText(path, place, out)
      return undefined
    },
  }
}

interface TextBlock {
  /** user, assistant, thinking, call or result. */
  kind: string
  /** The tool, for calls and results. */
  name: string
  text: string
}

function readText(path: string, place: ChatLocation, out: ReaderOutput): void {
  let source: string
  try {
    source = readForeignText(path)
  } catch (error) {
    return out.problem(0, messageOf(error))
  }
  const blocks = blocksOf(source)
  if (blocks.length === 0) return
  const session = out.session(place.id)
  session.about(describeChat(place))
  const calls = pendingCalls(undefined)
  let open: string | undefined
  let cwd: string | undefined
  blocks.forEach((block, index) => {
    const base = { id: '', key: fingerprint(place.id, index, block.kind, block.text), ts: null }
    if (block.kind === 'call') {
      open = base.key
      const input = inputOf(block.text)
      const made: Event = {
        ...base,
        kind: 'tool_call',
        role: 'assistant',
        text: '',
        tool: block.name,
        call: open,
        input,
      }
      session.event(calls.open(made))
      cwd ??= Object.values(input)
        .map((path) => folderOf(path, place.slug))
        .find(Boolean)
      const files = changedFiles(block.name, asObject(input))
      if (files.length > 0)
        session.event({ ...made, key: `${base.key}/edit`, kind: 'edit', role: 'tool', input: undefined, files })
    } else if (block.kind === 'result') {
      const result: Event = {
        ...base,
        kind: 'tool_result',
        role: 'tool',
        text: block.text,
        tool: block.name,
        call: open,
      }
      session.event(calls.close(result))
      open = undefined
    } else if (block.kind === 'user') {
      const { kind, text } = parsePrompt(block.text)
      if (text)
        session.event({
          ...base,
          kind: place.parent ? 'context' : kind,
          role: 'user',
          text,
          ts: promptTime(block.text),
        })
    } else {
      const text = block.text.replaceAll('[REDACTED]', '').trim()
      const kind = block.kind === 'thinking' ? 'thinking' : 'reply'
      if (text) session.event({ ...base, kind, role: 'assistant', text })
    }
  })
  session.about({ cwd: describeChat(place).cwd ?? cwd })
}

function blocksOf(source: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let isQuoted = false // inside a prompt these words are the user's
  for (const line of source.split(/\r?\n/)) {
    if (line.includes('<user_query>')) isQuoted = true
    if (line.includes('</user_query>')) isQuoted = false
    const head = isQuoted ? null : /^(?:(user|assistant):|\[(Tool call|Tool result|Thinking)\] ?(.*))$/.exec(line)
    if (!head) {
      const last = blocks.at(-1)
      if (last) last.text += `${line}\n`
      continue
    }
    const kind = head[1] ?? head[2]!.replace('Tool ', '').toLowerCase()
    const rest = head[3] ?? ''
    blocks.push({ kind, name: rest.trim() || 'unknown', text: kind === 'thinking' ? `${rest}\n` : '' })
  }
  return blocks.map((block) => ({ ...block, text: block.text.trim() }))
}

/** Arguments are lines `  name: value` below the call; a value may continue on further lines. */
function inputOf(source: string): Record<string, string> {
  const input = new Map<string, string>()
  let name: string | undefined
  for (const line of source.split('\n')) {
    const found = /^\s{0,4}(\w+): ?(.*)$/.exec(line)
    if (found) {
      name = found[1]!
      input.set(name, found[2]!)
    } else if (name !== undefined) input.set(name, `${input.get(name)}\n${line}`)
  }
  return Object.fromEntries(input)
}
