// Reads a conversation of gptme. Calls of tools are written in the text of the assistant, and results
// are messages with the role of the system.
import type { Event, Json, SessionDetails, Usage } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { readRecords } from '../files.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  fingerprint,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { changedFiles, parseReply, resultOf, type ToolUse } from './tools.ts'

export function readConversation(path: string, native: string, about: SessionDetails, out: ReaderOutput): void {
  const messages = [...readRecords(path, out)].map(({ record }) => record)
  if (messages.length === 0) return
  const session = out.session(native)
  const isSubagent = /^(?:.*-)?subagent-/.test(native)
  session.about({ ...about, kind: isSubagent ? 'subagent' : undefined })
  const read = messageReader({ native, out, session, cwd: about.cwd, isHuman: !isSubagent })
  for (const [index, message] of messages.entries()) read(message, messages[index + 1])
}

interface Conversation {
  native: string
  out: ReaderOutput
  session: SessionOutput
  cwd: string | undefined
  isHuman: boolean
}

function messageReader({ native, out, session, cwd, isHuman }: Conversation) {
  const nextKey = keyCounter(native)
  const calls = pendingCalls(undefined)
  /** Calls of the last answer that have no result yet. */
  let open: { call: string; use: ToolUse }[] = []

  return (message: JsonObject, next: JsonObject | undefined): void => {
    const base = { id: '', key: nextKey(message), ts: timeOf(message.timestamp) }
    const text = textOf(message)
    switch (message.role) {
      case 'user':
        open = []
        if (text) session.event({ ...base, kind: isHuman ? promptKind(text) : 'context', role: 'user', text })
        return
      case 'assistant':
        return readAnswer(message, base, asString(next?.role) === 'tool' ? 'result' : asString(next?.content))
      case 'system':
      case 'tool':
        return readSystem(message, base, text)
      default:
        out.unknownType(`role ${asString(message.role)}`)
    }
  }

  function readAnswer(message: JsonObject, base: EventBase, followedBy: string): void {
    const metadata = asObject(message.metadata)
    const model = optionalString(metadata.resolved_model) ?? optionalString(metadata.model)
    if (model) session.about({ model })
    const usage = usageOf(metadata, base, model ?? null)
    if (usage) session.usage(usage)
    const { thinking, reply, uses } = parseReply(asString(message.content), followedBy)
    const own = { ...base, model, role: 'assistant' as const }
    if (thinking) session.event({ ...own, key: `${base.key}/thinking`, kind: 'thinking', text: thinking })
    if (reply) session.event({ ...own, kind: 'reply', text: reply })
    open = uses.map((use, index) => ({ call: use.call ?? `${base.key}#${index}`, use }))
    open.forEach(({ call, use }, index) => {
      const input: Json = use.input
      const event: Event = {
        ...own,
        key: `${base.key}#${index}`,
        kind: 'tool_call',
        text: '',
        tool: use.tool,
        call,
        input,
      }
      session.event(calls.open(event))
    })
  }

  /** Without an id the first message after an answer is the result of its first call. */
  function readSystem(message: JsonObject, base: EventBase, text: string): void {
    const isNotice = message.pinned === true || message.hide === true || /^\s*</.test(text)
    const named = open.findIndex(({ call }) => call === message.call_id)
    const [made] = open.splice(named, named >= 0 ? 1 : 0)
    const isOf = made ?? (isNotice ? undefined : open.shift())
    if (text === 'Interrupted by user') return session.event({ ...base, kind: 'interrupt', role: 'user', text: '' })
    if (!isOf && message.role !== 'tool') {
      if (text) session.event({ ...base, kind: 'context', role: 'system', text })
      return
    }
    const result = resultOf(text)
    const tool = isOf?.use.tool ?? optionalString(asObject(message.metadata).tool)
    const done: Event = { ...base, kind: 'tool_result', role: 'tool', text, tool, call: isOf?.call, ...result }
    session.event(calls.close(done))
    const files = isOf && !result.error ? changedFiles(isOf.use, text, cwd) : []
    if (files.length > 0)
      session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call: isOf?.call, files })
  }
}

/** Messages have no ids. */
function keyCounter(native: string): (message: JsonObject) => string {
  const used = new Map<string, number>()
  return ({ role, timestamp, content }) => {
    const key = fingerprint(native, asString(timestamp), asString(role), asString(content))
    const count = used.get(key) ?? 0
    used.set(key, count + 1)
    return count === 0 ? key : `${key}~${count}`
  }
}

/** A time without a zone is local time of the machine that wrote it, assumed to be this one. */
function timeOf(stamp: Json | undefined): string | null {
  const time = asIsoTime(stamp)
  return time && new Date(time).toISOString()
}

/** Files are named beside the text, as attachments. */
function textOf(message: JsonObject): string {
  const content = message.content
  const said =
    typeof content === 'string'
      ? content
      : asArray(content)
          .map((part) => asString(asObject(part).text))
          .join('\n')
  return said.trim()
}

/** Hooks and pipes write with the role of the user too. */
function promptKind(text: string): 'prompt' | 'command' | 'context' {
  if (/^<system>[\s\S]*<\/system>$/.test(text) || /^`{3,}stdin\n/.test(text)) return 'context'
  return /^\/[a-z][\w-]*(?:\s|$)/i.test(text) ? 'command' : 'prompt'
}

/** Input excludes cached tokens, whatever the service counts. Before 2026 counts were not nested. */
function usageOf(metadata: JsonObject, base: EventBase, model: string | null): Usage | undefined {
  const counts = metadata.usage === undefined ? metadata : asObject(metadata.usage)
  const input = asCount(counts.input_tokens)
  const output = asCount(counts.output_tokens)
  const cacheRead = asCount(counts.cache_read_tokens)
  const cacheWrite = asCount(counts.cache_creation_tokens)
  const costUsd = asUsd(metadata.cost) || undefined // zero means that gptme has no price
  if (input + output + cacheRead + cacheWrite === 0 && !costUsd) return undefined
  const tokens = { input, cacheRead, cacheWrite, cacheWrite1h: 0, output, reasoning: 0 }
  return { key: base.key, ts: base.ts, model, ...tokens, costUsd }
}
