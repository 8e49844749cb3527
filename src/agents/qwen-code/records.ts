// The records of a Qwen Code session.
import { readFileSync } from 'node:fs'
import type { Event, EventKind, Json, Usage } from '../../core/session.ts'
import type { LogReader, Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { changedFiles, parts, partText, shellLine, toolOutcome, userKind, userTurn } from '../gemini-cli/parts.ts'
import { count, type Fields, fields, fingerprint, list, named, parseJson, text, time } from '../values.ts'

export interface QwenFile {
  path: string
  session: string
  /** Session that delegated to this one. */
  parent?: string
}

interface Reading {
  file: QwenFile
  out: Out
  calls: CallBook
  memory: Memory
}

/** What later records need of earlier ones; goes into the saved state as it is. */
interface Memory {
  /** The last record and how many of its parts are told: a streamed answer goes on under the uuid it began with. */
  last: { uuid: string; parts: number }
  /** User turns that still stand, each with the record it followed: a rewind names that record. */
  turns: { uuid: string; parent: string; isPrompt: boolean }[]
  /** Files that calls in flight are about: a result names only the last part of the path. */
  paths: { call: string; path: string }[]
  /** The last slash command: its text comes again as the user turn that it sends. */
  command: string
  /** Whether the request that failed last is told: it says so itself, and in servers so does its turn. */
  hasFailed: boolean
  /** The first text of a session that another session started is its task. */
  awaitsTask: boolean
}

export function openQwen(file: QwenFile, out: Out, state: Json | undefined): LogReader {
  const saved = fields(state)
  const reading: Reading = { file, out, calls: callBook(saved.calls), memory: memoryOf(fields(saved.memory)) }
  if (state === undefined && file.parent) nameSubagent(file, out)
  return {
    record: (record, offset) => readRecord(record, offset, reading),
    state: () => ({ calls: reading.calls.state(), memory: { ...reading.memory } as unknown as Json }),
  }
}

function memoryOf(saved: Fields): Memory {
  const last = fields(saved.last)
  return {
    last: { uuid: text(last.uuid), parts: count(last.parts) },
    turns: list(saved.turns).map((value) => {
      const { uuid, parent, isPrompt } = fields(value)
      return { uuid: text(uuid), parent: text(parent), isPrompt: isPrompt === true }
    }),
    paths: list(saved.paths).map((value) => ({ call: text(fields(value).call), path: text(fields(value).path) })),
    command: text(saved.command),
    hasFailed: saved.hasFailed === true,
    awaitsTask: saved.awaitsTask === true,
  }
}

function nameSubagent({ path, session }: QwenFile, out: Out): void {
  try {
    const meta = fields(parseJson(readFileSync(path.replace(/\.jsonl$/, '.meta.json'), 'utf8')))
    const title = [named(meta.agentType), named(meta.description)].filter(Boolean).join(': ')
    out.session(session).about({ title: title || undefined, titleRank: 3, model: named(meta.model) })
  } catch {
    // a subagent in the foreground has no such file
  }
}

function readRecord(record: Fields, offset: number, reading: Reading): void {
  const type = text(record.type)
  const at = () => place(record, offset, reading)
  switch (type) {
    case 'user':
      return readUser(record, at(), reading)
    case 'assistant':
      return readAssistant(record, at(), reading)
    case 'tool_result':
      return readToolResult(record, at(), reading)
    case 'system':
      return passedOver.has(text(record.subtype)) ? undefined : readSystem(record, at(), reading)
    default:
      reading.out.unknown(type || 'record without type')
  }
}

interface Place {
  session: SessionOut
  isSubagent: boolean
  base: Pick<Event, 'id' | 'key' | 'ts'>
}

/** Which session a record belongs to: the one its file is named for, whatever the record says. */
function place(record: Fields, offset: number, { file, out }: Reading): Place {
  const inline = !file.parent && record.isSidechain === true
  const session = out.session(inline ? `${file.session}/${named(record.agentId) ?? 'subagent'}` : file.session)
  const isSubagent = inline || file.parent !== undefined
  const origin = named(fields(record.forkedFrom).sessionId)
  session.about({
    kind: isSubagent ? 'subagent' : origin ? 'fork' : undefined,
    parent: inline ? file.session : (file.parent ?? origin),
    cwd: named(record.cwd),
    branch: named(record.gitBranch),
    version: named(record.version),
  })
  const id = text(record.uuid)
  return { session, isSubagent, base: { id, key: id || fingerprint(file.session, offset), ts: time(record.timestamp) } }
}

/** What a person says in the middle of a turn, or by voice, is a prompt too; every other subtype is the program's. */
const humanSubtypes = new Set(['', 'mid_turn_user_message', 'realtime_message'])

function readUser(record: Fields, { session, isSubagent, base }: Place, { memory }: Reading): void {
  const { said: sent, added } = userTurn(parts(fields(record.message).parts))
  const shown = text(fields(record.systemPayload).displayText).trim()
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
    { uuid: base.id, parent: text(record.parentUuid), isPrompt: kind === 'prompt' },
  ].slice(-200)
  memory.hasFailed = false
  const content = kind === 'shell' ? shellLine(said)! : kind === 'context' ? sent || said : said
  session.event({ ...base, key: `${base.key}#0`, kind, role: 'user', text: content })
}

