// kimi-cli, the program before kimi-code (from its source, to May 2026): one wire log per session, subagents inside it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Event, FileChange, Json } from '../../core/session.ts'
import type { LogReader, LogTranscript, Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { lineCount } from '../changes.ts'
import { count, type Fields, fields, fingerprint, list, named, parseJson, text, time } from '../values.ts'
import { partsText, tellResult } from './parts.ts'

export function kimiCliTranscript(root: string, folder: string): LogTranscript {
  const state = join(folder, 'state.json')
  return {
    shape: 'log',
    path: join(folder, 'wire.jsonl'),
    also: [state],
    open: (out, saved) => {
      const title = named(jsonFields(state).custom_title)
      out.session(basename(folder)).about({ cwd: cwdOf(root, basename(dirname(folder))), title, titleRank: 4 })
      return openWire(basename(folder), out, saved)
    },
  }
}

function jsonFields(path: string): Fields {
  try {
    return fields(parseJson(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}

/** The folder of a project is named by the hash of its path; kimi.json lists the paths. */
function cwdOf(root: string, hash: string): string | undefined {
  const paths = list(jsonFields(join(root, 'kimi.json')).work_dirs).map((folder) => text(fields(folder).path))
  return paths.find((path) => createHash('md5').update(path).digest('hex') === hash.replace(/^.*_/, ''))
}

interface Reading {
  out: Out
  native: string
  calls: CallBook
  /** A call whose arguments are still being written. */
  torn: Fields | undefined
}

function openWire(native: string, out: Out, state: Json | undefined): LogReader {
  const saved = fields(state)
  const torn = fields(saved.torn)
  const reading: Reading = { out, native, calls: callBook(saved.calls), torn: named(torn.id) ? torn : undefined }
  return {
    record(record, offset) {
      if (record.type === 'metadata') return
      const stamp = typeof record.timestamp === 'number' ? record.timestamp : `@${offset}`
      readMessage(fields(record.message), { native, stamp, ts: time(record.timestamp), isSubagent: false }, reading)
    },
    state: () => ({ calls: reading.calls.state(), torn: { ...reading.torn } }),
  }
}

interface Place {
  native: string
  stamp: string | number
  ts: string | null
  isSubagent: boolean
}

function readMessage(message: Fields, place: Place, reading: Reading): void {
  const type = text(message.type)
  const payload = fields(message.payload)
  const session = reading.out.session(place.native)
  const base = baseOf(type, payload, place)
  switch (type) {
    case 'TurnBegin':
    case 'SteerInput': {
      const said = partsText(payload.user_input)
      if (said.trim()) session.event({ ...base, kind: userKind(said, place), role: 'user', text: said })
      return
    }
    case 'ContentPart':
    case 'TextPart':
    case 'ThinkPart': {
      const answer = { ...base, role: 'assistant' } as const
      if (text(payload.text).trim()) session.event({ ...answer, kind: 'reply', text: text(payload.text) })
      if (text(payload.think).trim()) session.event({ ...answer, kind: 'thinking', text: text(payload.think) })
      return
    }
    case 'ToolCall':
      reading.torn = undefined
      return readCall(payload, base, session, reading)
    case 'ToolCallPart':
      return readCallPart(payload, base, session, reading)
    case 'ToolResult':
      return readResult(payload, base, session, reading)
    case 'StatusUpdate':
      return readStatus(payload, base, session)
    case 'StepInterrupted':
      return session.event({ ...base, kind: 'interrupt', role: 'user', text: 'Step interrupted' })
    case 'CompactionEnd':
      return session.event({ ...base, kind: 'compaction', role: 'system', text: 'Context compacted' })
    case 'Notification':
      return session.event({
        ...base,
        kind: 'context',
        role: 'system',
        text: [text(payload.title), text(payload.body)].join('\n').trim(),
      })
    case 'SubagentEvent':
      return readSubagent(payload, place, reading)
    default:
      if (!silent.has(type)) reading.out.unknown(type)
  }
}

const silent = new Set(
  `TurnEnd StepBegin CompactionBegin HookTriggered HookResolved MCPLoadingBegin MCPLoadingEnd ApprovalRequest
   ApprovalResponse ApprovalRequestResolved ToolCallRequest QuestionRequest PlanDisplay`.split(/\s+/),
)

type Base = Pick<Event, 'id' | 'key' | 'ts'>

/** Nothing but the time tells two records apart that say the same. */
function baseOf(type: string, payload: Fields, { native, stamp, ts }: Place): Base {
  return { id: '', key: fingerprint(native, stamp, type, JSON.stringify(payload)), ts }
}

function userKind(said: string, { isSubagent }: Place): 'prompt' | 'command' | 'context' {
  if (isSubagent || /^\s*<(?:system|system-reminder)>/.test(said)) return 'context'
  return /^\/[a-z][\w:-]*(?:\s|$)/.test(said) ? 'command' : 'prompt'
}

/** Arguments are a string of JSON, which old versions wrote in pieces. */
function readCall(call: Fields, base: Base, session: SessionOut, reading: Reading): void {
  const { name, arguments: source } = fields(call.function)
  const input = text(source) === '' ? {} : parseJson(text(source))
  if (input === undefined) {
    reading.torn = call
    return
  }
  const id = named(call.id)
  if (named(name))
    session.event(
      reading.calls.opened({
        ...base,
        kind: 'tool_call',
        role: 'assistant',
        text: '',
        tool: text(name),
        call: id,
        input,
      }),
    )
}

function readCallPart(payload: Fields, base: Base, session: SessionOut, reading: Reading): void {
  const torn = reading.torn
  if (!torn) return
  const { name, arguments: source } = fields(torn.function)
  const whole = { ...torn, function: { name, arguments: text(source) + text(payload.arguments_part) } }
  reading.torn = undefined
  readCall(whole, base, session, reading)
}

function readResult(payload: Fields, base: Base, session: SessionOut, { calls }: Reading): void {
  const value = fields(payload.return_value ?? payload.result)
  const call = named(payload.tool_call_id)
  const said = [partsText(value.output), text(value.message)].filter((part) => part !== '').join('\n')
  const isError = value.is_error === true
  const isDenied = /rejected by (?:the )?user/i.test(text(value.message))
  const error = isError ? (isDenied ? 'denied' : 'failed') : undefined
  const exit = /exit code:? (\d+)/.exec(text(value.message))?.[1]
  const files = list(value.display).flatMap((block) => changeOf(fields(block)))
  tellResult({ ...base, text: said, call, error, exit, files }, { session, calls })
}

/** What was shown of an edit: the lines before and after. */
function changeOf({ type, path, old_text, new_text }: Fields): FileChange[] {
  if (type !== 'diff' || !named(path)) return []
  return [
    {
      path: text(path),
      change: text(old_text) === '' ? 'add' : 'update',
      added: lineCount(text(new_text)),
      removed: lineCount(text(old_text)),
    },
  ]
}

function readStatus(payload: Fields, base: Base, session: SessionOut): void {
  const usage = fields(payload.token_usage)
  const tokens = {
    input: count(usage.input_other),
    cacheRead: count(usage.input_cache_read),
    cacheWrite: count(usage.input_cache_creation),
    cacheWrite1h: 0,
    output: count(usage.output),
    reasoning: 0,
  }
  if (Object.values(tokens).every((value) => value === 0)) return
  session.usage({ key: named(payload.message_id) ?? base.key, ts: base.ts, model: null, ...tokens })
}

function readSubagent(payload: Fields, place: Place, reading: Reading): void {
  const id = named(payload.agent_id) ?? named(payload.parent_tool_call_id) ?? named(payload.task_tool_call_id)
  if (!id || place.isSubagent) return
  const native = `${place.native}/${id}`
  const type = named(payload.subagent_type)
  reading.out.session(native).about({ kind: 'subagent', parent: place.native, title: type, titleRank: 1 })
  readMessage(fields(payload.event), { ...place, native, isSubagent: true }, reading)
}
