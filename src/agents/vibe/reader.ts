// Turns the messages of a Vibe session into events. Messages have ids but no times; copies at the
// beginning of a session that continues another one keep their ids.
import { basename, dirname } from 'node:path'
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase, LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import { absolutePath, editBlocks, lineCount, type PendingChanges, pendingChanges } from '../file-changes.ts'
import { functionCalls } from '../function-calls.ts'
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
import { partsText } from '../kimi/content.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { typedKind } from '../typed-text.ts'
import { readMeta, type SessionMeta } from './session-meta.ts'

interface VibeState {
  out: ReaderOutput
  meta: SessionMeta
  session: SessionOutput
  calls: PendingCalls
  /** Files that open calls will change. */
  changes: PendingChanges
  /** Key of the answer whose calls the next results belong to. */
  answer: string
  answers: number
}

export function openVibe(path: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const found = readMeta(basename(path) === 'messages.jsonl' ? dirname(path) : path)
  // The id is written after the first messages; they must not become a session of their own.
  const meta = { ...found, native: optionalString(saved.native) ?? found.native }
  const reading: VibeState = {
    out,
    meta,
    session: out.session(meta.native),
    calls: pendingCalls(saved.calls),
    changes: pendingChanges(saved.changes),
    answer: asString(saved.answer),
    answers: asCount(saved.answers),
  }
  reading.session.about(meta.details)
  countTokens(reading)
  return {
    record: (record, offset) => readMessage(record, offset, reading),
    state: () => ({
      native: meta.native,
      calls: reading.calls.state(),
      changes: reading.changes.state(),
      answer: reading.answer,
      answers: reading.answers,
    }),
  }
}

/** The totals begin again at zero when a session is resumed: then they cover fewer answers. */
function countTokens({ session, meta: { usage, steps }, answers }: VibeState): void {
  if (usage) session.usage(steps > 0 && answers > steps ? { ...usage, isLowerBound: true } : usage)
}

function readMessage(message: JsonObject, offset: number, reading: VibeState): void {
  const role = asString(message.role)
  const id = asString(message.message_id)
  const key = id || fingerprint(reading.meta.native, offset, role, JSON.stringify(message.content))
  const base = { id, key, ts: null }
  switch (role) {
    case 'user':
      return readUser(message, base, reading)
    case 'assistant':
      return readAnswer(message, base, reading)
    case 'tool':
      return readResult(message, base, reading)
    case 'system':
      return // the system prompt, in the files of Vibe 1
    default:
      reading.out.unknownType(`role/${role}`)
  }
}

function readUser(message: JsonObject, base: EventBase, { session, meta }: VibeState): void {
  const said = [partsText(message.content), ...asArray(message.images).map(imageText)].filter(Boolean).join('\n')
  if (!said.trim()) return
  const shell =
    /^Manual `!` command result from the user\.[^\n]*\n\nCommand: `([\s\S]*?)`\n\nWorking directory: `/.exec(said)
  if (shell) {
    const exit = /\n\nExit code: (-?\d+)(?:\n|$)/.exec(said)?.[1]
    const error = exit !== undefined && exit !== '0' ? 'failed' : undefined
    const code = exit === undefined ? undefined : Number(exit)
    session.event({ ...base, kind: 'shell', role: 'user', text: shell[1]!, exit: code, error })
    return session.event({ ...base, key: `${base.key}/output`, kind: 'context', role: 'tool', text: said })
  }
  const summary = summaryIn(said)
  if (summary !== undefined) return session.event({ ...base, kind: 'compaction', role: 'system', text: summary })
  if (message.injected === true || meta.details.kind === 'subagent')
    return session.event({ ...base, kind: 'context', role: 'user', text: said })
  const { kind, typed, added } = typedPart(said)
  session.event({ ...base, kind, role: 'user', text: typed })
  if (added) session.event({ ...base, key: `${base.key}/added`, kind: 'context', role: 'user', text: added })
}

/**
 * After the text come the files that it mentions with `@`, or the content of the skill that was
 * called with `/name` and a text (source of 2.18.4). A skill without a text leaves its content only.
 */
function typedPart(said: string): { kind: 'prompt' | 'command'; typed: string; added: string } {
  const isCommand = typedKind(said) === 'command' && said.includes('\n\n')
  const end = isCommand ? said.indexOf('\n\n') : said.search(/\n\n(?:file:\/\/\S+\n```\n|uri: file:\/\/\S+\nname: )/)
  if (end < 0) return { kind: 'prompt', typed: said, added: '' }
  return { kind: isCommand ? 'command' : 'prompt', typed: said.slice(0, end), added: said.slice(end).trim() }
}

function imageText(value: Json): string {
  const image = asObject(value)
  const data = asString(asObject(image.source).data) || asString(image.data)
  return imagePlaceholder(optionalString(image.mime_type), data)
}

