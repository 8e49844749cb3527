// Reads a task folder: the rows of the chat view, the messages to the model, and the entry of the
// task list. A row says or asks something and is identified by its time. Seen in Cline 3.4x and Roo
// Code 3.3x.
import { basename, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import type { Event, EventRole, Usage } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseDataUrl,
  parseJson,
} from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { type NamedModel, readApiHistory } from './api-history.ts'
import {
  addOutput,
  closeTool,
  eventOf,
  failTool,
  keyOf,
  openBrowser,
  openCommand,
  openMcp,
  openSubagents,
  openTool,
  readUserEdit,
  type TaskState,
} from './tools.ts'

export interface TaskSource {
  dialect: 'cline' | 'roo'
  /** Returns the entry of a task in the task list. */
  index: (task: string) => JsonObject
}

export function taskTranscript(folder: string, source: TaskSource): DocumentTranscript {
  const path = join(folder, 'ui_messages.json')
  const messages = join(folder, 'api_conversation_history.json')
  const item = join(folder, 'history_item.json')
  return {
    shape: 'document',
    path,
    also: source.dialect === 'roo' ? [messages, item] : [messages],
    read(out) {
      readTask({ folder, path, messages, item, source }, out)
      return undefined
    },
  }
}

interface TaskFiles {
  folder: string
  path: string
  messages: string
  item: string
  source: TaskSource
}

function readTask({ folder, path, messages, item, source }: TaskFiles, out: ReaderOutput): void {
  const rows = asArray(readJsonFile(path, out)).map(asObject)
  if (rows.length === 0) return
  const task = basename(folder)
  const history = readApiHistory(
    readJsonFile(messages, out),
    namedModels(asObject(readJsonFile(join(folder, 'task_metadata.json'), out))),
  )
  const known =
    source.dialect === 'roo' ? { ...source.index(task), ...asObject(readJsonFile(item, out)) } : source.index(task)
  const parent = optionalString(known.parentTaskId)
  const cwd = optionalString(known.workspace) ?? optionalString(known.cwdOnTaskInitialization) ?? history.cwd
  const session = out.session(task)
  session.about({
    kind: parent ? 'subagent' : undefined,
    parent,
    cwd,
    model: optionalString(known.modelId) ?? history.model,
  })
  readRows(rows, {
    task,
    session,
    out,
    history,
    cwd,
    isChild: parent !== undefined,
    calls: pendingCalls(undefined),
    times: new Map(),
    requestTimes: rows.filter((row) => row.say === 'api_req_started').map((row) => asIsoTime(row.ts) ?? ''),
    lastSaid: '',
    lastRange: '',
    isSummarised: false,
  })
}

/** Before rows named the model, Cline recorded each change of it here. */
function namedModels(metadata: JsonObject): NamedModel[] {
  return asArray(metadata.model_usage)
    .map(asObject)
    .map((used) => ({ ts: asIsoTime(used.ts) ?? '', model: asString(used.model_id) }))
}

/** The list is long: it is read once per storage, and only if one of its tasks has changed. */
export function taskIndex(path: string): (task: string) => JsonObject {
  let items: Map<string, JsonObject> | undefined
  return (task) => {
    items ??= new Map(itemsIn(path).map((item) => [asString(item.id), item]))
    return items.get(task) ?? {}
  }
}

function itemsIn(path: string): JsonObject[] {
  try {
    const content = parseJson(readForeignText(path))
    return (Array.isArray(content) ? content : asArray(asObject(content).entries)).map(asObject)
  } catch {
    return [] // older versions kept the list in the editor's own state
  }
}

type RowReader = (row: JsonObject, reading: TaskState) => void

