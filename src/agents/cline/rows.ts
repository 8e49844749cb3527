// The rows of the chat view. A row says or asks something; its time is its identity. Seen in Cline 3.4x and Roo Code 3.3x.
import type { Event, Role } from '../../core/session.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { eventOf, keyOf, type RowReading } from './reading.ts'
import {
  addOutput,
  failTool,
  openBrowser,
  openCommand,
  openMcp,
  openSubagents,
  openTool,
  personsEdit,
  settleTool,
} from './tool-rows.ts'
import { usageOf } from './usage.ts'

type RowReader = (row: JsonObject, reading: RowReading) => void

export function readRows(rows: JsonObject[], reading: RowReading): void {
  rows.forEach((row, index) => {
    const isLast = index === rows.length - 1
    const kind = asString(row.type === 'ask' ? row.ask : row.say)
    if (row.partial === true && !(isLast && spoken.has(kind))) return // its whole came, or comes, in its place
    reading.model = optionalString(asObject(row.modelInfo).modelId) ?? reading.model
    noteTruncation(row, reading)
    const read = index === 0 && kind === 'text' ? readTask : readers.get(kind)
    if (read) read(row, reading)
    else if (!noise.has(kind)) reading.out.unknownType(kind || 'row without kind')
  })
  settleTool(reading, { isOver: true })
  if (reading.model) reading.session.about({ model: reading.model })
}

/** Worth telling before they are complete. */
const spoken = new Set(['text', 'reasoning', 'completion_result'])

/** What only moves the view: progress, checkpoints, warnings, limits. */
const noise = new Set(
  `api_req_retried api_req_rate_limited api_req_rate_limit_wait api_req_deleted shell_integration_warning
   shell_integration_warning_with_suggestion mcp_server_request_started checkpoint_created checkpoint_saved
   load_mcp_documentation task_progress user_edit_todos hook_status browser_session_status info
   conditional_rules_applied generate_explanation auto_approval_max_req_reached too_many_tools_warning`.split(/\s+/),
)

const readers = new Map<string, RowReader>([
  ['task', readTask],
  ['user_feedback', (row, reading) => readPrompt(row, reading, 'prompt')],
  ['user_feedback_diff', personsEdit],
  ['text', (row, reading) => say(row, reading, 'reply', asString(row.text))],
  ['image', (row, reading) => say(row, reading, 'reply', '')],
  ['completion_result', (row, reading) => say(row, reading, 'reply', asString(row.text).replace(/HAS_CHANGES$/, ''))],
  ['followup', ask],
  ['plan_mode_respond', ask],
  ['act_mode_respond', (row, reading) => say(row, reading, 'reply', question(asString(row.text)))],
  ['new_task', (row, reading) => say(row, reading, 'reply', question(asString(row.text)))],
  ['report_bug', (row, reading) => say(row, reading, 'reply', question(asString(row.text)))],
  ['reasoning', (row, reading) => say(row, reading, 'thinking', asString(row.text) || asString(row.reasoning))],
  ['api_req_started', readRequest],
  ['api_req_finished', finishRequest],
  ['deleted_api_reqs', readDeletedRequests],
  ['subagent_usage', (row, reading) => useTokens(row, reading)],
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
  ['error_retry', (row, reading) => tell(row, reading, 'error', 'system', retryText(asString(row.text)))],
  ['api_req_retry_delayed', (row, reading) => tell(row, reading, 'error', 'system', asString(row.text))],
  ['api_req_failed', (row, reading) => tell(row, reading, 'error', 'system', asString(row.text))],
  ['mistake_limit_reached', (row, reading) => tell(row, reading, 'error', 'system', asString(row.text))],
  ['condense_context_error', (row, reading) => tell(row, reading, 'error', 'system', asString(row.text))],
  ['condense_context', readCondensed],
  ['sliding_window_truncation', readTruncated],
  ['condense', readSummary],
  ['summarize_task', readSummary],
  ['resume_task', readResumed],
  ['resume_completed_task', readResumed],
  ['hook_output_stream', (row, reading) => tell(row, reading, 'context', 'system', asString(row.text))],
  ['mcp_notification', (row, reading) => tell(row, reading, 'context', 'system', asString(row.text))],
])

function readTask(row: JsonObject, reading: RowReading): void {
  readPrompt(row, reading, reading.isChild ? 'context' : 'prompt')
}

function readPrompt(row: JsonObject, reading: RowReading, kind: 'prompt' | 'context'): void {
  const said = asString(row.text)
  const isCommand = kind === 'prompt' && /^\/[a-z][\w.-]*(?:\s|$)/i.test(said)
  tell(row, reading, isCommand ? 'command' : kind, 'user', [said, ...attachments(row)].join('\n').trim())
}

