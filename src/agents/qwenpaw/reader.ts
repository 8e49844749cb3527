// Reads a session of QwenPaw: the memory of the agent, which is a list of messages with marks. There
// are no models and no tokens in it.
import { basename, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { absolutePath, lineCount, type PendingChanges, pendingChanges } from '../file-changes.ts'
import { readJsonFile, readRecords } from '../files.ts'
import {
  asArray,
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

export interface PawSessionFile {
  path: string
  /** The folder of the agent, in which its tools work. */
  workspace: string
  agent: string
  channel?: string
}

interface PawState {
  out: ReaderOutput
  session: SessionOutput
  native: string
  workspace: string
  calls: PendingCalls
  /** Changes that take effect with the result of their call. */
  changes: PendingChanges
  isHuman: boolean
  /** The text that a schedule sends to the session `main`. */
  heartbeat: string
}

/** `memo` holds the day of each message that was in the file: summarised ones are moved elsewhere. */
export function readSessionFile(
  { path, workspace, agent, channel }: PawSessionFile,
  out: ReaderOutput,
  memo: Json | undefined,
): Json | undefined {
  const memory = asObject(asObject(asObject(readJsonFile(path, out)).agent).memory)
  const messages = asArray(memory.content).map(messageOf)
  const moved = movedMessages(workspace, asObject(memo), messages, out)
  const summary = asString(memory._compressed_summary)
  if (messages.length + moved.length === 0 && !summary) return memo
  const name = basename(path, '.json')
  const native = [agent, ...(channel ? [channel] : []), name].join('/')
  const chat = chatOf(name, asObject(readJsonFile(join(workspace, 'chats.json'), out)))
  const session = out.session(native)
  const title = optionalString(chat.name)
  session.about({ cwd: workspace, ...(title && title !== 'New Chat' ? { title, titleRank: 3 } : {}) })
  const reading: PawState = {
    out,
    session,
    native,
    workspace,
    calls: pendingCalls(undefined),
    changes: pendingChanges(undefined),
    isHuman: chat.source !== 'cron' && !/(?:^|_|--)cron(?:--|$)/.test(name),
    heartbeat: heartbeatOf(workspace),
  }
  for (const message of moved) readMessage(message, reading)
  if (summary) readSummary(summary, messages, reading)
  for (const message of messages) readMessage(message, reading)
  return { ...asObject(memo), ...Object.fromEntries(messages.flatMap(dayOf)) }
}

function dayOf({ id, timestamp }: JsonObject): [id: string, day: string][] {
  const day = /^\d{4}-\d\d-\d\d/.exec(asString(timestamp))?.[0]
  return optionalString(id) && day ? [[asString(id), day]] : []
}

/** The messages of all sessions that were summarised are in one file per day. */
function movedMessages(workspace: string, seen: JsonObject, messages: JsonObject[], out: ReaderOutput): JsonObject[] {
  const present = new Set(messages.map(({ id }) => asString(id)))
  const missing = new Map(Object.entries(seen).filter(([id]) => !present.has(id)))
  const found = new Map<string, JsonObject>()
  for (const day of new Set(missing.values())) {
    for (const { record } of readRecords(join(workspace, 'dialog', `${asString(day)}.jsonl`), out))
      if (missing.has(asString(record.id))) found.set(asString(record.id), record)
  }
  return [...missing.keys()].map((id) => found.get(id)).filter((message) => message !== undefined)
}

/** `[message, marks]`; the message alone in older versions. */
function messageOf(item: Json): JsonObject {
  return asObject(Array.isArray(item) ? item[0] : item)
}

/** The name of a file is made of the ids of user and session; what no file name may hold is `--`. */
function chatOf(name: string, { chats }: JsonObject): JsonObject {
  const fileName = ({ user_id, session_id }: JsonObject) =>
    [asString(user_id), asString(session_id)]
      .filter(Boolean)
      .join('_')
      .replace(/[\\/:*?"<>|]/g, '--')
  return (
    asArray(chats)
      .map(asObject)
      .find((chat) => fileName(chat) === name) ?? {}
  )
}

function heartbeatOf(workspace: string): string {
  try {
    return readForeignText(join(workspace, 'HEARTBEAT.md')).trim()
  } catch {
    return '' // there is none
  }
}

/** Summarised messages are removed from the file, so the summary stands before the others. */
function readSummary(text: string, messages: JsonObject[], { session, native }: PawState): void {
  const ts = localTime(messages[0]?.timestamp)
  session.event({ id: '', key: fingerprint(native, 'summary', text), kind: 'compaction', role: 'system', ts, text })
}

/** `2026-03-16 09:00:01.250`, local time of the machine that wrote it, assumed to be this one. */
function localTime(stamp: Json | undefined): string | null {
  const time = new Date(asString(stamp).replace(' ', 'T'))
  return Number.isNaN(time.getTime()) ? null : asIsoTime(time.toISOString())
}

function readMessage(message: JsonObject, reading: PawState): void {
  const { session, native } = reading
  const id = asString(message.id)
  const ts = localTime(message.timestamp)
  const key = id ? `${native}/${id}` : fingerprint(native, asString(message.timestamp), JSON.stringify(message.content))
  const base = { id, key, ts }
  const blocks =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : asArray(message.content)
  const role = asString(message.role)
  const said: string[] = []
  blocks.map(asObject).forEach((block, index) => {
    if (role !== 'assistant' && block.type !== 'tool_result') said.push(promptBlock(block, reading))
    else readBlock(block, { ...base, key: `${key}#${index}` }, reading)
  })
  const text = said.filter(Boolean).join('\n')
  if (role !== 'user' && role !== 'system' && role !== 'assistant') reading.out.unknownType(`role ${role}`)
  if (!text) return
  if (role !== 'user') return session.event({ ...base, kind: 'context', role: 'system', text })
  session.event({ ...base, kind: promptKind(text, reading), role: 'user', text })
}

function promptKind(text: string, { isHuman, heartbeat }: PawState): 'prompt' | 'command' | 'context' {
  if (!isHuman || text === heartbeat) return 'context'
  return /^\/[a-z][\w-]*(?:\s|$)/i.test(text) ? 'command' : 'prompt'
}

function promptBlock(block: JsonObject, { out }: PawState): string {
  const type = asString(block.type)
  if (type === 'text') return asString(block.text).trim()
  if (media.has(type)) return mediaText(block)
  if (type === 'file') return `@${asString(block.filename) || asString(asObject(block.source).url)}`
  out.unknownType(`block ${type || 'without type'}`)
  return ''
}

const media = new Set(['image', 'audio', 'video'])

function mediaText({ source }: JsonObject): string {
  const { media_type, data } = asObject(source)
  return imagePlaceholder(optionalString(media_type), asString(data))
}

function readBlock(block: JsonObject, base: EventBase, reading: PawState): void {
  const { session, calls, changes } = reading
  const type = asString(block.type)
  switch (type) {
    case 'text':
      if (asString(block.text).trim())
        session.event({ ...base, kind: 'reply', role: 'assistant', text: asString(block.text) })
      return
    case 'thinking':
      if (asString(block.thinking).trim())
        session.event({ ...base, kind: 'thinking', role: 'assistant', text: asString(block.thinking) })
      return
    case 'tool_use': {
      const call = optionalString(block.id)
      const tool = optionalString(block.name) ?? 'unknown'
      const given = asObject(block.input)
      const input = Object.keys(given).length > 0 ? given : asObject(parseJson(asString(block.raw_input)))
      changes.open(call, changesOf(tool, input, reading.workspace))
      return session.event(
        calls.open({ ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input: input as Json }),
      )
    }
    case 'tool_result':
      return readResult(block, base, reading)
    default:
      if (!media.has(type) && type !== 'file') reading.out.unknownType(`block ${type || 'without type'}`)
  }
}

function changesOf(tool: string, input: JsonObject, workspace: string): FileChange[] {
  const named = optionalString(input.file_path)
  if (!named || !editTools.has(tool)) return []
  const added = lineCount(asString(input.new_text) || asString(input.content))
  const removed = lineCount(asString(input.old_text))
  return [{ path: absolutePath(named, workspace), change: 'update', added, removed }]
}

const editTools = new Set(['write_file', 'edit_file', 'append_file'])

function readResult(block: JsonObject, base: EventBase, { session, calls, changes }: PawState): void {
  const call = optionalString(block.id)
  const text = outputText(block.output)
  const printed = /^Command failed with exit code (-?\d+)/.exec(text)?.[1]
  const exit = printed === undefined ? undefined : Number(printed)
  const error: ToolError | undefined = exit || /^Error: /.test(text) ? 'failed' : undefined
  const tool = optionalString(block.name)
  session.event(calls.close({ ...base, kind: 'tool_result', role: 'tool', text, tool, call, error, exit }))
  const files = changes.close(call)
  if (files.length > 0 && !error)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

function outputText(output: Json | undefined): string {
  if (typeof output === 'string') return output
  return asArray(output)
    .map(asObject)
    .map((block) => (media.has(asString(block.type)) ? mediaText(block) : asString(block.text)))
    .filter(Boolean)
    .join('\n')
}