function isHuman(record: Fields): boolean {
  return humanSubtypes.has(text(record.subtype)) && (record.provenance ?? 'real_user') === 'real_user'
}

function kindOfTurn(said: string, memory: Memory): EventKind {
  const kind = userKind(said)
  return kind === 'command' && said === memory.command ? 'context' : kind
}

function images(record: Fields): string[] {
  return parts(fields(record.message).parts)
    .filter((part) => part.inlineData !== undefined)
    .map(partText)
}

function readAssistant(record: Fields, { session, base }: Place, { calls, memory }: Reading): void {
  const model = named(record.model)
  memory.hasFailed = false
  if (model) session.about({ model })
  const usage = usageOf(fields(record.usageMetadata), base, model)
  if (usage) session.usage(usage)
  for (const part of parts(fields(record.message).parts)) {
    const event = assistantEvent(part, { ...base, key: partKey(base.key, memory), model })
    if (event?.kind === 'tool_call') rememberPath(event, memory)
    if (event) session.event(event.kind === 'tool_call' ? calls.opened(event) : event)
  }
}

function partKey(uuid: string, memory: Memory): string {
  if (memory.last.uuid !== uuid) memory.last = { uuid, parts: 0 }
  return `${uuid}#${memory.last.parts++}`
}

function assistantEvent(part: Fields, base: Pick<Event, 'id' | 'key' | 'ts' | 'model'>): Event | undefined {
  const call = fields(part.functionCall)
  if (named(call.name)) {
    const name = named(call.id) ?? base.key
    return {
      ...base,
      kind: 'tool_call',
      role: 'assistant',
      text: '',
      tool: text(call.name),
      call: name,
      input: call.args ?? {},
    }
  }
  if (part.thought === true)
    return text(part.text) ? { ...base, kind: 'thinking', role: 'assistant', text: text(part.text) } : undefined
  const said = partText(part)
  return said.trim() ? { ...base, kind: 'reply', role: 'assistant', text: said } : undefined
}

function rememberPath({ call, input }: Event, memory: Memory): void {
  const path = named(fields(input).file_path)
  if (call && path) memory.paths = [...memory.paths, { call, path }].slice(-100)
}

/** Whether the answer's count includes its thoughts depends on the service; the total tells. */
function usageOf(usage: Fields, { key, ts }: Place['base'], model: string | undefined): Usage | undefined {
  const prompt = count(usage.promptTokenCount)
  const cached = Math.min(count(usage.cachedContentTokenCount), prompt)
  const answer = count(usage.candidatesTokenCount)
  const reasoning = count(usage.thoughtsTokenCount)
  const isBeside = count(usage.totalTokenCount) >= prompt + answer + reasoning
  if (prompt + answer + reasoning === 0) return undefined
  return {
    key,
    ts,
    model: model ?? null,
    input: prompt - cached + count(usage.toolUsePromptTokenCount),
    cacheRead: cached,
    cacheWrite: 0,
    cacheWrite1h: 0,
    output: isBeside ? answer + reasoning : Math.max(answer, reasoning),
    reasoning,
  }
}

function readToolResult(record: Fields, { session, base }: Place, { calls, memory }: Reading): void {
  const facts = fields(record.toolCallResult)
  const content = parts(fields(record.message).parts)
  const answers = content.filter((part) => part.functionResponse !== undefined)
  answers.forEach((part, index) => {
    const answer = fields(part.functionResponse)
    const call = named(answer.id) ?? named(facts.callId) ?? ''
    const isTold = answers.length === 1 || facts.callId === call
    const status = isTold ? text(facts.status) : ''
    const result = answers.length === 1 ? content : [part]
    const tool = named(answer.name)
    const outcome = toolOutcome({
      call,
      tool: tool ?? '',
      result,
      status,
      errorType: isTold ? text(facts.errorType) : undefined,
    })
    const shown = outcome.text || text(facts.resultDisplay)
    const key = `${base.key}#${index}`
    session.event(
      calls.closed({ ...base, ...outcome, key, kind: 'tool_result', role: 'tool', text: shown, tool, call }),
    )
    const isDone = isTold && !outcome.error
    const files = isDone
      ? changedFiles(tool ?? '', { file_path: pathOf(call, memory) }, facts.resultDisplay, shown)
      : []
    if (files.length > 0)
      session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', tool, call, files })
  })
}

