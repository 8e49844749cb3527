// Reads the messages of a Zed thread. Version 0.3 names the kind of a message and of each part by
// its only key; earlier ones have roles with segments, and calls and results beside them.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { diffCounts, lineCount } from '../file-changes.ts'
import {
  asArray,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'

interface Thread {
  id: string
  out: ReaderOutput
  session: SessionOutput
  model: string | undefined
  /** Whether a person typed the messages of the user. */
  isHuman: boolean
  placeOf(path: string): string
}

export function readMessages(messages: Json[], thread: Thread): void {
  const calls = callReader(thread)
  messages.forEach((message, index) => {
    // Messages have no time, and only those of the user have ids.
    readMessage(message, { id: '', ts: null, key: `${thread.id}/${index}` }, thread, calls)
  })
}

function readMessage(message: Json, base: EventBase, thread: Thread, calls: CallReader): void {
  const fields = asObject(message)
  if (typeof fields.role === 'string') return readLegacy(fields, base, thread, calls)
  const kind = typeof message === 'string' ? message : (Object.keys(fields)[0] ?? '')
  const content = asObject(fields[kind])
  const system = { ...base, role: 'system' } as const
  switch (kind) {
    case 'User':
      return readUser(asArray(content.content), { ...base, id: asString(content.id) }, thread)
    case 'Agent':
      asArray(content.content).forEach((part, at) => {
        readPart(asObject(part), { ...base, key: `${base.key}#${at}` }, thread, calls)
      })
      for (const [call, result] of Object.entries(asObject(content.tool_results)))
        calls.close(call, asObject(result), base)
      return
    case 'Resume':
      return thread.session.event({ ...system, kind: 'lifecycle', text: 'Continued' })
    case 'Compaction':
      // What a provider compacted itself cannot be read.
      return thread.session.event({ ...system, kind: 'compaction', text: asString(content.Summary) })
    default:
      thread.out.unknownType(`message ${kind || 'without kind'}`)
  }
}

function readUser(parts: Json[], base: EventBase, thread: Thread): void {
  const said = parts
    .map((part) => userText(asObject(part), thread.out))
    .join('')
    .trim()
  if (said) thread.session.event({ ...base, kind: promptKind(said, thread.isHuman), role: 'user', text: said })
}

function promptKind(said: string, isHuman: boolean): Event['kind'] {
  if (!isHuman) return 'context'
  return /^\/[a-z][\w.-]*(?:\s|$)/i.test(said) ? 'command' : 'prompt'
}

function userText(part: JsonObject, out: ReaderOutput): string {
  const [kind = ''] = Object.keys(part)
  switch (kind) {
    case 'Text':
      return asString(part.Text)
    case 'Mention':
      return mentionName(asObject(part.Mention).uri)
    case 'Image':
      return `\n${imagePlaceholder('image/png', asString(asObject(part.Image).source))}\n`
    default:
      out.unknownType(`user part ${kind || 'without kind'}`)
      return ''
  }
}

/** Of a mention only its name was typed; its content is that of a file. */
function mentionName(uri: Json | undefined): string {
  const [kind = ''] = Object.keys(asObject(uri))
  const about = asObject(asObject(uri)[kind])
  const name = ['name', 'abs_path', 'url', 'file_path', 'base_ref'].map((field) => optionalString(about[field]))
  return `@${name.find(Boolean) ?? (kind || asString(uri))}`
}

function readPart(part: JsonObject, base: EventBase, thread: Thread, calls: CallReader): void {
  const [kind = ''] = Object.keys(part)
  const said = { ...base, role: 'assistant', model: thread.model } as const
  switch (kind) {
    case 'Text':
      if (asString(part.Text).trim()) thread.session.event({ ...said, kind: 'reply', text: asString(part.Text) })
      return
    case 'Thinking': {
      const thought = asString(asObject(part.Thinking).text)
      if (thought.trim()) thread.session.event({ ...said, kind: 'thinking', text: thought })
      return
    }
    case 'RedactedThinking':
      return
    case 'ToolUse':
      return calls.open(asObject(part.ToolUse), base)
    default:
      thread.out.unknownType(`agent part ${kind || 'without kind'}`)
  }
}

function readLegacy(message: JsonObject, base: EventBase, thread: Thread, calls: CallReader): void {
  const segments = asArray(message.segments).map(asObject)
  const said = [asString(message.text), ...segments.map((part) => (part.type === 'text' ? asString(part.text) : ''))]
    .join('')
    .trim()
  if (message.role === 'user') {
    const kind = promptKind(said, thread.isHuman && message.is_hidden !== true)
    if (said) thread.session.event({ ...base, kind, role: 'user', text: said })
  } else if (message.role === 'assistant') {
    const thought = segments.map((part) => (part.type === 'thinking' ? asString(part.text) : '')).join('')
    readPart({ Thinking: { text: thought } }, { ...base, key: `${base.key}/thinking` }, thread, calls)
    readPart({ Text: said }, base, thread, calls)
  } else if (message.role !== 'system') thread.out.unknownType(`message of ${asString(message.role)}`)
  for (const use of asArray(message.tool_uses).map(asObject))
    calls.open(use, { ...base, key: `${base.key}/${asString(use.id)}` })
  // Until 0.1 the results were in the next message of the user.
  for (const result of asArray(message.tool_results).map(asObject))
    calls.close(asString(result.tool_use_id), result, base)
}

interface CallReader {
  open(use: JsonObject, base: EventBase): void
  close(call: string, result: JsonObject, base: EventBase): void
}

function callReader(thread: Thread): CallReader {
  const pending = pendingCalls(undefined)
  const made = new Map<string, { tool: string; input: JsonObject }>()
  return {
    open(use, base) {
      const call = optionalString(use.id)
      const tool = optionalString(use.name) ?? 'unknown'
      const input = inputOf(use)
      if (call) made.set(call, { tool, input: asObject(input) })
      const event = { ...base, text: '', tool, call, input, model: thread.model }
      thread.session.event(pending.open({ ...event, kind: 'tool_call', role: 'assistant' }))
    },
    close(call, result, base) {
      const outcome = outcomeOf(result)
      const key = `${base.key}/${call}/result`
      const done = { ...base, key, role: 'tool', call, tool: optionalString(result.tool_name) } as const
      thread.session.event(pending.close({ ...done, kind: 'tool_result', ...outcome }))
      const request = made.get(call)
      const files = request && !outcome.error ? changedFiles(request, asObject(result.output), thread) : []
      if (files.length > 0)
        thread.session.event({ ...done, key: `${base.key}/${call}/edit`, kind: 'edit', text: '', files })
    },
  }
}

/** Since July 2026 an input says whether it is JSON or text. */
function inputOf(use: JsonObject): Json {
  const { type, value } = asObject(use.input)
  const input = (type === 'json' || type === 'text') && value !== undefined ? value : use.input
  return input ?? parseJson(asString(use.raw_input)) ?? {}
}

function outcomeOf(result: JsonObject): { text: string; error?: ToolError; exit?: number } {
  const content = Array.isArray(result.content) ? result.content : [result.content]
  const text = content.map(resultText).filter(Boolean).join('\n')
  const code = /^Command "[\s\S]*?" failed with exit code (-?\d+)\./.exec(text)?.[1]
  if (code !== undefined) return { text, error: 'failed', exit: Number(code) }
  if (result.is_error !== true) return { text }
  if (/Permission to run tool denied by user/.test(text)) return { text, error: 'denied' }
  return { text, error: /^Tool canceled by user/.test(text) ? 'interrupted' : 'failed' }
}

/** A text, `{"Text": …}`, `{"type":"text","text": …}` or an image in the same forms. */
function resultText(part: Json | undefined): string {
  if (typeof part === 'string') return part
  const fields = asObject(part)
  const image = asObject(fields.Image ?? fields.image ?? fields)
  if (typeof image.source === 'string') return imagePlaceholder('image/png', image.source)
  return asString(fields.Text) || asString(fields.text)
}

/** The output of an edit has the texts before and after it, and their difference. */
function changedFiles(
  { tool, input }: { tool: string; input: JsonObject },
  output: JsonObject,
  { placeOf }: Thread,
): FileChange[] {
  const [path, from, to] = [input.path, input.source_path, input.destination_path].map(optionalString)
  if (tool === 'delete_path' && path) return [{ path: placeOf(path), change: 'delete' }]
  if (tool === 'move_path' && from && to) return [{ path: placeOf(to), change: 'move' }]
  if (tool === 'copy_path' && to) return [{ path: placeOf(to), change: 'add' }]
  if (!path || !editTools.has(tool)) return []
  const diff = asString(output.diff)
  if (diff) {
    const isNew = optionalString(output.old_text) === undefined && 'old_text' in output
    return [{ path: placeOf(path), change: isNew ? 'add' : 'update', ...diffCounts(diff) }]
  }
  if ('new_text' in output && output.new_text === output.old_text) return []
  const change = tool === 'create_file' || input.mode === 'create' ? 'add' : 'update'
  const written = optionalString(input.content) ?? optionalString(input.contents)
  return [{ path: placeOf(path), change, ...(written ? { added: lineCount(written) } : {}) }]
}

/** `edit_file` created files, too, until it was divided; the last two are from 2025. */
const editTools = new Set(['edit_file', 'write_file', 'create_file', 'find_replace_file'])
