// One rollout: lines `{timestamp, type, payload}` since September 2025, bare items with a header before.
import type { Json } from '../../core/session.ts'
import type { LogReader, ReaderOutput } from '../agent.ts'
import { asIsoTime, asObject, asString, type JsonObject } from '../json-values.ts'
import { readEvent } from './events.ts'
import { readHeader, readTurnContext, startTurn } from './header.ts'
import { itemTypes, readAgentMessage, readItem } from './items.ts'
import { isCopied } from './lineage.ts'
import { settle } from './prompts.ts'
import { emit, openThread, type Thread, threadState } from './thread.ts'
import { readUsageRecord } from './tokens.ts'

export function openRollout(path: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const thread = openThread(path, out, state)
  return {
    record(record) {
      const type = asString(record.type)
      const known = record.payload === undefined ? readBare(thread, record, type) : readLine(thread, record, type)
      if (!known) out.unknownType(nameOf(record, type))
    },
    state: () => threadState(thread),
  }
}

function nameOf(record: JsonObject, type: string): string {
  const payload = asObject(record.payload)
  const inner = [asString(payload.type), asString(asObject(payload.item).type)].filter((name) => name !== '').join('/')
  if (type === '') return 'record without type'
  if (type !== 'response_item' && type !== 'event_msg') return type
  return inner ? `${type}/${inner}` : `${type} without type`
}

function readLine(thread: Thread, record: JsonObject, type: string): boolean {
  const payload = asObject(record.payload)
  const ts = asIsoTime(record.timestamp)
  if (isCopied(thread, type, payload)) return true
  switch (type) {
    case 'response_item':
      return readItem(thread, payload, asObject(record.metadata), ts)
    case 'event_msg':
      if (payload.type === 'task_started' || payload.type === 'turn_started') startTurn(thread, payload)
      return readEvent(thread, payload, ts)
    case 'turn_context':
      readTurnContext(thread, payload)
      return true
    case 'session_meta':
      readHeader(thread, payload, ts)
      return true
    case 'compacted':
      readCompacted(thread, payload, ts)
      return true
    case 'token_usage_record':
      readUsageRecord(thread, payload, ts)
      return true
    case 'inter_agent_communication':
      readAgentMessage(thread, payload, ts)
      return true
    default:
      return passedOver.has(type)
  }
}

const passedOver = new Set(['world_state', 'retained_context', 'security_risk_score', 'realtime_item'])

/** The summary is empty where the model service made it. */
function readCompacted(thread: Thread, payload: JsonObject, ts: string | null): void {
  settle(thread)
  emit(thread, { kind: 'compaction', role: 'system', ts, text: asString(payload.message) || 'Context compacted' })
}

/** To September 2025: a header `{id, timestamp, instructions, git}`, then items; no time, no model, no tokens. */
function readBare(thread: Thread, record: JsonObject, type: string): boolean {
  if (record.record_type === 'state') return true
  if (type === '' && record.id !== undefined && record.timestamp !== undefined) {
    readHeader(thread, record, asIsoTime(record.timestamp))
    return true
  }
  if (!itemTypes.has(type)) return false
  const known = readItem(thread, record, {}, asIsoTime(record.timestamp))
  // No events in such a file: a message needs no confirmation.
  settle(thread)
  return known
}