function pathOf(call: string, memory: Memory): string | undefined {
  const path = memory.paths.find((known) => known.call === call)?.path
  memory.paths = memory.paths.filter((known) => known.call !== call)
  return path
}

/** Snapshots and settings of the program that say nothing of the conversation. */
const passedOver = new Set(
  `at_command attribution_snapshot file_history_snapshot user_text_elements branch_checkpoint session_notes session_source
   session_execution_engine session_approval_mode session_artifact_event session_artifact_snapshot session_sources_snapshot
   omni_recall agent_bootstrap agent_retry agent_session_ready background_task_completed goal_state goal_turn_end`.split(
    /\s+/,
  ),
)

function readSystem(record: Fields, { session, base }: Place, { out, memory }: Reading): void {
  const subtype = text(record.subtype)
  const payload = fields(record.systemPayload)
  const event = (kind: EventKind, said: string, more: Partial<Event> = {}) =>
    session.event({ ...base, key: `${base.key}#0`, kind, role: 'system', text: said, ...more })
  switch (subtype) {
    case 'ui_telemetry':
      return readTelemetry(fields(payload.uiEvent), memory, event)
    case 'chat_compression':
      return event('compaction', compactionText(payload))
    case 'slash_command':
      if (payload.phase !== 'invocation' || payload.hiddenInvocation === true) return
      memory.command = text(payload.rawCommand).trim()
      return event('command', memory.command, { role: 'user' })
    case 'custom_title':
      return session.about({ title: named(payload.customTitle), titleRank: payload.titleSource === 'auto' ? 3 : 4 })
    case 'session_model':
      return session.about({ model: named(payload.modelId) })
    case 'parent_session':
      memory.awaitsTask = true
      return session.about({ kind: 'subagent', parent: named(payload.parentSessionId) })
    case 'rewind':
      return event('lifecycle', 'Rewound', { undoes: takeBack(text(record.parentUuid), memory) })
    case 'turn_result':
      return readTurnResult(payload, memory, event)
    default:
      out.unknown(`system ${subtype || 'without subtype'}`)
  }
}

type Tell = (kind: EventKind, said: string) => void

/** Measurements of what other records say; a request that failed stands nowhere else. */
function readTelemetry(uiEvent: Fields, memory: Memory, tell: Tell): void {
  if (!text(uiEvent['event.name']).endsWith('.api_error')) return
  const type = text(uiEvent.error_type)
  const said = named(uiEvent.error_message) ?? named(uiEvent.error) ?? type
  memory.hasFailed = true
  if (/abort/i.test(type)) tell('interrupt', said)
  else tell('error', type && !said.includes(type) ? `${type}: ${said}` : said)
}

function readTurnResult(payload: Fields, memory: Memory, tell: Tell): void {
  const isTold = memory.hasFailed
  memory.hasFailed = false
  if (isTold) return
  if (payload.state === 'cancelled') tell('interrupt', 'Cancelled')
  if (payload.state === 'error') tell('error', text(fields(payload.error).message))
}

function compactionText({ info, compressedHistory }: Fields): string {
  const { originalTokenCount, newTokenCount } = fields(info)
  const summary = list(compressedHistory)
    .flatMap((turn) => parts(fields(turn).parts).map(partText))
    .find((said) => said.trim() !== '')
  const sizes = count(originalTokenCount) ? `${count(originalTokenCount)} to ${count(newTokenCount)} tokens` : ''
  return [sizes, summary].filter(Boolean).join('\n')
}

/** Forgets the turns from the rewound one on: it followed the record that the rewind follows now. */
function takeBack(parent: string, memory: Memory): number {
  const { turns } = memory
  const target = turns.findIndex((turn) => turn.parent === parent)
  const kept =
    target >= 0 ? target : parent === '' ? 0 : turns.findIndex((turn) => turn.uuid === parent) + 1 || turns.length
  memory.turns = turns.slice(0, kept)
  return turns.slice(kept).filter((turn) => turn.isPrompt).length
}