function readRows(rows: JsonObject[], reading: TaskState): void {
  rows.forEach((row, index) => {
    const isLast = index === rows.length - 1
    const kind = asString(row.type === 'ask' ? row.ask : row.say)
    if (row.partial === true && !(isLast && streamedRows.has(kind))) return // the complete row replaces it
    reading.model = optionalString(asObject(row.modelInfo).modelId) ?? reading.model
    noteTruncation(row, reading)
    const read = index === 0 && kind === 'text' ? readFirstRow : readers.get(kind)
    if (read) read(row, reading)
    else if (!ignoredRows.has(kind)) reading.out.unknownType(kind || 'row without kind')
  })
  closeTool(reading, { isOver: true })
  if (reading.model) reading.session.about({ model: reading.model })
}

/** Rows that are emitted even if they are incomplete. */
const streamedRows = new Set(['text', 'reasoning', 'completion_result'])

/** Rows that only affect the view: progress, checkpoints, warnings, limits; the last are Kilo's. */
const ignoredRows = new Set(
  `api_req_retried api_req_rate_limited api_req_rate_limit_wait api_req_deleted shell_integration_warning
   shell_integration_warning_with_suggestion mcp_server_request_started checkpoint_created checkpoint_saved
   load_mcp_documentation task_progress user_edit_todos hook_status browser_session_status info
   conditional_rules_applied generate_explanation auto_approval_max_req_reached too_many_tools_warning
   payment_required_prompt unauthorized_prompt invalid_model`.split(/\s+/),
)

const readers = new Map<string, RowReader>([
  ['task', readFirstRow],
  ['user_feedback', (row, reading) => readPrompt(row, reading, 'prompt')],
  ['user_feedback_diff', readUserEdit],
  ['text', (row, reading) => emitSpoken(row, reading, 'reply', asString(row.text))],
  ['image', (row, reading) => emitSpoken(row, reading, 'reply', '')],
  [
    'completion_result',
    (row, reading) => emitSpoken(row, reading, 'reply', asString(row.text).replace(/HAS_CHANGES$/, '')),
  ],
  ['followup', readQuestion],
  ['plan_mode_respond', readQuestion],
  ['act_mode_respond', (row, reading) => emitSpoken(row, reading, 'reply', questionText(asString(row.text)))],
  ['new_task', (row, reading) => emitSpoken(row, reading, 'reply', questionText(asString(row.text)))],
  ['report_bug', (row, reading) => emitSpoken(row, reading, 'reply', questionText(asString(row.text)))],
  ['reasoning', (row, reading) => emitSpoken(row, reading, 'thinking', asString(row.text) || asString(row.reasoning))],
  ['api_req_started', readRequest],
  ['api_req_finished', finishRequest],
  ['deleted_api_reqs', readDeletedRequests],
  ['subagent_usage', (row, reading) => emitUsage(row, reading)],
  ['tool', (row, reading) => (isSummary(row) ? readSummary(row, reading) : openTool(row, reading))],
  ['command', openCommand],
  ['use_mcp_server', openMcp],
  ['browser_action_launch', openBrowser],
  ['browser_action', openBrowser],
  ['use_subagents', openSubagents],
  ['command_output', addOutput],
  ['mcp_server_response', addOutput],
  ['browser_action_result', addOutput],
  ['subtask_result', addOutput],
  ['codebase_search_result', addOutput],
  ['subagent', addOutput],
  ['error', failTool],
  ['diff_error', failTool],
  ['clineignore_error', failTool],
  ['rooignore_error', failTool],
  ['command_permission_denied', failTool],
  ['error_retry', (row, reading) => emitRow(row, reading, 'error', 'system', retryText(asString(row.text)))],
  ['api_req_retry_delayed', (row, reading) => emitRow(row, reading, 'error', 'system', asString(row.text))],
  ['api_req_failed', (row, reading) => emitRow(row, reading, 'error', 'system', asString(row.text))],
  ['mistake_limit_reached', (row, reading) => emitRow(row, reading, 'error', 'system', asString(row.text))],
  ['condense_context_error', (row, reading) => emitRow(row, reading, 'error', 'system', asString(row.text))],
  ['condense_context', readCondensed],
  ['sliding_window_truncation', readTruncated],
  ['condense', readSummary],
  ['summarize_task', readSummary],
  ['resume_task', readResumed],
  ['resume_completed_task', readResumed],
  ['hook_output_stream', (row, reading) => emitRow(row, reading, 'context', 'system', asString(row.text))],
  ['mcp_notification', (row, reading) => emitRow(row, reading, 'context', 'system', asString(row.text))],
])

