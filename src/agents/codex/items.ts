// Items of the Responses API: what was sent to the model and what it answered. Bare lines in 2025, `response_item` since.
import type { Json } from '../../core/session.ts'
import {
  asArray,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { readUserMessage, settle } from './prompts.ts'
import { contentText } from './results.ts'
import { emit, scope, type Thread } from './thread.ts'
import { readCall, readHostedCall, readResult } from './tools.ts'

/** Whether the item is of a type that Codex is known to write. */
export function readItem(thread: Thread, payload: JsonObject, metadata: JsonObject, ts: string | null): boolean {
  const type = asString(payload.type)
  if (type === 'message' && payload.role !== 'assistant') return readInput(thread, payload, metadata, ts)
  settle(thread)
  switch (type) {
    case 'message':
      return readReply(thread, payload, ts)
    case 'reasoning':
      return readReasoning(thread, payload, ts)
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      readCall(thread, payload, ts)
      return true
    case 'function_call_output':
    case 'custom_tool_call_output':
      readResult(thread, payload, ts)
      return true
    case 'web_search_call':
      readHostedCall(thread, 'web_search', searchText(asObject(payload.action)), payload, ts)
      return true
    case 'image_generation_call': {
      const image = imagePlaceholder('image/png', asString(payload.result))
      readHostedCall(thread, 'image_generation', `${asString(payload.revised_prompt)}\n${image}`.trim(), payload, ts)
      return true
    }
    case 'agent_message':
      readAgentMessage(thread, payload, ts)
      return true
    default:
      return passedOver.has(type)
  }
}

/** Encrypted summaries, snapshots of the work tree, and which tools were offered. */
const passedOver = new Set(
  'compaction context_compaction compaction_trigger ghost_snapshot tool_search_call tool_search_output additional_tools'.split(
    ' ',
  ),
)

export const itemTypes = new Set([
  ...passedOver,
  ...`message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call
      web_search_call image_generation_call agent_message`.split(/\s+/),
])

function readInput(thread: Thread, payload: JsonObject, metadata: JsonObject, ts: string | null): boolean {
  if (payload.role === 'user') {
    readUserMessage(thread, payload, metadata, ts)
    return true
  }
  const said = contentText(asArray(payload.content))
  if (said) emit(thread, { id: asString(payload.id), kind: 'context', role: 'system', ts, text: said })
  return true
}

function readReply(thread: Thread, payload: JsonObject, ts: string | null): boolean {
  const said = contentText(asArray(payload.content))
  const model = thread.model || undefined
  if (said.trim()) emit(thread, { id: asString(payload.id), kind: 'reply', role: 'assistant', ts, text: said, model })
  return true
}

/** Only the summary is readable, and for open models the content; the rest is encrypted. */
function readReasoning(thread: Thread, payload: JsonObject, ts: string | null): boolean {
  const parts = [...asArray(payload.summary), ...asArray(payload.content)].map((part: Json) =>
    asString(asObject(part).text),
  )
  const said = parts.filter((part) => part !== '').join('\n\n')
  if (said) readThought(thread, said, asString(payload.id), ts)
  return true
}

/** Content of open models comes as an event, sometimes in the item too: the text is the key. */
export function readThought(thread: Thread, said: string, id: string, ts: string | null): void {
  const key = `${scope(thread)}/thinking/${fingerprint(said)}`
  emit(thread, { id, key, kind: 'thinking', role: 'assistant', ts, text: said, model: thread.model || undefined })
}

function searchText(action: JsonObject): string {
  const queries = asArray(action.queries).map(asString)
  return (
    (queries.length > 0 ? queries.join('\n') : undefined) ??
    [optionalString(action.query), optionalString(action.url), optionalString(action.pattern)]
      .filter(Boolean)
      .join('\n')
  )
}

/** What agents write each other; told as an item and as a line of its own. */
export function readAgentMessage(thread: Thread, payload: JsonObject, ts: string | null): void {
  const content = typeof payload.content === 'string' ? payload.content : contentText(asArray(payload.content))
  if (!content.trim()) return
  const { author, recipient } = payload
  const key = `${scope(thread)}/message/${fingerprint(content)}`
  const said = [optionalString(author), optionalString(recipient)].filter(Boolean).join(' to ')
  emit(thread, { key, kind: 'context', role: 'system', ts, text: said ? `${said}: ${content}` : content })
}
