// Turns the records of a Droid session into events.
import { basename } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase, LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import { lineCount, type PendingChanges, patchChanges, pendingChanges } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
export function settingsOf(path: string): string {
  return path.replace(/\.jsonl$/, '.settings.json')
}

interface DroidState {
  out: ReaderOutput
  native: string
  session: SessionOutput
  calls: PendingCalls
  /** Files that open calls will change. */
  changes: PendingChanges
  isSubagent: boolean
  settings: JsonObject
  /** Time of the last record, for the total, which has none. */
  latest: string | null
}

export function openDroid(path: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const native = basename(path, '.jsonl')
  const reading: DroidState = {
    out,
    native,
    session: out.session(native),
    calls: pendingCalls(saved.calls),
    changes: pendingChanges(saved.changes),
    isSubagent: saved.isSubagent === true,
    settings: readSettings(path),
    latest: optionalString(saved.latest) ?? null,
  }
  if (reading.latest) countTokens(reading) // the total may have grown after the last record
  return {
    record: (record) => readRecord(record, reading),
    state: () => ({
      calls: reading.calls.state(),
      changes: reading.changes.state(),
      isSubagent: reading.isSubagent,
      latest: reading.latest,
    }),
  }
}

function readSettings(path: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(settingsOf(path))))
  } catch {
    return {} // sessions of old versions have none
  }
}

/** One key for the whole session: the total grows, and the larger value counts. */
function countTokens({ session, native, settings, latest }: DroidState): void {
  const model = optionalString(settings.model)
  const usage = asObject(settings.tokenUsage)
  session.about({ model })
  if (asCount(usage.inputTokens) + asCount(usage.outputTokens) === 0) return
  session.usage({
    key: `${native}/total`,
    ts: latest,
    model: model ?? null,
    input: asCount(usage.inputTokens),
    cacheRead: asCount(usage.cacheReadTokens),
    cacheWrite: asCount(usage.cacheCreationTokens),
    cacheWrite1h: 0,
    output: asCount(usage.outputTokens), // includes thinking tokens
    reasoning: asCount(usage.thinkingTokens),
  })
}

function readRecord(record: JsonObject, reading: DroidState): void {
  const { session, out } = reading
  const type = asString(record.type)
  const key =
    optionalString(record.id) ?? fingerprint(reading.native, asString(record.timestamp), JSON.stringify(record.message))
  const base = { id: asString(record.id), key, ts: asIsoTime(record.timestamp) }
  reading.latest = base.ts ?? reading.latest
  switch (type) {
    case 'session_start':
      return readStart(record, reading)
    case 'message':
      return readMessage(record, base, reading)
    case 'compaction_state':
      return session.event({ ...base, kind: 'compaction', role: 'system', text: asString(record.summaryText) })
    case 'todo_state': // repeats the call of TodoWrite
    case 'session_settings':
    case 'agent_turn_outcome':
      return
    default:
      out.unknownType(type)
  }
}

function readStart(start: JsonObject, reading: DroidState): void {
  const parent = optionalString(start.callingSessionId)
  reading.isSubagent = parent !== undefined
  const { session } = reading
  session.about({
    kind: parent ? 'subagent' : undefined,
    parent,
    cwd: optionalString(start.cwd),
    version: typeof start.version === 'string' ? start.version : undefined, // a number is that of the file format
  })
  const title = [start.sessionTitle, start.title].map(asString).find((name) => name !== '' && name !== 'New Session')
  session.about({ title, titleRank: start.isSessionTitleManuallySet === true ? 4 : title === start.title ? 0 : 3 })
}

function readMessage(record: JsonObject, base: EventBase, reading: DroidState): void {
  const message = asObject(record.message)
  const content = contentBlocks(message.content)
  if (message.role === 'assistant') {
    countTokens(reading)
    content.forEach((block, index) => {
      readAnswer(block, { ...base, key: `${base.key}#${index}` }, reading)
    })
    return
  }
  content.forEach((block, index) => {
    if (block.type === 'tool_result') readResult(block, { ...base, key: `${base.key}#${index}` }, reading)
  })
  readUser(
    content.filter((block) => block.type !== 'tool_result'),
    { base, isHuman: message.role === 'user' && !optionalString(record.visibility) && !reading.isSubagent },
    reading,
  )
}

