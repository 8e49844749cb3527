// Puts a conversation into the words of the agent that it is handed over to: calls of tools that it
// has too become its own, everything else becomes tagged text.
import { randomUUID } from 'node:crypto'
import { type CommonTools, nativeCall, nativeResult } from '../core/conversation/common-tools.ts'
import type { Conversation, ConversationItem } from '../core/conversation/conversation.ts'
import { callText, noteText, originText } from '../core/conversation/handed-over.ts'
import type { JsonObject } from './json-values.ts'

/** An item in the words of the agent that it is handed over to. */
export type NativeItem = { ts: string } & (
  | { kind: 'prompt' | 'reply'; text: string }
  /** Text for the model that the user did not write. */
  | { kind: 'record'; text: string }
  | { kind: 'call'; call: string; tool: string; input: JsonObject; text: string; isError: boolean; exit?: number }
)

/** Begins with a record of the origin. */
export function nativeItems({ origin, items }: Conversation, tools: CommonTools): NativeItem[] {
  let ts = items.find((item) => item.ts !== null)?.ts ?? origin.handedOverAt
  const native: NativeItem[] = [{ kind: 'record', ts, text: originText(origin) }]
  for (const item of items) {
    ts = item.ts ?? ts
    native.push(nativeItem(item, ts, tools))
  }
  return native
}

function nativeItem(item: ConversationItem, ts: string, tools: CommonTools): NativeItem {
  if (item.kind === 'note') return { kind: 'record', ts, text: noteText(item.text) }
  if (item.kind !== 'call') return { kind: item.kind, ts, text: item.text }
  const { common, result } = item
  const native = common && result ? nativeCall(tools, common) : undefined
  if (!native || !common || !result) return { kind: 'record', ts, text: callText(item) }
  const call = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`
  const text = nativeResult(tools, common, result)
  return { kind: 'call', ts, call, ...native, text, isError: result.error !== undefined, exit: result.exit }
}

/** The lines of a log. */
export function jsonLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
