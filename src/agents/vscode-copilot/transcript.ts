// Reads the transcript that the extension writes for hooks (0.37 to 0.47): events like those of
// Copilot CLI, without tokens and mostly without results.
import { basename } from 'node:path'
import { readLines } from '../../core/jsonl.ts'
import type { FileChange, Json } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { readRecords } from '../files.ts'
import { asArray, asIsoTime, asObject, asString, fingerprint, type JsonObject, optionalString } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { callId, changesOf, inputOf, outcomeOf } from './tools.ts'
import type { TraceIndex } from './traces.ts'
import type { Workspace } from './workspace.ts'

interface TranscriptState {
  session: SessionOutput
  out: ReaderOutput
  calls: PendingCalls
  /** Planned changes of the calls that were read. */
  planned: Map<string, FileChange[]>
  cwd: string | undefined
}

export function readTranscript(
  path: string,
  { place, spans }: { place: Workspace; spans: TraceIndex },
  out: ReaderOutput,
): void {
  const id = basename(path, '.jsonl')
  const session = out.session(id)
  const reading = { session, out, calls: pendingCalls(undefined), planned: new Map(), cwd: place.folder }
  session.about({ cwd: place.folder })
  for (const { record } of readRecords(path, out)) {
    const ts = asIsoTime(record.timestamp)
    const name = optionalString(record.id) ?? fingerprint(ts, asString(record.type), JSON.stringify(record.data))
    readRecord(asString(record.type), asObject(record.data), { id: name, key: `${id}/${name}`, ts }, reading)
  }
  for (const span of spans([id])) session.usage({ key: span.id, ts: span.ts, model: span.model, ...span.tokens })
}

function readRecord(type: string, data: JsonObject, base: EventBase, reading: TranscriptState): void {
  const { session } = reading
  const said = { ...base, role: 'assistant' } as const
  switch (type) {
    case 'session.start': {
      reading.cwd = optionalString(asObject(data.context).cwd) ?? reading.cwd
      const started = asIsoTime(data.startTime) ?? undefined
      return session.about({ cwd: reading.cwd, started, version: optionalString(data.copilotVersion) })
    }
    case 'user.message':
      if (asString(data.content).trim())
        session.event({ ...base, kind: 'prompt', role: 'user', text: asString(data.content) })
      return
    case 'assistant.message': {
      const thought = asString(data.reasoningText)
      if (thought.trim()) session.event({ ...said, key: `${base.key}/thinking`, kind: 'thinking', text: thought })
      if (asString(data.content).trim()) session.event({ ...said, kind: 'reply', text: asString(data.content) })
      for (const request of asArray(data.toolRequests).map(asObject))
        readCall(request.toolCallId, asString(request.name), request.arguments, base, reading)
      return
    }
    case 'tool.execution_start':
      return readCall(data.toolCallId, asString(data.toolName), data.arguments, base, reading)
    case 'tool.execution_complete':
      return readResult(data, base, reading)
    case 'assistant.turn_start':
    case 'assistant.turn_end':
      return
    default:
      reading.out.unknownType(type || 'record without type')
  }
}

/** A call is recorded in the answer that requests it and again when it starts; the first one counts. */
function readCall(
  id: Json | undefined,
  tool: string,
  given: Json | undefined,
  base: EventBase,
  { session, calls, planned, cwd }: TranscriptState,
): void {
  const call = callId(id)
  if (!call || !tool || planned.has(call)) return
  const input = inputOf(given)
  planned.set(call, changesOf(tool, input, cwd))
  const event = { ...base, key: `${base.key}/${call}`, text: '', call, tool, input }
  session.event(calls.open({ ...event, kind: 'tool_call', role: 'assistant' }))
}

function readResult(data: JsonObject, base: EventBase, { session, calls, planned }: TranscriptState): void {
  const call = callId(data.toolCallId)
  const outcome = outcomeOf(asString(asObject(data.result).content), undefined)
  const error = data.success === false ? (outcome.error ?? 'failed') : outcome.error
  const done = { ...base, role: 'tool', call } as const
  session.event(calls.close({ ...done, kind: 'tool_result', ...outcome, error }))
  const files = error ? [] : (planned.get(call) ?? [])
  if (files.length > 0) session.event({ ...done, key: `${base.key}/edit`, kind: 'edit', text: '', files })
}

/** Whether a chat session is the one that hooks call by this id. */
export function mentionsSession(chat: string, session: string): boolean {
  try {
    for (const { bytes } of readLines(chat)) if (bytes.includes(`"${session}"`)) return true
  } catch {
    // it was removed since
  }
  return false
}