function attachments(row: JsonObject): string[] {
  const images = asArray(row.images).map((image) => {
    const [, mediaType, data] = /^data:([^;,]+)[^,]*,([\s\S]*)$/.exec(asString(image)) ?? []
    return imagePlaceholder(mediaType, data ?? '')
  })
  return [...images, ...asArray(row.files).map((file) => `[file ${asString(file)}]`)]
}

/** The same text comes twice in a row, with a new time, when a stream was taken up again. */
function say(row: JsonObject, reading: RowReading, kind: 'reply' | 'thinking', said: string): void {
  const whole = [said.trim(), ...attachments(row)].join('\n').trim()
  const isRepeated = reading.lastSaid === `${kind} ${whole}`
  if (!isRepeated) tell(row, reading, kind, 'assistant', whole)
  reading.lastSaid = `${kind} ${whole}`
}

/** An offered answer that the person picked stands in the question; a typed one comes as feedback. */
function ask(row: JsonObject, reading: RowReading): void {
  say(row, reading, 'reply', question(asString(row.text)))
  tell(row, reading, 'prompt', 'user', asString(asObject(parseJson(asString(row.text))).selected), '/selected')
}

/** Questions and plans are JSON in newer versions, plain text in older ones. */
function question(said: string): string {
  const asked = asObject(parseJson(said))
  return (
    optionalString(asked.question) ??
    optionalString(asked.response) ??
    optionalString(asked.context) ??
    optionalString(asked.content) ??
    said
  )
}

function readRequest(row: JsonObject, reading: RowReading): void {
  settleTool(reading)
  const request = asObject(parseJson(asString(row.text)))
  reading.request = { key: keyOf(row, reading), ts: asIsoTime(row.ts) }
  useTokens(row, reading, reading.request)
  if (request.cancelReason === 'user_cancelled') tell(row, reading, 'interrupt', 'user', 'Interrupted')
  else if (optionalString(request.cancelReason))
    tell(
      row,
      reading,
      'error',
      'system',
      optionalString(request.streamingFailedMessage) ?? asString(request.cancelReason),
    )
}

/** To 2024 a second row completed the first. */
function finishRequest(row: JsonObject, reading: RowReading): void {
  if (reading.request) useTokens(row, reading, reading.request)
}

/** The person went back to a checkpoint: the rows after it are gone, what they cost is kept in one. */
function readDeletedRequests(row: JsonObject, reading: RowReading): void {
  tell(row, reading, 'lifecycle', 'system', 'Restored a checkpoint')
  useTokens(row, reading)
}

function useTokens(
  row: JsonObject,
  reading: RowReading,
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

function readCondensed(row: JsonObject, reading: RowReading): void {
  const condensed = asObject(row.contextCondense)
  const summary = optionalString(condensed.summary)
  if (!summary) return // announced, not yet done
  const tokens = `${asCount(condensed.prevContextTokens)} tokens before, ${asCount(condensed.newContextTokens)} after`
  tell(row, reading, 'compaction', 'system', `${summary} (${tokens})`)
  const key = keyOf(row, reading)
  const usage = usageOf({ cost: condensed.cost }, row, { key, ts: asIsoTime(row.ts), model: null })
  if (usage) reading.session.usage(usage)
}

function readTruncated(row: JsonObject, reading: RowReading): void {
  const truncated = asObject(row.contextTruncation)
  const tokens = `${asCount(truncated.prevContextTokens)} tokens before, ${asCount(truncated.newContextTokens)} after`
  const removed = asCount(truncated.messagesRemoved)
  tell(row, reading, 'compaction', 'system', `${removed} messages left the context (${tokens})`)
}

function isSummary(row: JsonObject): boolean {
  return asObject(parseJson(asString(row.text))).tool === 'summarizeTask'
}

function readSummary(row: JsonObject, reading: RowReading): void {
  tell(row, reading, 'compaction', 'system', question(asString(row.text)))
  reading.isSummarised = true
}

/** Every row repeats which messages are out of the context; a new range means that more of them left it. */
function noteTruncation(row: JsonObject, reading: RowReading): void {
  const range = asArray(row.conversationHistoryDeletedRange).map((at) => asCount(at))
  if (range.length !== 2 || range.join() === reading.lastRange) return
  reading.lastRange = range.join()
  if (!reading.isSummarised)
    tell(row, reading, 'compaction', 'system', `Messages ${range[0]} to ${range[1]} left the context`, '/range')
  reading.isSummarised = false
}

function readResumed(row: JsonObject, reading: RowReading): void {
  settleTool(reading, { fallback: 'interrupted' })
  tell(row, reading, 'lifecycle', 'system', 'Resumed')
}

function tell(row: JsonObject, reading: RowReading, kind: Event['kind'], role: Role, said: string, suffix = ''): void {
  if (!said.trim()) return
  settleTool(reading)
  reading.lastSaid = ''
  reading.session.event(eventOf(row, reading, { kind, role, text: said, key: `${keyOf(row, reading)}${suffix}` }))
}
