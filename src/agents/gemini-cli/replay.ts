// What was said in one chat file, in order. The log of 0.40 and later is replayed for its history, not for its last state:
// what was rewound or compressed away did happen, and what was masked later was once whole.
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { readJsonFile, readRecords } from '../files.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { parts, partText } from './parts.ts'

export interface Conversation {
  metadata: JsonObject
  steps: Step[]
}

export type Step = MessageStep | { kind: 'rewind'; id: string; dropped: string[] }

interface MessageStep {
  kind: 'message'
  id: string
  message: JsonObject
}

export function replay(path: string, out: ReaderOutput): Conversation {
  return path.endsWith('.jsonl') ? replayLog(path, out) : replayDocument(path, out)
}

interface Replay extends Conversation {
  known: Map<string, MessageStep>
  /** Ids of the messages that still stand, in order. */
  live: string[]
}

function replayDocument(path: string, out: ReaderOutput): Conversation {
  const document = asObject(readJsonFile(path, out))
  const state: Replay = { metadata: document, steps: [], known: new Map(), live: [] }
  if (!Array.isArray(document.messages)) out.unknownType('document without messages')
  asArray(document.messages).forEach((value, index) => {
    const message = asObject(value)
    add(optionalString(message.id) ?? `#${index}`, message, state)
  })
  return state
}

function replayLog(path: string, out: ReaderOutput): Conversation {
  const state: Replay = { metadata: {}, steps: [], known: new Map(), live: [] }
  for (const { record } of readRecords(path, out)) {
    const { $set, $patch, $rewindTo } = record
    if (typeof $rewindTo === 'string') rewind($rewindTo, state)
    else if ($set !== undefined) applySet(asObject($set), state)
    else if ($patch !== undefined) applyPatch(asObject($patch), state)
    else if (typeof record.id === 'string') add(record.id, record, state)
    else if (typeof record.sessionId === 'string') state.metadata = { ...state.metadata, ...record }
    else out.unknownType(Object.keys(record).find((name) => name.startsWith('$')) ?? 'record without id')
  }
  return state
}

/** A message is written again whenever one of its tool calls changes. */
function add(id: string, message: JsonObject, state: Replay): void {
  const known = state.known.get(id)
  if (known) {
    known.message = { ...known.message, ...message }
  } else {
    const step: MessageStep = { kind: 'message', id, message }
    state.known.set(id, step)
    state.steps.push(step)
  }
  if (!state.live.includes(id)) state.live.push(id)
}

/** Takes the message and all after it; the program itself starts from nothing when it does not find the message. */
function rewind(id: string, state: Replay): void {
  const at = Math.max(0, state.live.indexOf(id))
  const ordinal = state.steps.filter((step) => step.kind === 'rewind').length
  state.steps.push({ kind: 'rewind', id: `rewind/${id}/${ordinal}`, dropped: state.live.splice(at) })
}

function applySet(set: JsonObject, state: Replay): void {
  const { messages, ...metadata } = set
  state.metadata = { ...state.metadata, ...metadata }
  if (Array.isArray(messages)) restate(messages, state)
}

/**
 * The whole history as the model now sees it: after a start, a compression or the masking of long outputs. What is known
 * is kept as it was first said; a turn that came back under another id is recognised by its words.
 */
function restate(messages: Json[], state: Replay): void {
  const incoming = messages.map(asObject)
  const ids = new Set(incoming.map((message) => asString(message.id)))
  const missing = new Map<string, string>()
  for (const id of state.live) if (!ids.has(id)) missing.set(words(state.known.get(id)!.message), id)
  state.live = []
  for (const message of incoming) {
    const id = asString(message.id)
    const same = missing.get(words(message))
    const known = state.known.get(id) ?? (same === undefined ? undefined : state.known.get(same))
    if (known) {
      known.message = { ...message, ...known.message }
      state.known.set(id, known)
      state.live.push(known.id)
    } else if (id) add(id, message, state)
  }
}

function words(message: JsonObject): string {
  return `${asString(message.type)} ${parts(message.content).map(partText).join('\n').trim()}`
}

function applyPatch(patch: JsonObject, state: Replay): void {
  for (const update of [patch, ...asArray(patch.updates).map(asObject)]) applyUpdate(update, state)
  const removed = new Set(asArray(patch.removeIds).map(asString))
  state.live = state.live.filter((id) => !removed.has(id))
}

function applyUpdate(update: JsonObject, state: Replay): void {
  const { id, toolCalls, updates, removeIds, orderIds, ...rest } = update
  if (typeof id !== 'string') return
  const known = state.known.get(id)
  if (!known) return add(id, { id, toolCalls, ...rest }, state)
  known.message = { ...known.message, ...rest, toolCalls: withResults(known.message.toolCalls, asArray(toolCalls)) }
}

/** A result that is replaced later is a masked one. */
function withResults(calls: Json | undefined, results: Json[]): Json[] {
  const byCall = new Map(results.map((result) => [asString(asObject(result).id), asObject(result)]))
  return asArray(calls).map((value) => {
    const call = asObject(value)
    const result = byCall.get(asString(call.id))
    return result && asArray(call.result).length === 0 ? { ...call, ...result } : call
  })
}
