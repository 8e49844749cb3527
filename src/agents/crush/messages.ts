// Reads the messages of a session of Crush: each has a list of parts, `{ type, data }`.
import type { Event, FileChange, ToolError } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { absolutePath } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

interface Conversation {
  id: string
  out: ReaderOutput
  session: SessionOutput
  cwd: string
  /** Whether text with the user's role was typed; in a child session its parent wrote it. */
  isHuman: boolean
}

interface CrushState extends Conversation {
  calls: PendingCalls
  /** Paths of calls that write files. */
  written: Map<string, string>
}

export function readMessages(rows: JsonObject[], conversation: Conversation): void {
  const reading: CrushState = { ...conversation, calls: pendingCalls(undefined), written: new Map() }
  for (const row of rows) {
    const parts = parseJson(asString(row.parts))
    if (!Array.isArray(parts)) reading.out.problem(0, `message ${asString(row.id)} is no list of parts`)
    readMessage(row, asArray(parts).map(asObject), reading)
  }
}

type Base = Pick<Event, 'id' | 'key' | 'ts' | 'model'>

function readMessage(row: JsonObject, parts: JsonObject[], reading: CrushState): void {
  const id = asString(row.id)
  const base = { id, key: id, ts: asIsoTime(row.created_at), model: optionalString(row.model) }
  switch (row.role) {
    case 'user':
      readUser(parts, base, reading)
      break
    case 'assistant':
    case 'tool':
    case 'system':
      break
    default:
      reading.out.unknownType(`role ${asString(row.role)}`)
  }
  const isSummary = row.is_summary_message === 1
  parts.forEach((part, index) => {
    const own = { ...base, key: `${id}#${index}` }
    readPart(
      { type: asString(part.type), data: asObject(part.data), role: asString(row.role), isSummary },
      own,
      reading,
    )
  })
}

/** Text and attachments of the user, as one prompt. */
function readUser(parts: JsonObject[], { model: _, ...base }: Base, { session, isHuman }: CrushState): void {
  const text = parts
    .map(({ type, data }) => promptPart(asString(type), asObject(data)))
    .filter((part) => part !== '')
    .join('\n')
    .trim()
  if (!text) return
  session.event({ ...base, kind: isHuman && !machineText.test(text) ? 'prompt' : 'context', role: 'user', text })
}

/** Sent after a summary, and by the command that writes AGENTS.md. */
const machineText =
  /^(?:The previous session was interrupted because it got too long, the initial user request was:|Analyze this codebase and create\/update \*\*)/

function promptPart(type: string, data: JsonObject): string {
  if (type === 'text') return asString(data.text)
  if (type === 'image_url') return imagePlaceholder(undefined, '')
  if (type !== 'binary') return ''
  const mediaType = asString(data.MIMEType)
  return mediaType.startsWith('text/') ? `@${asString(data.Path)}` : imagePlaceholder(mediaType, asString(data.Data))
}

interface Part {
  type: string
  data: JsonObject
  role: string
  isSummary: boolean
}

function readPart({ type, data, role, isSummary }: Part, base: Base, reading: CrushState): void {
  const { session, calls } = reading
  switch (type) {
    case 'text': {
      const text = asString(data.text)
      if (role === 'user' || !text.trim()) return
      if (isSummary) return session.event({ ...base, kind: 'compaction', role: 'system', text })
      if (role === 'system') return session.event({ ...base, kind: 'context', role: 'system', text })
      return session.event({ ...base, kind: 'reply', role: 'assistant', text })
    }
    case 'reasoning': {
      const text = asString(data.thinking)
      if (text.trim()) session.event({ ...base, kind: 'thinking', role: 'assistant', text })
      return
    }
    case 'tool_call': {
      const call = optionalString(data.id)
      const tool = optionalString(data.name) ?? 'unknown'
      const input = parseJson(asString(data.input)) ?? {}
      const path = optionalString(asObject(input).file_path)
      if (call && path && editTools.has(tool)) reading.written.set(call, path)
      return session.event(calls.open({ ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input }))
    }
    case 'tool_result':
      return readResult(data, base, reading)
    case 'shell_command':
      return readShell(data, base, reading)
    case 'finish':
      return readFinish(data, base, reading)
    case 'image_url':
    case 'binary': // part of the prompt
      return
    default:
      reading.out.unknownType(`part ${type || 'without type'}`)
  }
}

const editTools = new Set(['edit', 'write', 'multiedit', 'lsp_replace_symbol'])

function readResult(data: JsonObject, { model: _, ...base }: Base, reading: CrushState): void {
  const call = optionalString(data.tool_call_id)
  const said = asString(data.content)
  const media = asString(data.data)
  const text = [said, ...(media ? [imagePlaceholder(optionalString(data.mime_type), media)] : [])].join('\n').trim()
  const result = { ...resultOf(said, data.is_error === true), call, tool: optionalString(data.name) }
  reading.session.event(reading.calls.close({ ...base, kind: 'tool_result', role: 'tool', text, ...result }))
  const path = call ? reading.written.get(call) : undefined
  if (!path || result.error) return
  const files = [changeOf(absolutePath(path, reading.cwd), said, asObject(parseJson(asString(data.metadata))))]
  reading.session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

/** A command that failed is no error for Crush: its output ends with the exit code. */
function resultOf(said: string, isError: boolean): { error?: ToolError; exit?: number } {
  const printed = /(?:^|\n)Exit code (\d+)\s*(?:<cwd>[^<]*<\/cwd>\s*)?$/.exec(said)?.[1]
  const exit = printed === undefined ? undefined : Number(printed)
  if (!isError) return { exit, error: exit ? 'failed' : undefined }
  if (/^User denied permission/.test(said)) return { exit, error: 'denied' }
  return { exit, error: /user cancelled assistant tool calling/.test(said) ? 'interrupted' : 'failed' }
}

function changeOf(path: string, said: string, metadata: JsonObject): FileChange {
  const counts = { added: asCount(metadata.additions), removed: asCount(metadata.removals) }
  return { path, change: said.startsWith('File created') ? 'add' : 'update', ...counts }
}

/** A command that the user ran with `!`. */
function readShell(data: JsonObject, { model: _, ...base }: Base, { session }: CrushState): void {
  const exit = typeof data.exit_code === 'number' ? data.exit_code : undefined
  const text = asString(data.command)
  session.event({ ...base, kind: 'shell', role: 'user', text, exit, error: exit ? 'failed' : undefined })
  const output = asString(data.output)
  if (output.trim()) session.event({ ...base, key: `${base.key}/output`, kind: 'context', role: 'tool', text: output })
}

function readFinish(data: JsonObject, base: Base, { session }: CrushState): void {
  const text = [data.message, data.details].map(asString).filter(Boolean).join(': ')
  const end = { ...base, ts: asIsoTime(data.time) ?? base.ts, text }
  if (data.reason === 'canceled') session.event({ ...end, kind: 'interrupt', role: 'user' })
  if (data.reason === 'error' || data.reason === 'content_filter')
    session.event({ ...end, text: text || asString(data.reason), kind: 'error', role: 'system' })
}
