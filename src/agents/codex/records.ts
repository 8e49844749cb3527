// Reads `event_msg` lines (what the client showed; most repeat an item) and items of the Responses
// API (what was sent to the model and answered): bare lines in 2025, `response_item` since.

import type { Json } from '../../core/session.ts'
import { pathOfUri } from '../file-changes.ts'
import {
  asArray,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { contentText, imageOf } from './output.ts'
import {
  insidePatch,
  isInsideProgram,
  isProgram,
  readInsideCall,
  readProgramCall,
  readProgramResult,
  readWait,
} from './programs.ts'
import { flushMessages, readPromptEvent, readUserMessage, readUserMessageEvent } from './prompts.ts'
import { type CodexThread, emit, keyScope, sessionOf } from './state.ts'
import {
  errorOfStatus,
  readCall,
  readHostedCall,
  readResult,
  recordCallEnd,
  recordPatch,
  reportedChanges,
} from './tools.ts'
import { countPendingUsage, readServiceTier, readTokenCount } from './usage.ts'

/** Whether the event is of a type that Codex is known to write. */
export function readEvent(thread: CodexThread, payload: JsonObject, ts: string | null): boolean {
  const type = asString(payload.type)
  switch (type) {
    case 'user_message':
      readUserMessageEvent(thread, payload, ts)
      return true
    case 'item_completed':
      return readCompleted(thread, asObject(payload.item), ts)
    case 'token_count':
      readTokenCount(thread, payload, ts)
      return true
    case 'task_complete':
    case 'turn_complete':
      flushMessages(thread)
      countPendingUsage(thread, ts)
      readError(thread, asString(asObject(payload.error).message) || asString(payload.error), ts)
      return true
    case 'turn_aborted':
      readAborted(thread, asString(payload.reason), ts)
      return true
    case 'patch_apply_end': {
      const status = payload.success === false && payload.status !== 'declined' ? 'failed' : asString(payload.status)
      recordPatch(thread, insidePatch(thread, asString(payload.call_id)), reportedChanges(payload.changes), status, ts)
      return true
    }
    case 'mcp_tool_call_end':
      readMcpEnd(thread, payload, ts)
      return true
    case 'agent_reasoning_raw_content':
      if (asString(payload.text)) readThought(thread, asString(payload.text), '', ts)
      return true
    case 'thread_rolled_back':
      readRollback(thread, payload, ts)
      return true
    case 'thread_name_updated':
      sessionOf(thread).about({ title: optionalString(payload.thread_name), titleRank: 4 })
      return true
    case 'entered_review_mode': {
      const said = `/review ${asString(payload.user_facing_hint)}`.trim()
      if (!thread.isSubagent) emit(thread, { kind: 'command', role: 'user', ts, text: said })
      return true
    }
    case 'thread_settings_applied':
      readServiceTier(thread, asObject(payload.thread_settings))
      return true
    case 'undo_completed':
      emit(thread, { kind: 'lifecycle', role: 'system', ts, text: asString(payload.message) || 'File changes undone' })
      return true
    case 'error':
    case 'stream_error':
      readError(thread, asString(payload.message), ts)
      return true
    default:
      return ignoredEvents.test(type)
  }
}

/**
 * Copies of items, client state, and partial output that some versions of 2025 wrote while a
 * command ran.
 */
const ignoredEvents =
  /^(?:task_started|turn_started|agent_message|agent_reasoning|agent_reasoning_section_break|context_compacted|exited_review_mode|sub_agent_activity|collab_\w+|thread_goal_\w+|web_search_(?:begin|end)|exec_command_\w+|patch_apply_begin|mcp_tool_call_begin|mcp_startup_\w+|view_image_tool_call|image_generation_(?:begin|end)|plan_update|turn_diff|background_event|warning|guardian_\w+|deprecation_notice|model_reroute|session_configured|shutdown_complete|item_started|hook_(?:started|completed)|dynamic_tool_call_\w+|request_\w+|elicitation_\w+|\w+_approval_request|terminal_interaction|raw_response_item|realtime_\w+|\w+_delta)$/

/** A failed turn repeats its error at its end. */
function readError(thread: CodexThread, said: string, ts: string | null): void {
  if (!said || (thread.turn !== '' && thread.failedTurn === `${thread.turn} ${said}`)) return
  thread.failedTurn = `${thread.turn} ${said}`
  emit(thread, { kind: 'error', role: 'system', ts, text: said })
}

function readAborted(thread: CodexThread, reason: string, ts: string | null): void {
  flushMessages(thread)
  const isPerson = reason === 'interrupted' || reason === ''
  const said = isPerson ? 'Interrupted by the user' : `Turn ended: ${reason.replaceAll('_', ' ')}`
  emit(thread, { kind: isPerson ? 'interrupt' : 'lifecycle', role: isPerson ? 'user' : 'system', ts, text: said })
}

function readRollback(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  flushMessages(thread)
  const turns = typeof payload.num_turns === 'number' && payload.num_turns > 0 ? Math.round(payload.num_turns) : 0
  const said = `Rolled back ${turns} ${turns === 1 ? 'turn' : 'turns'}`
  emit(thread, { kind: 'lifecycle', role: 'system', ts, text: said, undoes: turns || undefined })
}

function readMcpEnd(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  const call = asString(payload.call_id)
  const { Ok, Err } = asObject(payload.result)
  const result = asObject(Ok)
  const error = Err !== undefined || result.isError === true || result.is_error === true ? 'failed' : undefined
  if (!isInsideProgram(call)) return error ? recordCallEnd(thread, call, { error }) : undefined
  const { server, tool, arguments: input } = asObject(payload.invocation)
  const said = Err === undefined ? contentText(asArray(result.content)) : asString(Err)
  readInsideCall(
    thread,
    { tool: `mcp__${asString(server)}__${asString(tool)}`, input: input ?? {}, call, ts },
    { text: said, error },
  )
}

/**
 * Since about July 2026 events are written as completed items with the id of the call that they
 * mirror.
 */
function readCompleted(thread: CodexThread, item: JsonObject, ts: string | null): boolean {
  const id = asString(item.id)
  switch (item.type) {
    case 'UserMessage': {
      const parts = asArray(item.content).map(asObject)
      readPromptEvent(thread, parts.map((part) => asString(part.text)).join(''), parts.map(imageOf), { ts, id })
      return true
    }
    case 'FileChange':
      recordPatch(thread, insidePatch(thread, id), reportedChanges(item.changes), asString(item.status), ts)
      return true
    case 'CommandExecution':
      readCommand(thread, item, ts)
      return true
    case 'McpToolCall':
    case 'DynamicToolCall':
      readToolItem(thread, item, ts)
      return true
    default:
      return ignoredCompletedItems.has(asString(item.type))
  }
}

const ignoredCompletedItems = new Set(
  `HookPrompt AgentMessage Plan Reasoning CollabAgentToolCall SubAgentActivity WebSearch ImageView Sleep ImageGeneration
   ContextCompaction`.split(/\s+/),
)

function readCommand(thread: CodexThread, item: JsonObject, ts: string | null): void {
  const call = asString(item.id)
  const error = errorOfStatus(asString(item.status))
  const exit = typeof item.exit_code === 'number' ? item.exit_code : undefined
  if (!isInsideProgram(call)) {
    if (error) recordCallEnd(thread, call, { error, exit })
    return
  }
  const input = { command: item.command ?? [], workdir: pathOfUri(asString(item.cwd)) || null }
  readInsideCall(
    thread,
    { tool: 'exec_command', input, call, ts },
    { text: asString(item.aggregated_output), exit, error },
  )
}

function readToolItem(thread: CodexThread, item: JsonObject, ts: string | null): void {
  const call = asString(item.id)
  const result = asObject(item.result)
  const error = item.success === false || result.isError === true ? 'failed' : errorOfStatus(asString(item.status))
  if (!isInsideProgram(call)) return error ? recordCallEnd(thread, call, { error }) : undefined
  const tool = optionalString(item.server)
    ? `mcp__${asString(item.server)}__${asString(item.tool)}`
    : (optionalString(item.tool) ?? 'unnamed')
  const said = contentText(asArray(result.content ?? item.content_items)) || asString(asObject(item.error).message)
  readInsideCall(thread, { tool, input: item.arguments ?? {}, call, ts }, { text: said, error })
}

/** Whether the item is of a type that Codex is known to write. */
export function readItem(thread: CodexThread, payload: JsonObject, metadata: JsonObject, ts: string | null): boolean {
  const type = asString(payload.type)
  if (type === 'message' && payload.role !== 'assistant') return readInput(thread, payload, metadata, ts)
  flushMessages(thread)
  switch (type) {
    case 'message':
      return readReply(thread, payload, ts)
    case 'reasoning':
      return readReasoning(thread, payload, ts)
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      if (isProgram(payload)) readProgramCall(thread, payload, ts)
      else readCall(thread, payload, ts)
      readWait(thread, payload)
      return true
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (!readProgramResult(thread, payload, ts)) readResult(thread, payload, ts)
      return true
    case 'web_search_call':
      readHostedCall(thread, 'web_search', searchText(asObject(payload.action)), payload, ts)
      return true
    case 'image_generation_call': {
      const image = imagePlaceholder('image/png', asString(payload.result))
      readHostedCall(thread, 'image_generation', `${asString(payload.revised_prompt)}\n${image}`.trim(), payload, ts)
      return true
    }
    case 'agent_message':
      readAgentMessage(thread, payload, ts)
      return true
    default:
      return ignoredItems.has(type)
  }
}

/** Encrypted summaries, snapshots of the work tree, and lists of tools. */
const ignoredItems = new Set(
  'compaction context_compaction compaction_trigger ghost_snapshot tool_search_call tool_search_output additional_tools'.split(
    ' ',
  ),
)

export const itemTypes = new Set([
  ...ignoredItems,
  ...`message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call
      web_search_call image_generation_call agent_message`.split(/\s+/),
])

function readInput(thread: CodexThread, payload: JsonObject, metadata: JsonObject, ts: string | null): boolean {
  if (payload.role === 'user') {
    readUserMessage(thread, payload, metadata, ts)
    return true
  }
  const said = contentText(asArray(payload.content))
  if (said) emit(thread, { id: asString(payload.id), kind: 'context', role: 'system', ts, text: said })
  return true
}

function readReply(thread: CodexThread, payload: JsonObject, ts: string | null): boolean {
  const said = contentText(asArray(payload.content))
  const model = thread.model || undefined
  if (said.trim()) emit(thread, { id: asString(payload.id), kind: 'reply', role: 'assistant', ts, text: said, model })
  return true
}

/** Only the summary is readable, and the content of open models; the rest is encrypted. */
function readReasoning(thread: CodexThread, payload: JsonObject, ts: string | null): boolean {
  const parts = [...asArray(payload.summary), ...asArray(payload.content)].map((part: Json) =>
    asString(asObject(part).text),
  )
  const said = parts.filter((part) => part !== '').join('\n\n')
  if (said) readThought(thread, said, asString(payload.id), ts)
  return true
}

/**
 * Reasoning of open models comes as an event and sometimes in the item too, so the key is made of
 * the text.
 */
function readThought(thread: CodexThread, said: string, id: string, ts: string | null): void {
  const key = `${keyScope(thread)}/thinking/${fingerprint(said)}`
  emit(thread, { id, key, kind: 'thinking', role: 'assistant', ts, text: said, model: thread.model || undefined })
}

function searchText(action: JsonObject): string {
  const queries = asArray(action.queries).map(asString)
  return (
    (queries.length > 0 ? queries.join('\n') : undefined) ??
    [optionalString(action.query), optionalString(action.url), optionalString(action.pattern)]
      .filter(Boolean)
      .join('\n')
  )
}

/** Messages between agents, which are written as an item and as a line of their own. */
export function readAgentMessage(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  const content = typeof payload.content === 'string' ? payload.content : contentText(asArray(payload.content))
  if (!content.trim()) return
  const { author, recipient } = payload
  const key = `${keyScope(thread)}/message/${fingerprint(content)}`
  const said = [optionalString(author), optionalString(recipient)].filter(Boolean).join(' to ')
  emit(thread, { key, kind: 'context', role: 'system', ts, text: said ? `${said}: ${content}` : content })
}
