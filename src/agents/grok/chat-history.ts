// chat_history.jsonl: what the model sees, without any times. Read only where the update log is missing or empty.
// Version 1 has typed records, version 0 the messages of the OpenAI interface.
import type { Event, EventKind, Json } from '../../core/session.ts'
import { type CallBook, callBook } from '../calls.ts'
import { records } from '../files.ts'
import { type Fields, fields, fingerprint, list, named, parseJson, text } from '../values.ts'
import { contentText } from './content.ts'
import type { Place } from './place.ts'
import { personSaid } from './prompts.ts'

/** The first records of a subagent may be its parent's. */
export function readChatHistory(path: string, inherited: number, place: Place): void {
  const { out, session } = place
  const book = callBook(undefined)
  const seen = new Map<string, number>()
  let ordinal = 0
  for (const { record } of records(path, out)) {
    if (ordinal++ < inherited) continue
    const type = named(record.type) ?? text(record.role)
    const read = readers.get(type)
    if (!read) {
      if (type !== 'system') out.unknown(type || 'record without type')
      continue
    }
    if (named(record.model_id)) out.session(session).about({ model: named(record.model_id) })
    for (const event of read(record, place)) {
      const what = fingerprint(session, event.kind, event.call, event.text, JSON.stringify(event.input ?? null))
      const times = seen.get(what) ?? 0 // the file is rewritten and cut: content and repetition hold, position does not
      seen.set(what, times + 1)
      out.session(session).event(joinedCall({ ...event, key: `${what}#${times}` }, book))
    }
  }
}

type Part = Omit<Event, 'key'>

function joinedCall(event: Event, book: CallBook): Event {
  if (event.kind === 'tool_call') return book.opened(event)
  return event.kind === 'tool_result' ? book.closed(event) : event
}

const readers = new Map<string, (record: Fields, place: Place) => Part[]>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['tool_result', readResult],
  ['tool', readResult],
  ['reasoning', readReasoning],
  ['backend_tool_call', readBackendCall],
])

function readUser(record: Fields, { isSubagent }: Place): Part[] {
  const source = contentText(record.content)
  if (!source.trim()) return []
  const reason = named(record.synthetic_reason)
  const isMachine = isSubagent || (reason !== undefined && reason !== 'interjection')
  const said = isMachine ? { kind: 'context' as const, text: source } : personSaid(source)
  const event = part(said.kind, 'user', said.text)
  const isStopped = /^(?:mid_turn_abort|permission_cancelled)$/.test(text(record.prior_turn_interrupt))
  return isStopped ? [part('interrupt', 'user', text(record.prior_turn_interrupt)), event] : [event]
}

function readAssistant(record: Fields): Part[] {
  const model = named(record.model_id)
  const said = contentText(record.content)
  const thought = text(record.reasoning_content)
  return [
    ...(thought ? [{ ...part('thinking', 'assistant', thought), model }] : []),
    ...(said.trim() ? [{ ...part('reply', 'assistant', said), model }] : []),
    ...list(record.tool_calls).map((value) => {
      const call = fields(value)
      const { name, arguments: source } = fields(call.function ?? value)
      return {
        ...part('tool_call', 'assistant', ''),
        tool: named(name) ?? 'tool',
        call: named(call.id),
        input: inputOf(source),
        model,
      }
    }),
  ]
}

/** Arguments are JSON in a string, and not always whole. */
function inputOf(source: Json | undefined): Json {
  if (typeof source !== 'string') return source ?? {}
  return parseJson(source) ?? { arguments: source }
}

function readResult(record: Fields): Part[] {
  const images = list(record.images)
  const said = [contentText(record.content), contentText(images)].filter((piece) => piece !== '').join('\n')
  return [{ ...part('tool_result', 'tool', said), call: named(record.tool_call_id) }]
}

function readReasoning(record: Fields): Part[] {
  const said = list(record.summary)
    .map((piece) => text(fields(piece).text))
    .filter((piece) => piece !== '')
    .join('\n\n')
  return said ? [{ ...part('thinking', 'assistant', said), id: text(record.id) }] : []
}

/** A tool that ran at the service: call and result are one record. */
function readBackendCall(record: Fields): Part[] {
  const kind = fields(record.kind)
  const call = named(kind.id)
  const { sources, ...action } = fields(kind.action)
  const found = list(sources).map((source) => text(fields(source).url))
  return [
    {
      ...part('tool_call', 'assistant', ''),
      tool: named(kind.tool_type) ?? 'tool',
      call,
      input: Object.keys(action).length > 0 ? action : { code: kind.code },
    },
    {
      ...part('tool_result', 'tool', found.filter((url) => url !== '').join('\n')),
      call,
      error: kind.status === 'failed' ? 'failed' : undefined,
    },
  ]
}

function part(kind: EventKind, role: Event['role'], said: string): Part {
  return { id: '', kind, role, ts: null, text: said }
}
