// Reads kimi-cli, the predecessor of kimi-code (from its source, to May 2026): one wire log per
// session, with its subagents.
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { FileChange, Json } from '../../core/session.ts'
import type { EventBase, LogReader, LogTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { lineCount } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { emitResult, partsText } from './content.ts'

export function kimiCliTranscript(root: string, folder: string): LogTranscript {
  const state = join(folder, 'state.json')
  return {
    shape: 'log',
    path: join(folder, 'wire.jsonl'),
    also: [state],
    open: (out, saved) => {
      const title = optionalString(jsonFields(state).custom_title)
      out.session(basename(folder)).about({ cwd: cwdOf(root, basename(dirname(folder))), title, titleRank: 4 })
      return openWire(basename(folder), out, saved)
    },
  }
}

function jsonFields(path: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(path)))
  } catch {
    return {}
  }
}

/** A project folder is named by the hash of its path; kimi.json lists the paths. */
function cwdOf(root: string, hash: string): string | undefined {
  const paths = asArray(jsonFields(join(root, 'kimi.json')).work_dirs).map((folder) => asString(asObject(folder).path))
  return paths.find((path) => createHash('md5').update(path).digest('hex') === hash.replace(/^.*_/, ''))
}

interface WireState {
  out: ReaderOutput
  native: string
  calls: PendingCalls
  /** A call whose arguments are still being written. */
  torn: JsonObject | undefined
}

function openWire(native: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const torn = asObject(saved.torn)
  const reading: WireState = {
    out,
    native,
    calls: pendingCalls(saved.calls),
    torn: optionalString(torn.id) ? torn : undefined,
  }
  return {
    record(record, offset) {
      if (record.type === 'metadata') return
      const stamp = typeof record.timestamp === 'number' ? record.timestamp : `@${offset}`
      readMessage(
        asObject(record.message),
        { native, stamp, ts: asIsoTime(record.timestamp), isSubagent: false },
        reading,
      )
    },
    state: () => ({ calls: reading.calls.state(), torn: { ...reading.torn } }),
  }
}

interface RecordPlace {
  native: string
  stamp: string | number
  ts: string | null
  isSubagent: boolean
}

function readMessage(message: JsonObject, place: RecordPlace, reading: WireState): void {
  const type = asString(message.type)
  const payload = asObject(message.payload)
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
      if (asString(payload.text).trim()) session.event({ ...answer, kind: 'reply', text: asString(payload.text) })
      if (asString(payload.think).trim()) session.event({ ...answer, kind: 'thinking', text: asString(payload.think) })
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
        text: [asString(payload.title), asString(payload.body)].join('\n').trim(),
      })
    case 'SubagentEvent':
      return readSubagent(payload, place, reading)
    default:
      if (!ignoredTypes.has(type)) reading.out.unknownType(type)
  }
}

const ignoredTypes = new Set(
  `TurnEnd StepBegin CompactionBegin HookTriggered HookResolved MCPLoadingBegin MCPLoadingEnd ApprovalRequest
   ApprovalResponse ApprovalRequestResolved ToolCallRequest QuestionRequest PlanDisplay`.split(/\s+/),
)

/** Equal records are only distinguished by their time. */
function baseOf(type: string, payload: JsonObject, { native, stamp, ts }: RecordPlace): EventBase {
  return { id: '', key: fingerprint(native, stamp, type, JSON.stringify(payload)), ts }
}

function userKind(said: string, { isSubagent }: RecordPlace): 'prompt' | 'command' | 'context' {
  if (isSubagent || /^\s*<(?:system|system-reminder)>/.test(said)) return 'context'
  return /^\/[a-z][\w:-]*(?:\s|$)/.test(said) ? 'command' : 'prompt'
}

/** Arguments are a JSON string, which old versions wrote in parts. */
function readCall(call: JsonObject, base: EventBase, session: SessionOutput, reading: WireState): void {
  const { name, arguments: source } = asObject(call.function)
  const input = asString(source) === '' ? {} : parseJson(asString(source))
  if (input === undefined) {
    reading.torn = call
    return
  }
  const id = optionalString(call.id)
  if (optionalString(name))
    session.event(
      reading.calls.open({
        ...base,
        kind: 'tool_call',
        role: 'assistant',
        text: '',
        tool: asString(name),
        call: id,
        input,
      }),
    )
}

function readCallPart(payload: JsonObject, base: EventBase, session: SessionOutput, reading: WireState): void {
  const torn = reading.torn
  if (!torn) return
  const { name, arguments: source } = asObject(torn.function)
  const whole = { ...torn, function: { name, arguments: asString(source) + asString(payload.arguments_part) } }
  reading.torn = undefined
  readCall(whole, base, session, reading)
}

function readResult(payload: JsonObject, base: EventBase, session: SessionOutput, { calls }: WireState): void {
  const value = asObject(payload.return_value ?? payload.result)
  const call = optionalString(payload.tool_call_id)
  const said = [partsText(value.output), asString(value.message)].filter((part) => part !== '').join('\n')
  const isError = value.is_error === true
  // The message is the client's, the output the tool's; a rejected call has no output.
  const isDenied = /^.{0,80}rejected by (?:the )?user/i.test(asString(value.message)) && partsText(value.output) === ''
  const error = isError ? (isDenied ? 'denied' : 'failed') : undefined
  const exit = /exit code:? (\d+)/.exec(asString(value.message))?.[1]
  const files = asArray(value.display).flatMap((block) => changeOf(asObject(block)))
  emitResult({ ...base, text: said, call, error, exit, files }, { session, calls })
}

/** The displayed lines before and after an edit. */
function changeOf({ type, path, old_text, new_text }: JsonObject): FileChange[] {
  if (type !== 'diff' || !optionalString(path)) return []
  return [
    {
      path: asString(path),
      change: asString(old_text) === '' ? 'add' : 'update',
      added: lineCount(asString(new_text)),
      removed: lineCount(asString(old_text)),
    },
  ]
}

function readStatus(payload: JsonObject, base: EventBase, session: SessionOutput): void {
  const usage = asObject(payload.token_usage)
  const tokens = {
    input: asCount(usage.input_other),
    cacheRead: asCount(usage.input_cache_read),
    cacheWrite: asCount(usage.input_cache_creation),
    cacheWrite1h: 0,
    output: asCount(usage.output),
    reasoning: 0,
  }
  if (Object.values(tokens).every((value) => value === 0)) return
  session.usage({ key: optionalString(payload.message_id) ?? base.key, ts: base.ts, model: null, ...tokens })
}

function readSubagent(payload: JsonObject, place: RecordPlace, reading: WireState): void {
  const id =
    optionalString(payload.agent_id) ??
    optionalString(payload.parent_tool_call_id) ??
    optionalString(payload.task_tool_call_id)
  if (!id || place.isSubagent) return
  const native = `${place.native}/${id}`
  const type = optionalString(payload.subagent_type)
  reading.out.session(native).about({ kind: 'subagent', parent: place.native, title: type, titleRank: 1 })
  readMessage(asObject(payload.event), { ...place, native, isSubagent: true }, reading)
}
