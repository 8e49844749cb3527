// Turns messages of Hermes into events: rows of its database, lines of older files, or the messages
// of the oldest ones. All have the form of OpenAI's chat messages.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { absolutePath, lineCount, type PendingChanges, patchChanges, pendingChanges } from '../file-changes.ts'
import { functionCalls } from '../function-calls.ts'
import {
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { partsText } from '../kimi/content.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { isSummary, readUserText } from './user-text.ts'

interface Conversation {
  out: ReaderOutput
  session: SessionOutput
  native: string
  cwd: string | undefined
  /** A parent writes the prompts. */
  isSubagent: boolean
}

interface MessageState extends Conversation {
  calls: PendingCalls
  changes: PendingChanges
}

export function readMessages(messages: readonly JsonObject[], conversation: Conversation): void {
  const reading = { ...conversation, calls: pendingCalls(undefined), changes: pendingChanges(undefined) }
  const nextKey = keyCounter(conversation.native)
  for (const message of messages) {
    const base = { id: '', key: nextKey(message), ts: timeOf(message) }
    switch (message.role) {
      case 'user':
        readUser(message, base, reading)
        break
      case 'assistant':
        readAnswer(message, base, reading)
        break
      case 'tool':
        readResult(message, base, reading)
        break
      case 'session_meta': // the header of a file
      case 'system':
        break
      default:
        conversation.out.unknownType(`role/${asString(message.role)}`)
    }
  }
}

/**
 * Row ids differ between the stores of one session, so keys are made of time and content. The same
 * text at the same time, or without a time, is numbered.
 */
function keyCounter(session: string): (message: JsonObject) => string {
  const used = new Map<string, number>()
  return (message) => {
    const { role, content, tool_call_id: call, tool_calls: calls } = message
    const key = fingerprint(session, timeOf(message), asString(role), asString(call), JSON.stringify([content, calls]))
    const index = used.get(key) ?? 0
    used.set(key, index + 1)
    return index === 0 ? key : `${key}#${index}`
  }
}

/** Times of the old files have no zone and are local. */
export function timeOf({ timestamp, _ts: exact }: JsonObject): string | null {
  const time = asIsoTime(timestamp) ?? asIsoTime(exact)
  return time && !/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? new Date(time).toISOString() : time
}

/** Content that is a list is stored as JSON behind a mark. */
function textOf(content: Json | undefined): string {
  const [, list] = /^[\u0000\u0001]json:([\s\S]*)$/.exec(asString(content)) ?? []
  return partsText(list === undefined ? content : parseJson(list))
}

function readUser(message: JsonObject, base: EventBase, { session, isSubagent }: MessageState): void {
  const said = textOf(message.content)
  if (!said.trim()) return
  const isCompressed = message._compressed_summary === true || message._compressed_summary === 1
  if (isCompressed) return session.event({ ...base, kind: 'compaction', role: 'system', text: said })
  const event: Event = { ...base, ...readUserText(said, asString(message.display_kind)) }
  session.event(isSubagent && event.kind !== 'compaction' ? { ...event, kind: 'context' } : event)
}

function readAnswer(message: JsonObject, base: EventBase, reading: MessageState): void {
  const { session } = reading
  const answer = { ...base, role: 'assistant', model: optionalString(message._model) } as const
  const thought = partsText(message.reasoning_content) || partsText(message.reasoning)
  if (thought.trim()) session.event({ ...answer, key: `${base.key}/thinking`, kind: 'thinking', text: thought })
  const said = textOf(message.content)
  if (isSummary(said)) session.event({ ...base, kind: 'compaction', role: 'system', text: said })
  else if (interruption.test(said)) session.event({ ...base, kind: 'interrupt', role: 'user', text: said })
  else if (said.trim() && said !== '(empty)') session.event({ ...answer, kind: 'reply', text: said })
  functionCalls(message.tool_calls).forEach(({ call, tool, input }, index) => {
    reading.changes.open(call, plannedChanges(tool, asObject(input), reading.cwd))
    const event: Event = { ...answer, key: `${base.key}/call${index}`, kind: 'tool_call', text: '', tool, call, input }
    session.event(reading.calls.open(event))
  })
}

/** Hermes closes a turn with it that was stopped (its source, 2026). For no answer it stores `(empty)`. */
const interruption = /^Operation interrupted(?:\.$|: (?:waiting|retrying|handling|processing)\b)/

function plannedChanges(tool: string, input: JsonObject, cwd: string | undefined): FileChange[] {
  if (tool === 'patch' && optionalString(input.patch)) return patchChanges(asString(input.patch), cwd)
  const path = optionalString(input.path)
  if (!path || (tool !== 'write_file' && tool !== 'patch')) return []
  const added = lineCount(asString(tool === 'patch' ? input.new_string : input.content))
  return [{ path: absolutePath(path, cwd), change: 'update', added, removed: lineCount(asString(input.old_string)) }]
}

function readResult(message: JsonObject, base: EventBase, reading: MessageState): void {
  const call = optionalString(message.tool_call_id)
  const said = textOf(message.content)
  const outcome = outcomeOf(said)
  const error = outcome.error ?? (message.finish_reason === 'error' ? 'failed' : undefined)
  const tool = optionalString(message.tool_name) ?? optionalString(message.name)
  const result: Event = { ...base, kind: 'tool_result', role: 'tool', ...outcome, tool, call, error }
  reading.session.event(reading.calls.close(result))
  const files = reading.changes.close(call)
  if (files.length > 0 && !error)
    reading.session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

/** A result is a JSON object; what went wrong is in it, in a way that depends on the tool. */
function outcomeOf(said: string): { text: string; error?: ToolError; exit?: number } {
  const value = parseJson(said)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { text: said, error: plainError(said) }
  const exit = typeof value.exit_code === 'number' ? value.exit_code : undefined
  const failure = optionalString(value.error) ?? ''
  const output = typeof value.output === 'string' ? value.output : undefined
  const text = output === undefined ? said : [output, failure].filter((part) => part !== '').join('\n')
  return { text, exit, error: errorKind(value, { exit, failure, output: output ?? '' }) }
}

interface Failure {
  exit: number | undefined
  failure: string
  output: string
}

function errorKind(value: JsonObject, { exit, failure, output }: Failure): ToolError | undefined {
  if (/^BLOCKED: /.test(failure) || /^BLOCKED: /.test(output) || value.status === 'blocked') return 'denied'
  if (exit === 130 || /\[Command interrupted\]\s*$/.test(output)) return 'interrupted'
  if (failure || value.success === false || value.status === 'error') return 'failed'
  // For a search that found nothing the meaning of the code is given.
  return exit && !/not an error/i.test(asString(value.exit_code_meaning)) ? 'failed' : undefined
}

function plainError(said: string): ToolError | undefined {
  if (/^BLOCKED: /.test(said)) return 'denied'
  if (/^\[Tool execution (?:cancelled|skipped)/.test(said)) return 'interrupted'
  return /^Error executing tool /.test(said) ? 'failed' : undefined
}