function readFirstRow(row: JsonObject, reading: TaskState): void {
  readPrompt(row, reading, reading.isChild ? 'context' : 'prompt')
}

function readPrompt(row: JsonObject, reading: TaskState, kind: 'prompt' | 'context'): void {
  const said = asString(row.text)
  const isCommand = kind === 'prompt' && /^\/[a-z][\w.-]*(?:\s|$)/i.test(said)
  emitRow(row, reading, isCommand ? 'command' : kind, 'user', [said, ...attachments(row)].join('\n').trim())
}

function attachments(row: JsonObject): string[] {
  const images = asArray(row.images).map((image) => {
    const parsed = parseDataUrl(asString(image))
    return imagePlaceholder(parsed?.mediaType, parsed?.data ?? '')
  })
  return [...images, ...asArray(row.files).map((file) => `[file ${asString(file)}]`)]
}

/** A resumed stream repeats the last text with a new time. */
function emitSpoken(row: JsonObject, reading: TaskState, kind: 'reply' | 'thinking', said: string): void {
  const whole = [said.trim(), ...attachments(row)].join('\n').trim()
  const isRepeated = reading.lastSaid === `${kind} ${whole}`
  if (!isRepeated) emitRow(row, reading, kind, 'assistant', whole)
  reading.lastSaid = `${kind} ${whole}`
}

/** An offered answer that was selected is in the question; a typed one is a feedback row. */
function readQuestion(row: JsonObject, reading: TaskState): void {
  emitSpoken(row, reading, 'reply', questionText(asString(row.text)))
  emitRow(row, reading, 'prompt', 'user', asString(asObject(parseJson(asString(row.text))).selected), '/selected')
}

/** Questions and plans are JSON in newer versions, plain text in older ones. */
function questionText(said: string): string {
  const asked = asObject(parseJson(said))
  return (
    optionalString(asked.question) ??
    optionalString(asked.response) ??
    optionalString(asked.context) ??
    optionalString(asked.content) ??
    said
  )
}

function readRequest(row: JsonObject, reading: TaskState): void {
  closeTool(reading)
  const request = asObject(parseJson(asString(row.text)))
  reading.request = { key: keyOf(row, reading), ts: asIsoTime(row.ts) }
  emitUsage(row, reading, reading.request)
  if (request.cancelReason === 'user_cancelled') emitRow(row, reading, 'interrupt', 'user', 'Interrupted')
  else if (optionalString(request.cancelReason))
    emitRow(
      row,
      reading,
      'error',
      'system',
      optionalString(request.streamingFailedMessage) ?? asString(request.cancelReason),
    )
}

/** Until 2024 a second row completed the first. */
function finishRequest(row: JsonObject, reading: TaskState): void {
  if (reading.request) emitUsage(row, reading, reading.request)
}

/** The user restored a checkpoint: the rows after it are gone, their cost is kept in this one. */
function readDeletedRequests(row: JsonObject, reading: TaskState): void {
  emitRow(row, reading, 'lifecycle', 'system', 'Restored a checkpoint')
  emitUsage(row, reading)
}

function emitUsage(
  row: JsonObject,
  reading: TaskState,
  request = { key: keyOf(row, reading), ts: asIsoTime(row.ts) },
): void {
  const next = reading.requestTimes.find((ts) => ts > (request.ts ?? '')) ?? 'later'
  const model = optionalString(asObject(row.modelInfo).modelId) ?? reading.history.modelBefore(next) ?? null
  const usage = usageOf(asObject(parseJson(asString(row.text))), row, { ...request, model })
  if (usage) reading.session.usage(usage)
}

function retryText(said: string): string {
  const retry = asObject(parseJson(said))
  const message = optionalString(retry.errorMessage) ?? optionalString(retry.errorSnippet) ?? said
  return retry.attempt === undefined
    ? message
    : `${message} (attempt ${asCount(retry.attempt)} of ${asCount(retry.maxAttempts)})`
}

