// Reads chat_history.jsonl, the context of the model without times. Used only if the update log is
// missing or empty. Version 1 has typed records, version 0 messages of the OpenAI interface.
import type { Event, EventKind, Json } from '../../core/session.ts'
import { readRecords } from '../files.ts'
import { asArray, asObject, asString, fingerprint, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { contentText, parseUserText } from './content.ts'
import type { GrokSession } from './timeline.ts'

/** The first records of a subagent may be its parent's. */
export function readChatHistory(path: string, inherited: number, place: GrokSession): void {
  const { out, session } = place
  const book = pendingCalls(undefined)
  const seen = new Map<string, number>()
  let ordinal = 0
  for (const { record } of readRecords(path, out)) {
    if (ordinal++ < inherited) continue
    const type = optionalString(record.type) ?? asString(record.role)
    const read = readers.get(type)
    if (!read) {
      if (type !== 'system') out.unknownType(type || 'record without type')
      continue
    }
    if (optionalString(record.model_id)) out.session(session).about({ model: optionalString(record.model_id) })
    for (const event of read(record, place)) {
      const what = fingerprint(session, event.kind, event.call, event.text, JSON.stringify(event.input ?? null))
      const times = seen.get(what) ?? 0 // the file is rewritten and truncated, so positions are not stable
      seen.set(what, times + 1)
      out.session(session).event(pairCall({ ...event, key: `${what}#${times}` }, book))
    }
  }
}

type EventPart = Omit<Event, 'key'>

function pairCall(event: Event, book: PendingCalls): Event {
  if (event.kind === 'tool_call') return book.open(event)
  return event.kind === 'tool_result' ? book.close(event) : event
}

const readers = new Map<string, (record: JsonObject, place: GrokSession) => EventPart[]>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['tool_result', readResult],
  ['tool', readResult],
  ['reasoning', readReasoning],
  ['backend_tool_call', readBackendCall],
])

function readUser(record: JsonObject, { isSubagent }: GrokSession): EventPart[] {
  const source = contentText(record.content)
  if (!source.trim()) return []
  const reason = optionalString(record.synthetic_reason)
  const isMachine = isSubagent || (reason !== undefined && reason !== 'interjection')
  const said = isMachine ? { kind: 'context' as const, text: source } : parseUserText(source)
  const event = createPart(said.kind, 'user', said.text)
  const isStopped = /^(?:mid_turn_abort|permission_cancelled)$/.test(asString(record.prior_turn_interrupt))
  return isStopped ? [createPart('interrupt', 'user', asString(record.prior_turn_interrupt)), event] : [event]
}

function readAssistant(record: JsonObject): EventPart[] {
  const model = optionalString(record.model_id)
  const said = contentText(record.content)
  const thought = asString(record.reasoning_content)
  return [
    ...(thought ? [{ ...createPart('thinking', 'assistant', thought), model }] : []),
    ...(said.trim() ? [{ ...createPart('reply', 'assistant', said), model }] : []),
    ...asArray(record.tool_calls).map((value) => {
      const call = asObject(value)
      const { name, arguments: source } = asObject(call.function ?? value)
      return {
        ...createPart('tool_call', 'assistant', ''),
        tool: optionalString(name) ?? 'tool',
        call: optionalString(call.id),
        input: inputOf(source),
        model,
      }
    }),
  ]
}

/** Arguments are a JSON string, sometimes truncated. */
function inputOf(source: Json | undefined): Json {
  if (typeof source !== 'string') return source ?? {}
  return parseJson(source) ?? { arguments: source }
}

function readResult(record: JsonObject): EventPart[] {
  const images = asArray(record.images)
  const said = [contentText(record.content), contentText(images)].filter((piece) => piece !== '').join('\n')
  return [{ ...createPart('tool_result', 'tool', said), call: optionalString(record.tool_call_id) }]
}

function readReasoning(record: JsonObject): EventPart[] {
  const said = asArray(record.summary)
    .map((piece) => asString(asObject(piece).text))
    .filter((piece) => piece !== '')
    .join('\n\n')
  return said ? [{ ...createPart('thinking', 'assistant', said), id: asString(record.id) }] : []
}

/** A tool of the model service: call and result are one record. */
function readBackendCall(record: JsonObject): EventPart[] {
  const kind = asObject(record.kind)
  const call = optionalString(kind.id)
  const { sources, ...action } = asObject(kind.action)
  const found = asArray(sources).map((source) => asString(asObject(source).url))
  return [
    {
      ...createPart('tool_call', 'assistant', ''),
      tool: optionalString(kind.tool_type) ?? 'tool',
      call,
      input: Object.keys(action).length > 0 ? action : { code: kind.code },
    },
    {
      ...createPart('tool_result', 'tool', found.filter((url) => url !== '').join('\n')),
      call,
      error: kind.status === 'failed' ? 'failed' : undefined,
    },
  ]
}

function createPart(kind: EventKind, role: Event['role'], said: string): EventPart {
  return { id: '', kind, role, ts: null, text: said }
}
