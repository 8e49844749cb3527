// Reads records of iFlow CLI: envelopes as those of Claude Code, tool results as those of Gemini CLI.
// While an answer is streamed it is written several times under the same parent, each time with the
// latest calls, so a call is recognised by its id and a text by its content.
import { basename } from 'node:path'
import type { Event, Json } from '../../core/session.ts'
import type { EventBase, LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import { changedFiles, contentParts, toolOutcome, userKind, userTurn } from '../gemini-cli/content.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

interface IflowState {
  out: ReaderOutput
  session: string
  calls: PendingCalls
  /** The file that an open call will change. */
  changes: PendingChanges
  /** The latest calls, which later records repeat. */
  seenCalls: Set<string>
  answer: Answer
}

/** The records of one answer: neighbours with the same parent. */
interface Answer {
  parent: string
  /** The first of its records. */
  key: string
  texts: Set<string>
}

interface IflowRecord {
  record: JsonObject
  base: EventBase
  session: SessionOutput
  isSubagent: boolean
}

const maxSeenCalls = 200
const noAnswer = (): Answer => ({ parent: '', key: '', texts: new Set() })

export function openIflow(path: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const answer = asObject(saved.answer)
  const reading: IflowState = {
    out,
    session: basename(path, '.jsonl'),
    calls: pendingCalls(saved.calls),
    changes: pendingChanges(saved.changes),
    seenCalls: new Set(asArray(saved.seenCalls).map(asString)),
    answer: {
      parent: asString(answer.parent),
      key: asString(answer.key),
      texts: new Set(asArray(answer.texts).map(asString)),
    },
  }
  return {
    record: (record) => readRecord(record, reading),
    state: () => ({
      calls: reading.calls.state(),
      changes: reading.changes.state(),
      seenCalls: [...reading.seenCalls],
      answer: { ...reading.answer, texts: [...reading.answer.texts] },
    }),
  }
}

function readRecord(record: JsonObject, reading: IflowState): void {
  const type = asString(record.type)
  if (type !== 'user' && type !== 'assistant') return reading.out.unknownType(type || 'record without type')
  const isSubagent = record.isSidechain === true
  const native = isSubagent ? `${reading.session}/sidechain` : reading.session
  const session = reading.out.session(native)
  const id = asString(record.uuid)
  const base = { id, key: id || fingerprint(native, JSON.stringify(record)), ts: asIsoTime(record.timestamp) }
  if (isSubagent) session.about({ kind: 'subagent', parent: reading.session })
  session.about({
    cwd: optionalString(record.cwd),
    branch: optionalString(record.gitBranch),
    version: optionalString(record.version),
  })
  const read = type === 'user' ? readUser : readAssistant
  read({ record, base, session, isSubagent }, reading)
}

function readUser({ record, base, session, isSubagent }: IflowRecord, reading: IflowState): void {
  reading.answer = noAnswer()
  const { content } = asObject(record.message)
  const blocks = contentParts(content)
  const results = blocks.filter((block) => block.type === 'tool_result')
  for (const block of results)
    readResult(block, asString(asObject(record.toolUseResult).status), base, session, reading)
  const { said, added } = userTurn(blocks.filter((block) => block.type !== 'tool_result').map(googlePart))
  added.forEach((text, index) => {
    session.event({ ...base, key: `${base.key}/added/${index}`, kind: 'context', role: 'user', text })
  })
  if (said)
    session.event({
      ...base,
      key: `${base.key}/said`,
      kind: kindOf(record, said, isSubagent),
      role: 'user',
      text: said,
    })
}

/** Images have the form of Claude Code's. */
function googlePart(block: JsonObject): JsonObject {
  const { media_type, data } = asObject(block.source)
  return block.type === 'image' ? { text: imagePlaceholder(optionalString(media_type), asString(data)) } : block
}

function kindOf(record: JsonObject, said: string, isSubagent: boolean): Event['kind'] {
  if (record.isCompactSummary === true) return 'compaction'
  return record.isMeta === true || isSubagent ? 'context' : userKind(said)
}

function readResult(
  block: JsonObject,
  status: string,
  base: EventBase,
  session: SessionOutput,
  reading: IflowState,
): void {
  const call = asString(block.tool_use_id)
  const { responseParts, resultDisplay } = asObject(block.content)
  const key = `${reading.session}/result/${call || base.key}`
  const event = reading.calls.close({ ...base, key, kind: 'tool_result', role: 'tool', text: '', call })
  const result = contentParts(responseParts ?? block.content)
  const outcome = toolOutcome({ call, tool: event.tool ?? '', result, status })
  const text = outcome.text || asString(resultDisplay)
  session.event({ ...event, ...outcome, text })
  const [planned] = reading.changes.close(call)
  if (outcome.error) return
  const files = changedFiles(event.tool ?? '', planned ? { file_path: planned.path } : {}, resultDisplay, text)
  if (files.length > 0)
    session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', tool: event.tool, call, files })
}

function readAssistant({ record, base, session }: IflowRecord, reading: IflowState): void {
  const message = asObject(record.message)
  const parent = asString(record.parentUuid)
  if (!reading.answer.key || reading.answer.parent !== parent)
    reading.answer = { parent, key: base.key, texts: new Set() }
  const model = message.model === 'unknown' ? undefined : optionalString(message.model)
  session.about({ model })
  readUsage(asObject(message.usage), { key: reading.answer.key, ts: base.ts, model: model ?? null }, session)
  contentParts(message.content).forEach((block, index) => {
    const event = answerEvent(block, { ...base, key: `${base.key}#${index}` }, reading)
    if (event) session.event({ ...event, model })
  })
}

function answerEvent(block: JsonObject, base: EventBase, reading: IflowState): Event | undefined {
  if (block.type === 'tool_use') return callEvent(block, base, reading)
  const text = asString(block.text) || asString(block.thinking)
  const kind = block.type === 'thinking' ? 'thinking' : 'reply'
  const { texts } = reading.answer
  const known = fingerprint(kind, text)
  if (!text.trim() || texts.has(known)) return undefined
  texts.add(known)
  return { ...base, kind, role: 'assistant', text }
}

function callEvent(block: JsonObject, base: EventBase, reading: IflowState): Event | undefined {
  const call = optionalString(block.id) ?? base.key
  if (reading.seenCalls.has(call)) return undefined
  reading.seenCalls.add(call)
  if (reading.seenCalls.size > maxSeenCalls) reading.seenCalls.delete(reading.seenCalls.values().next().value!)
  const path = optionalString(asObject(block.input).file_path)
  if (path) reading.changes.open(call, [{ path, change: 'update' }])
  return reading.calls.open({
    ...base,
    key: `${reading.session}/call/${call}`,
    kind: 'tool_call',
    role: 'assistant',
    text: '',
    tool: optionalString(block.name) ?? 'unknown',
    call,
    input: block.input ?? {},
  })
}

/** Always zero in the recording; where there is a count, the records of an answer have one usage. */
function readUsage(
  tokens: JsonObject,
  response: { key: string; ts: string | null; model: string | null },
  session: SessionOutput,
): void {
  const [input, output] = [asCount(tokens.input_tokens), asCount(tokens.output_tokens)]
  if (input + output === 0) return
  session.usage({ ...response, input, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, output, reasoning: 0 })
}
