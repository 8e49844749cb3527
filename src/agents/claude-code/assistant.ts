// Reads assistant records. One response is written as several records, one content block each.

import type { Event, Usage } from '../../core/session.ts'
import { fastName } from '../../core/usage/model-names.ts'
import type { EventBase } from '../agent.ts'
import { asArray, asCount, asObject, asString, asUsd, type JsonObject, optionalString } from '../json-values.ts'
import type { ClaudeState, RecordSession } from './state.ts'
import { baseOf, contentBlocks, contentText, isBeforePatch, plannedChanges } from './tools.ts'

export function readAssistant(record: JsonObject, place: RecordSession, reading: ClaudeState): void {
  if (reading.isCopy) return
  const message = asObject(record.message)
  const base = baseOf(record, place.native)
  const isSynthetic = message.model === '<synthetic>' // made locally, without a model
  const model = isSynthetic ? undefined : optionalString(message.model)
  if (model && model !== place.model) {
    place.model = model
    place.session.about({ model })
  }
  if (!isSynthetic && message.usage) emitUsage(usageOf(record, message, base), advisorUsage(message), place, reading)
  const replaces = asArray(record.supersedesUuids).map(asString)
  contentBlocks(message.content).forEach((block, index) => {
    const event = assistantEvent(block, { ...base, key: `${base.key}#${index}` })
    if (!event) return
    if (model) event.model = model
    if (replaces.length > 0) event.replaces = replaces
    if (event.kind === 'reply') event.kind = replyKind(record, event.text, isSynthetic)
    if (event.kind === 'tool_call') openCall(event, reading)
    place.session.event(event.kind === 'tool_result' ? reading.calls.close(event) : event)
  })
}

function assistantEvent(block: JsonObject, base: EventBase): Event | undefined {
  const said = { ...base, role: 'assistant' as const }
  switch (block.type) {
    case 'text':
      return asString(block.text).trim() ? { ...said, kind: 'reply', text: asString(block.text) } : undefined
    case 'thinking':
      return asString(block.thinking) ? { ...said, kind: 'thinking', text: asString(block.thinking) } : undefined
    case 'tool_use':
    case 'server_tool_use':
      return {
        ...said,
        kind: 'tool_call',
        text: '',
        tool: asString(block.name) || 'unnamed',
        call: optionalString(block.id),
        input: block.input ?? {},
      }
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
      return {
        ...base,
        kind: 'tool_result',
        role: 'tool',
        text: contentText(block.content),
        call: optionalString(block.tool_use_id),
      }
    case 'fallback': {
      const [from, to] = [asObject(block.from), asObject(block.to)]
      return {
        ...base,
        kind: 'lifecycle',
        role: 'system',
        text: `Model changed from ${asString(from.model)} to ${asString(to.model)}`,
      }
    }
    default:
      return undefined
  }
}

function replyKind(record: JsonObject, said: string, isSynthetic: boolean): Event['kind'] {
  if (record.isApiErrorMessage === true || optionalString(record.error)) return 'error'
  if (!isSynthetic) return 'reply'
  return said.startsWith('[Request interrupted by user') ? 'interrupt' : 'context'
}

function openCall(event: Event, { calls, edits, compactionUsage }: ClaudeState): void {
  if (event.tool === 'Agent' || event.tool === 'Task') compactionUsage.addSubagent()
  calls.open(event)
  edits.open(event.call, plannedChanges(event))
}

/**
 * Every record of a response repeats its usage; it is emitted only if it differs from the last one.
 */
function emitUsage(
  usage: Usage,
  advice: readonly TokenUsage[],
  { session }: RecordSession,
  reading: ClaudeState,
): void {
  const { key, ts, output, isLowerBound = false } = usage
  const before = reading.usage
  if (key === before.key && output === before.output && isLowerBound === before.isLowerBound) return
  const advised = advice.map((one, index): Usage => ({ ...one, key: `${key}/advisor/${index}`, ts }))
  for (const one of key === before.key ? [] : advised) reading.compactionUsage.addResponse(one, before)
  reading.compactionUsage.addResponse(usage, before)
  reading.usage = { key, output, isLowerBound }
  for (const one of [usage, ...advised]) session.usage(one)
}

type TokenUsage = Omit<Usage, 'key' | 'ts'>

/**
 * The advisor is asked during a response, and its tokens are not in the totals of that response
 * (2.1.9x, `/advisor`; documentation of the API). Other iterations are.
 */
function advisorUsage(message: JsonObject): TokenUsage[] {
  return asArray(asObject(message.usage).iterations)
    .map(asObject)
    .filter(({ type }) => type === 'advisor_message')
    .map((one) => tokensIn(one, optionalString(one.model)))
}

function usageOf(record: JsonObject, message: JsonObject, base: EventBase): Usage {
  const isEarly = message.stop_reason == null && isBeforeSoundUsage(asString(record.version))
  return {
    key: optionalString(message.id) ? `${asString(message.id)}/${asString(record.requestId)}` : base.key,
    ts: base.ts,
    ...tokensIn(asObject(message.usage), optionalString(message.model)),
    ...(asUsd(record.costUSD) === undefined ? {} : { costUsd: asUsd(record.costUSD) }),
    ...(isEarly ? { isLowerBound: true } : {}),
  }
}

function tokensIn(usage: JsonObject, model: string | undefined): TokenUsage {
  const split = asObject(usage.cache_creation)
  const hour = asCount(split.ephemeral_1h_input_tokens)
  const written = Math.max(asCount(usage.cache_creation_input_tokens), hour + asCount(split.ephemeral_5m_input_tokens))
  return {
    model: model === undefined ? null : usage.speed === 'fast' ? fastName(model) : model,
    input: asCount(usage.input_tokens),
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite: written - hour,
    cacheWrite1h: hour,
    output: asCount(usage.output_tokens),
    reasoning: asCount(asObject(usage.output_tokens_details).thinking_tokens),
  }
}

/** Before 2.1.77 records were written while the answer streamed, with the output tokens so far. */
function isBeforeSoundUsage(version: string): boolean {
  return isBeforePatch(version, 77)
}
