// Reads sessions of Kiro CLI 2: one log per session (`{version: "v1", kind, data}`, seen from June to
// August 2026, 2.5.1) and a file beside it with folder, title, model and the end of each turn. Only
// prompts have a time of their own. Going back starts a new log with copies, which keep their ids.
// Compactions, resets and thinking are from another reader's notes on 2.24 only.
import { basename } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Event, Json } from '../../core/session.ts'
import type { EventBase, LogReader, LogTranscript, ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { answerKind, argumentsOf, imageText, isMachinePrompt, outcomeOf, plannedChanges } from './tools.ts'

export function cliLogTranscript(path: string): LogTranscript {
  const sidecar = path.replace(/l$/, '')
  return { shape: 'log', path, also: [sidecar], open: (out, state) => openLog(path, sidecar, { out, state }) }
}

interface CliState {
  out: ReaderOutput
  native: string
  session: SessionOutput
  cwd: string | undefined
  model: string | undefined
  /** End of a turn, by its last message; the messages before it have no time. */
  times: Map<string, string>
  calls: PendingCalls
  /** Files that open calls will change. */
  changes: PendingChanges
}

function openLog(
  path: string,
  sidecar: string,
  { out, state }: { out: ReaderOutput; state: Json | undefined },
): LogReader {
  const saved = asObject(state)
  const about = readSidecar(sidecar)
  const native = basename(path, '.jsonl')
  const session = out.session(native)
  const inside = asObject(about.session_state)
  const reading: CliState = {
    out,
    native,
    session,
    cwd: optionalString(about.cwd),
    model: optionalString(asObject(asObject(inside.rts_model_state).model_info).model_id),
    times: turnEnds(asObject(inside.conversation_metadata)),
    calls: pendingCalls(saved.calls),
    changes: pendingChanges(saved.changes),
  }
  session.about({
    cwd: reading.cwd,
    model: reading.model,
    title: optionalString(about.title),
    titleRank: 1,
    started: asIsoTime(about.created_at) ?? undefined,
    ended: asIsoTime(about.updated_at) ?? undefined,
  })
  return {
    record: (record, offset) => readRecord(record, offset, reading),
    state: () => ({ calls: reading.calls.state(), changes: reading.changes.state() }),
  }
}

function readSidecar(path: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(path)))
  } catch {
    return {} // not written yet
  }
}

function turnEnds(metadata: JsonObject): Map<string, string> {
  const ends = new Map<string, string>()
  for (const turn of asArray(metadata.user_turn_metadatas).map(asObject)) {
    const end = asIsoTime(turn.end_timestamp)
    const last = optionalString(asArray(turn.message_ids).at(-1))
    if (end && last && !ends.has(last)) ends.set(last, end) // a compaction repeats the ids of a turn
  }
  return ends
}

function readRecord(record: JsonObject, offset: number, reading: CliState): void {
  const data = asObject(record.data)
  const kind = asString(record.kind)
  const id = asString(data.message_id)
  const base = { id, key: id || fingerprint(reading.native, offset, kind), ts: reading.times.get(id) ?? null }
  switch (kind) {
    case 'Prompt':
    case 'CancelledPrompt':
      return readPrompt(data, base, reading)
    case 'AssistantMessage':
      asArray(data.content).forEach((block, index) => {
        readBlock(asObject(block), { ...base, key: `${base.key}#${index}` }, reading)
      })
      return
    case 'ToolResults':
      return readResults(data, base, reading)
    case 'Clear':
      return reading.session.event({ ...base, kind: 'lifecycle', role: 'user', text: 'Context cleared' })
    case 'ResetTo':
      return reading.session.event({ ...base, kind: 'lifecycle', role: 'user', text: 'Went back to an earlier point' })
    case 'Compaction': {
      const summary = optionalString(data.summary) ?? blocksText(data.content)
      return reading.session.event({ ...base, kind: 'compaction', role: 'system', text: summary })
    }
    default:
      reading.out.unknownType(kind)
  }
}

function readPrompt(data: JsonObject, base: EventBase, { session }: CliState): void {
  const said = blocksText(data.content)
  if (!said.trim()) return
  const ts = asIsoTime(asObject(data.meta).timestamp) ?? base.ts
  session.event({ ...base, ts, kind: isMachinePrompt(said) ? 'context' : 'prompt', role: 'user', text: said })
}

function blocksText(content: Json | undefined): string {
  return asArray(content)
    .map(asObject)
    .map(({ kind, data }) => (kind === 'image' ? imageText(asObject(data)) : kind === 'text' ? asString(data) : ''))
    .filter((part) => part !== '')
    .join('\n')
}

function readBlock({ kind, data }: JsonObject, base: EventBase, reading: CliState): void {
  const { session, out, model } = reading
  switch (kind) {
    case 'text': {
      const said = asString(data)
      if (said.trim()) session.event({ ...base, ...answerKind(said), text: said, model })
      return
    }
    case 'thinking': {
      const said = asString(asObject(data).text) || asString(data)
      if (said.trim()) session.event({ ...base, kind: 'thinking', role: 'assistant', text: said, model })
      return
    }
    case 'toolUse':
      return readCall(asObject(data), { ...base, model }, reading)
    case 'image':
      return session.event({ ...base, kind: 'reply', role: 'assistant', text: imageText(asObject(data)), model })
    default:
      out.unknownType(`block/${asString(kind)}`)
  }
}

function readCall(
  { toolUseId, name, input: given }: JsonObject,
  base: EventBase & Pick<Event, 'model'>,
  reading: CliState,
) {
  const call = optionalString(toolUseId)
  const tool = optionalString(name) ?? 'unknown'
  const input = argumentsOf(given)
  reading.changes.open(call, plannedChanges(tool, asObject(input), reading.cwd))
  const event: Event = { ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input }
  reading.session.event(reading.calls.open(event))
}

/** `results` repeats the content with typed arguments; it is read only if there is no content. */
function readResults(data: JsonObject, base: EventBase, reading: CliState): void {
  const blocks = asArray(data.content)
    .map(asObject)
    .filter(({ kind }) => kind === 'toolResult')
    .map((block) => asObject(block.data))
  const results = blocks.length > 0 ? blocks : Object.entries(asObject(data.results)).map(repeatedResult)
  results.forEach((result, index) => {
    const call = optionalString(result.toolUseId)
    const { text, error, exit } = outcomeOf(result.content, asString(result.status))
    const at = { ...base, key: `${base.key}#${index}`, call }
    reading.session.event(reading.calls.close({ ...at, kind: 'tool_result', role: 'tool', text, error, exit }))
    const files = reading.changes.close(call)
    if (files.length > 0 && !error)
      reading.session.event({ ...at, key: `${at.key}/edit`, kind: 'edit', role: 'tool', text: '', files })
  })
}

function repeatedResult([toolUseId, value]: [string, Json | undefined]): JsonObject {
  const { Success: success, Error: failure } = asObject(asObject(value).result)
  if (failure === undefined) return { toolUseId, content: asObject(success).items, status: 'success' }
  const items = asArray(asObject(failure).items)
  const text = optionalString(failure) ?? JSON.stringify(failure)
  return { toolUseId, content: items.length > 0 ? items : [{ Text: text }], status: 'error' }
}
