// Turns the records of a Qwen Code session into events.
import { readForeignText } from '../../core/files.ts'
import type { Event, EventKind, Json, Usage } from '../../core/session.ts'
import type { LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import {
  changedFiles,
  contentParts,
  partText,
  shellLine,
  toolOutcome,
  userKind,
  userTurn,
} from '../gemini-cli/content.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

export interface QwenFile {
  path: string
  session: string
  /** Parent session of a subagent. */
  parent?: string
}

interface QwenState {
  file: QwenFile
  out: ReaderOutput
  calls: PendingCalls
  memory: QwenMemory
}

/** State that later records need; saved as it is. */
interface QwenMemory {
  /**
   * The last record and its number of emitted parts: a streamed answer continues with the same
   * uuid.
   */
  last: { uuid: string; parts: number }
  /** User turns that were not rewound, each with the record before it, which a rewind names. */
  turns: { uuid: string; parent: string; isPrompt: boolean }[]
  /** Paths of open calls: a result contains only the file name. */
  paths: { call: string; path: string }[]
  /** The last slash command: its text is repeated as the user turn that it sends. */
  command: string
  /** Whether the last failed request was emitted: in servers its turn reports it again. */
  hasFailed: boolean
  /** The first text of a session that another session started is its task. */
  awaitsTask: boolean
  /** Highest rank of a title so far, and the lowest rank that a title has after a rewind. */
  titleRank: number
  minTitleRank: number
}

export function openQwen(file: QwenFile, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const reading: QwenState = { file, out, calls: pendingCalls(saved.calls), memory: memoryOf(asObject(saved.memory)) }
  if (state === undefined && file.parent) nameSubagent(file, out)
  return {
    record: (record, offset) => readRecord(record, offset, reading),
    state: () => ({ calls: reading.calls.state(), memory: { ...reading.memory } as unknown as Json }),
  }
}

function memoryOf(saved: JsonObject): QwenMemory {
  const last = asObject(saved.last)
  return {
    last: { uuid: asString(last.uuid), parts: asCount(last.parts) },
    turns: asArray(saved.turns).map((value) => {
      const { uuid, parent, isPrompt } = asObject(value)
      return { uuid: asString(uuid), parent: asString(parent), isPrompt: isPrompt === true }
    }),
    paths: asArray(saved.paths).map((value) => ({
      call: asString(asObject(value).call),
      path: asString(asObject(value).path),
    })),
    command: asString(saved.command),
    hasFailed: saved.hasFailed === true,
    awaitsTask: saved.awaitsTask === true,
    titleRank: asCount(saved.titleRank),
    minTitleRank: asCount(saved.minTitleRank),
  }
}

/** The file that says what a subagent in the background is for. */
export function metaPathOf(path: string): string {
  return path.replace(/\.jsonl$/, '.meta.json')
}

function nameSubagent({ path, session }: QwenFile, out: ReaderOutput): void {
  try {
    const meta = asObject(parseJson(readForeignText(metaPathOf(path))))
    const title = [optionalString(meta.agentType), optionalString(meta.description)].filter(Boolean).join(': ')
    out.session(session).about({ title: title || undefined, titleRank: 3, model: optionalString(meta.model) })
  } catch {
    // a subagent in the foreground has no such file
  }
}

function readRecord(record: JsonObject, offset: number, reading: QwenState): void {
  const type = asString(record.type)
  const at = () => placeOf(record, offset, reading)
  switch (type) {
    case 'user':
      return readUser(record, at(), reading)
    case 'assistant':
      return readAssistant(record, at(), reading)
    case 'tool_result':
      return readToolResult(record, at(), reading)
    case 'system':
      return ignoredSubtypes.has(asString(record.subtype)) ? undefined : readSystem(record, at(), reading)
    default:
      reading.out.unknownType(type || 'record without type')
  }
}

interface RecordPlace {
  session: SessionOutput
  isSubagent: boolean
  base: Pick<Event, 'id' | 'key' | 'ts'>
}

/** The session that the file is named after, whatever the record says. */
function placeOf(record: JsonObject, offset: number, { file, out }: QwenState): RecordPlace {
  const inline = !file.parent && record.isSidechain === true
  const session = out.session(inline ? `${file.session}/${optionalString(record.agentId) ?? 'subagent'}` : file.session)
  const isSubagent = inline || file.parent !== undefined
  const origin = optionalString(asObject(record.forkedFrom).sessionId)
  session.about({
    kind: isSubagent ? 'subagent' : origin ? 'fork' : undefined,
    parent: inline ? file.session : (file.parent ?? origin),
    cwd: optionalString(record.cwd),
    branch: optionalString(record.gitBranch),
    version: optionalString(record.version),
  })
  const id = asString(record.uuid)
  return {
    session,
    isSubagent,
    base: { id, key: id || fingerprint(file.session, offset), ts: asIsoTime(record.timestamp) },
  }
}

/** Text typed or spoken during a turn is a prompt too; all other subtypes are machine text. */
const humanSubtypes = new Set(['', 'mid_turn_user_message', 'realtime_message'])

function readUser(record: JsonObject, { session, isSubagent, base }: RecordPlace, { memory }: QwenState): void {
  const { said: sent, added } = userTurn(contentParts(asObject(record.message).parts))
  const shown = asString(asObject(record.systemPayload).displayText).trim()
  added.forEach((text, index) => {
    session.event({ ...base, key: `${base.key}/added${index}`, kind: 'context', role: 'user', text })
  })
  const said = shown ? [shown, ...images(record)].join('\n') : sent
  if (!said) return
  const isTask = isSubagent || memory.awaitsTask
  memory.awaitsTask = false
  const kind = isTask || !isHuman(record) ? 'context' : kindOfTurn(said, memory)
  memory.turns = [
    ...memory.turns,
    { uuid: base.id, parent: asString(record.parentUuid), isPrompt: kind === 'prompt' },
  ].slice(-200)
  memory.hasFailed = false
  const content = kind === 'shell' ? shellLine(said)! : kind === 'context' ? sent || said : said
  session.event({ ...base, key: `${base.key}#0`, kind, role: 'user', text: content })
}

function isHuman(record: JsonObject): boolean {
  return humanSubtypes.has(asString(record.subtype)) && (record.provenance ?? 'real_user') === 'real_user'
}

function kindOfTurn(said: string, memory: QwenMemory): EventKind {
  const kind = userKind(said)
  return kind === 'command' && said === memory.command ? 'context' : kind
}

function images(record: JsonObject): string[] {
  return contentParts(asObject(record.message).parts)
    .filter((part) => part.inlineData !== undefined)
    .map(partText)
}

function readAssistant(record: JsonObject, { session, base }: RecordPlace, { calls, memory }: QwenState): void {
  const model = optionalString(record.model)
  memory.hasFailed = false
  if (model) session.about({ model })
  const usage = usageOf(asObject(record.usageMetadata), base, model)
  if (usage) session.usage(usage)
  for (const part of contentParts(asObject(record.message).parts)) {
    const event = assistantEvent(part, { ...base, key: partKey(base.key, memory), model })
    if (event?.kind === 'tool_call') rememberPath(event, memory)
    if (event) session.event(event.kind === 'tool_call' ? calls.open(event) : event)
  }
}

function partKey(uuid: string, memory: QwenMemory): string {
  if (memory.last.uuid !== uuid) memory.last = { uuid, parts: 0 }
  return `${uuid}#${memory.last.parts++}`
}

function assistantEvent(part: JsonObject, base: Pick<Event, 'id' | 'key' | 'ts' | 'model'>): Event | undefined {
  const call = asObject(part.functionCall)
  if (optionalString(call.name)) {
    const name = optionalString(call.id) ?? base.key
    return {
      ...base,
      kind: 'tool_call',
      role: 'assistant',
      text: '',
      tool: asString(call.name),
      call: name,
      input: call.args ?? {},
    }
  }
  if (part.thought === true)
    return asString(part.text) ? { ...base, kind: 'thinking', role: 'assistant', text: asString(part.text) } : undefined
  const said = partText(part)
  return said.trim() ? { ...base, kind: 'reply', role: 'assistant', text: said } : undefined
}

function rememberPath({ call, input }: Event, memory: QwenMemory): void {
  const path = optionalString(asObject(input).file_path)
  if (call && path) memory.paths = [...memory.paths, { call, path }].slice(-100)
}

/** Whether the output includes thoughts depends on the service; the total tells. */
function usageOf(usage: JsonObject, { key, ts }: RecordPlace['base'], model: string | undefined): Usage | undefined {
  const prompt = asCount(usage.promptTokenCount)
  const cached = Math.min(asCount(usage.cachedContentTokenCount), prompt)
  const answer = asCount(usage.candidatesTokenCount)
  const reasoning = asCount(usage.thoughtsTokenCount)
  const isBeside = asCount(usage.totalTokenCount) >= prompt + answer + reasoning
  if (prompt + answer + reasoning === 0) return undefined
  return {
    key,
    ts,
    model: model ?? null,
    input: prompt - cached + asCount(usage.toolUsePromptTokenCount),
    cacheRead: cached,
    cacheWrite: 0,
    cacheWrite1h: 0,
    output: isBeside ? answer + reasoning : Math.max(answer, reasoning),
    reasoning,
  }
}

function readToolResult(record: JsonObject, { session, base }: RecordPlace, { calls, memory }: QwenState): void {
  const facts = asObject(record.toolCallResult)
  const content = contentParts(asObject(record.message).parts)
  const answers = content.filter((part) => part.functionResponse !== undefined)
  answers.forEach((part, index) => {
    const answer = asObject(part.functionResponse)
    const call = optionalString(answer.id) ?? optionalString(facts.callId) ?? ''
    const isTold = answers.length === 1 || facts.callId === call
    const status = isTold ? asString(facts.status) : ''
    const result = answers.length === 1 ? content : [part]
    const tool = optionalString(answer.name)
    const outcome = toolOutcome({
      call,
      tool: tool ?? '',
      result,
      status,
      errorType: isTold ? asString(facts.errorType) : undefined,
    })
    const shown = outcome.text || asString(facts.resultDisplay)
    const key = `${base.key}#${index}`
    session.event(calls.close({ ...base, ...outcome, key, kind: 'tool_result', role: 'tool', text: shown, tool, call }))
    const isDone = isTold && !outcome.error
    const files = isDone
      ? changedFiles(tool ?? '', { file_path: pathOf(call, memory) }, facts.resultDisplay, shown)
      : []
    if (files.length > 0)
      session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', tool, call, files })
  })
}

function pathOf(call: string, memory: QwenMemory): string | undefined {
  const path = memory.paths.find((known) => known.call === call)?.path
  memory.paths = memory.paths.filter((known) => known.call !== call)
  return path
}

/** Snapshots and settings; no part of the conversation. */
const ignoredSubtypes = new Set(
  `at_command attribution_snapshot file_history_snapshot user_text_elements branch_checkpoint session_notes session_source
   session_execution_engine session_approval_mode session_artifact_event session_artifact_snapshot session_sources_snapshot
   omni_recall agent_bootstrap agent_retry agent_session_ready background_task_completed goal_state goal_turn_end`.split(
    /\s+/,
  ),
)

function readSystem(record: JsonObject, { session, base }: RecordPlace, { out, memory }: QwenState): void {
  const subtype = asString(record.subtype)
  const payload = asObject(record.systemPayload)
  const event = (kind: EventKind, said: string, more: Partial<Event> = {}) =>
    session.event({ ...base, key: `${base.key}#0`, kind, role: 'system', text: said, ...more })
  switch (subtype) {
    case 'ui_telemetry':
      return readTelemetry(asObject(payload.uiEvent), memory, event)
    case 'chat_compression':
      return event('compaction', compactionText(payload), keptBy(payload, memory))
    case 'slash_command':
      if (payload.phase !== 'invocation' || payload.hiddenInvocation === true) return
      memory.command = asString(payload.rawCommand).trim()
      return event('command', memory.command, { role: 'user' })
    case 'custom_title':
      memory.titleRank = Math.max(memory.titleRank, payload.titleSource === 'auto' ? 3 : 4)
      return session.about({
        title: optionalString(payload.customTitle),
        titleRank: Math.max(memory.minTitleRank, payload.titleSource === 'auto' ? 3 : 4),
      })
    case 'session_model':
      return session.about({ model: optionalString(payload.modelId) })
    case 'parent_session':
      memory.awaitsTask = true
      return session.about({ kind: 'subagent', parent: optionalString(payload.parentSessionId) })
    case 'rewind':
      memory.minTitleRank = memory.titleRank // a title of the branch that was left does not outrank later ones
      return event('lifecycle', 'Rewound', { undoes: forgetTurns(asString(record.parentUuid), memory) })
    case 'turn_result':
      return readTurnResult(payload, memory, event)
    default:
      out.unknownType(`system ${subtype || 'without subtype'}`)
  }
}

type EmitEvent = (kind: EventKind, said: string) => void

/** Telemetry repeats other records, except failed requests. */
function readTelemetry(uiEvent: JsonObject, memory: QwenMemory, tell: EmitEvent): void {
  if (!asString(uiEvent['event.name']).endsWith('.api_error')) return
  const type = asString(uiEvent.error_type)
  const said = optionalString(uiEvent.error_message) ?? optionalString(uiEvent.error) ?? type
  memory.hasFailed = true
  if (/abort/i.test(type)) tell('interrupt', said)
  else tell('error', type && !said.includes(type) ? `${type}: ${said}` : said)
}

function readTurnResult(payload: JsonObject, memory: QwenMemory, tell: EmitEvent): void {
  const isTold = memory.hasFailed
  memory.hasFailed = false
  if (isTold) return
  if (payload.state === 'cancelled') tell('interrupt', 'Cancelled')
  if (payload.state === 'error') tell('error', asString(asObject(payload.error).message))
}

function compactionText({ info, compressedHistory }: JsonObject): string {
  const { originalTokenCount, newTokenCount } = asObject(info)
  const summary = asArray(compressedHistory)
    .flatMap((turn) => contentParts(asObject(turn).parts).map(partText))
    .find((said) => said.trim() !== '')
  const sizes = asCount(originalTokenCount) ? `${asCount(originalTokenCount)} to ${asCount(newTokenCount)} tokens` : ''
  return [sizes, summary].filter(Boolean).join('\n')
}

/** Behind the summary and its answer stand the latest turns, from one of the user's on. */
function keptBy({ compressedHistory }: JsonObject, { turns }: QwenMemory): Partial<Event> {
  const kept = asArray(compressedHistory)
    .slice(2)
    .map(asObject)
    .filter(({ role, parts }) => role === 'user' && userTurn(contentParts(parts)).said !== '')
  const keepsFrom = kept.length > 0 ? turns.at(-kept.length)?.uuid : undefined
  return keepsFrom ? { keepsFrom } : {}
}

/** Drops the rewound turn and all after it: it followed the record that the rewind names. */
function forgetTurns(parent: string, memory: QwenMemory): number {
  const { turns } = memory
  const target = turns.findIndex((turn) => turn.parent === parent)
  const kept =
    target >= 0 ? target : parent === '' ? 0 : turns.findIndex((turn) => turn.uuid === parent) + 1 || turns.length
  memory.turns = turns.slice(0, kept)
  return turns.slice(kept).filter((turn) => turn.isPrompt).length
}