/** The text that a compaction leaves, also that of versions before 2.18. */
function summaryIn(said: string): string | undefined {
  if (said.startsWith('You are continuing a trajectory after a context compaction'))
    return /<compaction_summary>\n?([\s\S]*?)\n?<\/compaction_summary>/.exec(said)?.[1] ?? said
  return said.startsWith('Another language model started to solve this problem and produced a summary')
    ? said
    : undefined
}

function readAnswer(message: JsonObject, base: EventBase, reading: VibeState): void {
  const { session, meta } = reading
  const answer = { ...base, role: 'assistant', model: meta.model } as const
  const thought = partsText(message.reasoning_content)
  if (thought.trim()) session.event({ ...answer, key: `${base.key}/thinking`, kind: 'thinking', text: thought })
  const said = partsText(message.content)
  if (said.trim()) session.event({ ...answer, kind: 'reply', text: said })
  functionCalls(message.tool_calls).forEach(({ call, tool, input }, index) => {
    reading.changes.open(call, plannedChanges(tool, asObject(input), meta.details.cwd))
    const event: Event = { ...answer, key: `${base.key}/call${index}`, kind: 'tool_call', text: '', tool, call, input }
    session.event(reading.calls.open(event))
  })
  reading.answer = base.key
  reading.answers++
  countTokens(reading)
}

/** `edit` was called `search_replace` in earlier versions and took SEARCH/REPLACE blocks. */
function plannedChanges(tool: string, input: JsonObject, cwd: string | undefined): FileChange[] {
  const named = optionalString(input.file_path) ?? optionalString(input.path)
  if (!named) return []
  const path = absolutePath(named, cwd)
  if (tool === 'write_file') return [{ path, change: 'update', added: lineCount(asString(input.content)), removed: 0 }]
  if (tool === 'edit') {
    const [removed, added] = [input.old_string, input.new_string].map((part) => lineCount(asString(part)))
    return [{ path, change: 'update', added, removed }]
  }
  if (tool !== 'search_replace') return []
  const blocks = editBlocks(asString(input.content))
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  const [added, removed] = [sum(blocks.map((block) => block.added)), sum(blocks.map((block) => block.removed))]
  return [{ path, change: 'update', added, removed }]
}

/** Results have no ids, and those of calls are unique only within an answer. */
function readResult(message: JsonObject, base: EventBase, reading: VibeState): void {
  const call = optionalString(message.tool_call_id)
  const key = base.id || (call && reading.answer ? `${reading.answer}/${call}` : base.key)
  const { text, error, exit } = outcomeOf(partsText(message.content))
  const tool = optionalString(message.name)
  const result: Event = { ...base, key, kind: 'tool_result', role: 'tool', text, tool, call, error, exit }
  reading.session.event(reading.calls.close(result))
  const files = reading.changes.close(call)
  if (files.length > 0 && !error)
    reading.session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

/** A result is lines of `name: value`; a failed call has a text in tags, or one of a few plain ones. */
function outcomeOf(said: string): Pick<Event, 'text' | 'error' | 'exit'> {
  const error = errorIn(said)
  if (error) {
    const exit = /^<tool_error>bash failed: [\s\S]*?\nReturn code: (-?\d+)/.exec(said)?.[1]
    return { text: said, error, exit: exit === undefined ? undefined : Number(exit) }
  }
  const end = /\nreturncode: (-?\d+)\s*$/.exec(said.slice(-40))
  const from = said.startsWith('command: ') ? said.indexOf('\nstdout: ') : -1
  if (!end || from < 0) return { text: said }
  const exit = Number(end[1])
  // The command itself is in the call.
  const printed = said.slice(from + '\nstdout: '.length, said.lastIndexOf('\nreturncode: '))
  const split = printed.lastIndexOf('\nstderr: ')
  const parts = split < 0 ? [printed] : [printed.slice(0, split), printed.slice(split + '\nstderr: '.length)]
  const text = parts.filter((part) => part.trim() !== '').join('\n')
  return { text, error: exit === 0 ? undefined : 'failed', exit }
}

function errorIn(said: string): ToolError | undefined {
  const [, tag, reason = ''] = /^<(tool_error|user_cancellation)>([\s\S]*)/.exec(said) ?? []
  if (tag === 'user_cancellation') return /^Tool execution interrupted/.test(reason) ? 'interrupted' : 'denied'
  if (tag === 'tool_error') return /^Tool '[^']*' was denied by hook/.test(reason) ? 'denied' : 'failed'
  if (/^(?:Tool execution not permitted\.$|Tool '[^']*' is permanently disabled$|Command denied: ')/.test(said))
    return 'denied'
  return said.startsWith("Error getting tool '") ? 'failed' : undefined
}