function readCondensed(row: JsonObject, reading: TaskState): void {
  const condensed = asObject(row.contextCondense)
  const summary = optionalString(condensed.summary)
  if (!summary) return // announced only
  const tokens = `${asCount(condensed.prevContextTokens)} tokens before, ${asCount(condensed.newContextTokens)} after`
  emitRow(row, reading, 'compaction', 'system', `${summary} (${tokens})`)
  const key = keyOf(row, reading)
  const usage = usageOf({ cost: condensed.cost }, row, { key, ts: asIsoTime(row.ts), model: null })
  if (usage) reading.session.usage(usage)
}

function readTruncated(row: JsonObject, reading: TaskState): void {
  const truncated = asObject(row.contextTruncation)
  const tokens = `${asCount(truncated.prevContextTokens)} tokens before, ${asCount(truncated.newContextTokens)} after`
  const removed = asCount(truncated.messagesRemoved)
  emitRow(row, reading, 'compaction', 'system', `${removed} messages left the context (${tokens})`)
}

function isSummary(row: JsonObject): boolean {
  return asObject(parseJson(asString(row.text))).tool === 'summarizeTask'
}

function readSummary(row: JsonObject, reading: TaskState): void {
  emitRow(row, reading, 'compaction', 'system', questionText(asString(row.text)))
  reading.isSummarised = true
}

/**
 * Every row repeats the range of messages that left the context; a new range means a truncation.
 */
function noteTruncation(row: JsonObject, reading: TaskState): void {
  const range = asArray(row.conversationHistoryDeletedRange).map((at) => asCount(at))
  if (range.length !== 2 || range.join() === reading.lastRange) return
  reading.lastRange = range.join()
  if (!reading.isSummarised)
    emitRow(row, reading, 'compaction', 'system', `Messages ${range[0]} to ${range[1]} left the context`, '/range')
  reading.isSummarised = false
}

function readResumed(row: JsonObject, reading: TaskState): void {
  closeTool(reading, { fallback: 'interrupted' })
  emitRow(row, reading, 'lifecycle', 'system', 'Resumed')
}

function emitRow(
  row: JsonObject,
  reading: TaskState,
  kind: Event['kind'],
  role: EventRole,
  said: string,
  suffix = '',
): void {
  if (!said.trim()) return
  closeTool(reading)
  reading.lastSaid = ''
  reading.session.event(eventOf(row, reading, { kind, role, text: said, key: `${keyOf(row, reading)}${suffix}` }))
}

/** Cline's providers that include cached tokens in `tokensIn`. */
const providersCountingCache = new Set('openai litellm doubao fireworks hicap lmstudio qwen xai zai'.split(' '))
/** From Roo Code 3.29.5 on `tokensIn` is the whole prompt for every provider. */
const wholePromptSince = '2025-11-01'

export function usageOf(
  request: JsonObject,
  row: JsonObject,
  base: Pick<Usage, 'key' | 'ts' | 'model'>,
): Usage | undefined {
  const sent = asCount(request.tokensIn)
  const cacheRead = asCount(request.cacheReads)
  const cacheWrite = asCount(request.cacheWrites)
  const output = asCount(request.tokensOut)
  const costUsd = asUsd(request.cost)
  if (sent + cacheRead + cacheWrite + output + (costUsd ?? 0) === 0) return undefined // still running, or never answered
  const cached = cacheRead + cacheWrite
  const isWhole = sent >= cached && countsCache(request, row, base.ts ?? '')
  return {
    ...base,
    input: isWhole ? sent - cached : sent,
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
    output,
    reasoning: 0,
    costUsd,
  }
}

function countsCache(request: JsonObject, row: JsonObject, ts: string): boolean {
  const protocol = optionalString(request.apiProtocol)
  if (protocol) return protocol === 'openai' || ts >= wholePromptSince
  return providersCountingCache.has(optionalString(asObject(row.modelInfo).providerId) ?? '')
}
