// What the model said and asked for. One response is written as several records, one content block each.
import type { Event, Usage } from '../../core/session.ts'
import { count, type Fields, fields, list, money, named, text } from '../values.ts'
import { type Base, baseOf, blocks, contentText } from './content.ts'
import type { Place, Reading } from './reading.ts'
import { wantedChanges } from './results.ts'

export function readAssistant(record: Fields, place: Place, reading: Reading): void {
  if (reading.isCopy) return
  const message = fields(record.message)
  const base = baseOf(record, place.native)
  const isSynthetic = message.model === '<synthetic>' // made locally: nothing was asked of a model
  const model = isSynthetic ? undefined : named(message.model)
  if (model && model !== place.model) {
    place.model = model
    place.session.about({ model })
  }
  if (!isSynthetic && message.usage) tellUsage(usageOf(record, message, base), place, reading)
  const replaces = list(record.supersedesUuids).map(text)
  blocks(message.content).forEach((block, index) => {
    const event = assistantEvent(block, { ...base, key: `${base.key}#${index}` })
    if (!event) return
    if (model) event.model = model
    if (replaces.length > 0) event.replaces = replaces
    if (event.kind === 'reply') event.kind = replyKind(record, event.text, isSynthetic)
    if (event.kind === 'tool_call') noteCall(event, reading)
    place.session.event(event.kind === 'tool_result' ? reading.calls.closed(event) : event)
  })
}

function assistantEvent(block: Fields, base: Base): Event | undefined {
  const said = { ...base, role: 'assistant' as const }
  switch (block.type) {
    case 'text':
      return text(block.text).trim() ? { ...said, kind: 'reply', text: text(block.text) } : undefined
    case 'thinking':
      return text(block.thinking) ? { ...said, kind: 'thinking', text: text(block.thinking) } : undefined
    case 'tool_use':
    case 'server_tool_use':
      return {
        ...said,
        kind: 'tool_call',
        text: '',
        tool: text(block.name) || 'unnamed',
        call: named(block.id),
        input: block.input ?? {},
      }
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
      return {
        ...base,
        kind: 'tool_result',
        role: 'tool',
        text: contentText(block.content),
        call: named(block.tool_use_id),
      }
    case 'fallback': {
      const [from, to] = [fields(block.from), fields(block.to)]
      return {
        ...base,
        kind: 'lifecycle',
        role: 'system',
        text: `Model changed from ${text(from.model)} to ${text(to.model)}`,
      }
    }
    default:
      return undefined
  }
}

function replyKind(record: Fields, said: string, isSynthetic: boolean): Event['kind'] {
  if (record.isApiErrorMessage === true || named(record.error)) return 'error'
  if (!isSynthetic) return 'reply'
  return said.startsWith('[Request interrupted by user') ? 'interrupt' : 'context'
}

function noteCall(event: Event, { calls, edits }: Reading): void {
  calls.opened(event)
  edits.opened(event.call, wantedChanges(event))
}

/** Every piece of a response repeats its usage; only what differs from the piece before is worth telling. */
function tellUsage(usage: Usage, { session }: Place, reading: Reading): void {
  const { key, output, isLowerBound = false } = usage
  const before = reading.usage
  if (key === before.key && output === before.output && isLowerBound === before.isLowerBound) return
  reading.usage = { key, output, isLowerBound }
  session.usage(usage)
}

function usageOf(record: Fields, message: Fields, base: Base): Usage {
  const usage = fields(message.usage)
  const split = fields(usage.cache_creation)
  const hour = count(split.ephemeral_1h_input_tokens)
  const written = Math.max(count(usage.cache_creation_input_tokens), hour + count(split.ephemeral_5m_input_tokens))
  const isEarly = message.stop_reason == null && isBeforeSoundUsage(text(record.version))
  return {
    key: named(message.id) ? `${text(message.id)}/${text(record.requestId)}` : base.key,
    ts: base.ts,
    model: named(message.model) ?? null,
    input: count(usage.input_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite: written - hour,
    cacheWrite1h: hour,
    output: count(usage.output_tokens),
    reasoning: count(fields(usage.output_tokens_details).thinking_tokens),
    ...(money(record.costUSD) === undefined ? {} : { costUsd: money(record.costUSD) }),
    ...(isEarly ? { isLowerBound: true } : {}),
  }
}

/** Before 2.1.77 the pieces were written while the answer streamed, with the output counted so far. */
function isBeforeSoundUsage(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0)
  if (major !== 2) return major < 2
  return minor < 1 || (minor === 1 && patch < 77)
}