function readAnswer(block: JsonObject, base: EventBase, { session, calls, changes }: DroidState): void {
  const answer = { ...base, role: 'assistant' } as const
  if (block.type === 'text' && asString(block.text).trim())
    session.event({ ...answer, kind: 'reply', text: asString(block.text) })
  if (block.type === 'thinking' && asString(block.thinking).trim())
    session.event({ ...answer, kind: 'thinking', text: asString(block.thinking) })
  const tool = optionalString(block.name)
  if (block.type !== 'tool_use' || !tool) return
  const call = optionalString(block.id)
  const input = block.input ?? {}
  changes.open(call, changesOf(tool, asObject(input)))
  session.event(calls.open({ ...answer, kind: 'tool_call', text: '', tool, call, input }))
}

function changesOf(tool: string, input: JsonObject): FileChange[] {
  if (tool === 'ApplyPatch') return patchChanges(optionalString(input.input) ?? asString(input.patch), undefined)
  const path = optionalString(input.file_path) ?? optionalString(input.path)
  if (!path) return []
  if (tool === 'Create') return [{ path, change: 'add', added: lineCount(asString(input.content)), removed: 0 }]
  if (tool !== 'Edit' && tool !== 'MultiEdit') return []
  const edits = tool === 'Edit' ? [input] : [...asArray(input.edits), ...asArray(input.changes)].map(asObject)
  const firstValue = (edit: JsonObject, names: string[]) =>
    names.map((name) => edit[name]).find((value) => value !== undefined)
  const total = (...names: string[]) =>
    edits.reduce((sum, edit) => sum + lineCount(asString(firstValue(edit, names))), 0)
  return [
    {
      path,
      change: 'update',
      added: total('new_str', 'new_string'),
      removed: total('old_str', 'old_string', 'old_text'),
    },
  ]
}

function readResult(block: JsonObject, base: EventBase, { session, calls, changes }: DroidState): void {
  const call = optionalString(block.tool_use_id)
  const said = contentText(block.content)
  const result = calls.close({ ...base, kind: 'tool_result', role: 'tool', text: said, call })
  if (result.tool === 'Execute') result.exit = exitCode(said)
  result.error = block.is_error === true || /^Error: /.test(said) ? errorKind(said) : result.exit ? 'failed' : undefined
  session.event(result)
  const files = changes.close(call)
  if (files.length > 0 && !result.error)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

function exitCode(said: string): number | undefined {
  const found = /^Error: Command failed \(exit code: (\d+)\)|\[Process exited with code (\d+)\]\s*$/.exec(said)
  return found ? Number(found[1] ?? found[2]) : undefined
}

function errorKind(said: string): ToolError {
  if (/^(?:Error: )?.{0,80}(?:interrupted|cancell?ed) by (?:the )?user/i.test(said)) return 'interrupted'
  return /^(?:Error: )?.{0,80}(?:rejected|denied|declined)/i.test(said) ? 'denied' : 'failed'
}

/**
 * The text of a user message is typed, except reminders before it and the content of mentioned
 * files.
 */
function readUser(
  content: JsonObject[],
  { base, isHuman }: { base: EventBase; isHuman: boolean },
  { session }: DroidState,
): void {
  const said: string[] = []
  content.forEach((block, index) => {
    const whole = contentText([block as Json])
    const branch = /% git rev-parse --abbrev-ref HEAD\n(\S+)/.exec(whole.startsWith(reminder) ? whole : '')?.[1]
    session.about({ branch: branch === 'HEAD' ? undefined : branch })
    const part = whole.replace(/^(?:\s*<system-reminder>[\s\S]*?<\/system-reminder>)+\s*/, '')
    if (/^Contents of .+ \(lines \d+-\d+ of \d+\):/.test(part))
      session.event({ ...base, key: `${base.key}#${index}`, kind: 'context', role: 'user', text: part })
    else if (part.trim()) said.push(part)
  })
  if (said.length === 0) return
  const whole = said.join('\n')
  const kind = !isHuman ? 'context' : /^\[?Request interrupted by user/.test(whole) ? 'interrupt' : 'prompt'
  session.event({ ...base, kind, role: 'user', text: whole })
}

const reminder = '<system-reminder>'

function contentBlocks(content: Json | undefined): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asArray(content).map(asObject)
}

function contentText(content: Json | undefined): string {
  return contentBlocks(content)
    .map((block) => {
      if (block.type !== 'image' && block.type !== 'document') return asString(block.text)
      const source = asObject(block.source)
      return imagePlaceholder(
        optionalString(source.media_type) ?? optionalString(source.mediaType),
        asString(source.data),
      )
    })
    .filter((part) => part !== '')
    .join('\n')
}
