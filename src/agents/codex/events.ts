// `event_msg` lines: what the client showed. Most say again what an item says; those that add something are read.
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { readThought } from './items.ts'
import { reportedChanges } from './patch.ts'
import { promptEvent, readPromptEvent, settle } from './prompts.ts'
import { contentText, imageOf } from './results.ts'
import { emit, sessionOf, type Thread } from './thread.ts'
import { countHeld, readTokenCount } from './tokens.ts'
import { errorOfStatus, isInsideProgram, noteEnd, notePatch, readInsideCall } from './tools.ts'

/** Whether the event is of a type that Codex is known to write. */
export function readEvent(thread: Thread, payload: JsonObject, ts: string | null): boolean {
  const type = asString(payload.type)
  switch (type) {
    case 'user_message':
      promptEvent(thread, payload, ts)
      return true
    case 'item_completed':
      return readCompleted(thread, asObject(payload.item), ts)
    case 'token_count':
      readTokenCount(thread, payload, ts)
      return true
    case 'task_complete':
    case 'turn_complete':
      settle(thread)
      countHeld(thread, ts)
      readError(thread, asString(asObject(payload.error).message) || asString(payload.error), ts)
      return true
    case 'turn_aborted':
      readAborted(thread, asString(payload.reason), ts)
      return true
    case 'patch_apply_end': {
      const status = payload.success === false && payload.status !== 'declined' ? 'failed' : asString(payload.status)
      notePatch(thread, asString(payload.call_id), reportedChanges(payload.changes), status, ts)
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
    case 'undo_completed':
      emit(thread, { kind: 'lifecycle', role: 'system', ts, text: asString(payload.message) || 'File changes undone' })
      return true
    case 'error':
    case 'stream_error':
      readError(thread, asString(payload.message), ts)
      return true
    default:
      return passedOver.test(type)
  }
}

/** Mirrors of items, states of the client, and pieces that some versions of 2025 wrote while a command ran. */
const passedOver =
  /^(?:task_started|turn_started|agent_message|agent_reasoning|agent_reasoning_section_break|context_compacted|exited_review_mode|sub_agent_activity|collab_\w+|thread_goal_\w+|thread_settings_applied|web_search_(?:begin|end)|exec_command_\w+|patch_apply_begin|mcp_tool_call_begin|mcp_startup_\w+|view_image_tool_call|image_generation_(?:begin|end)|plan_update|turn_diff|background_event|warning|guardian_\w+|deprecation_notice|model_reroute|session_configured|shutdown_complete|item_started|hook_(?:started|completed)|dynamic_tool_call_\w+|request_\w+|elicitation_\w+|\w+_approval_request|terminal_interaction|raw_response_item|realtime_\w+|\w+_delta)$/

/** A turn that failed says so at its end, where an `error` may have said it already. */
function readError(thread: Thread, said: string, ts: string | null): void {
  if (!said || (thread.turn !== '' && thread.failedTurn === `${thread.turn} ${said}`)) return
  thread.failedTurn = `${thread.turn} ${said}`
  emit(thread, { kind: 'error', role: 'system', ts, text: said })
}

function readAborted(thread: Thread, reason: string, ts: string | null): void {
  settle(thread)
  const isPerson = reason === 'interrupted' || reason === ''
  const said = isPerson ? 'Interrupted by the user' : `Turn ended: ${reason.replaceAll('_', ' ')}`
  emit(thread, { kind: isPerson ? 'interrupt' : 'lifecycle', role: isPerson ? 'user' : 'system', ts, text: said })
}

function readRollback(thread: Thread, payload: JsonObject, ts: string | null): void {
  settle(thread)
  const turns = typeof payload.num_turns === 'number' && payload.num_turns > 0 ? Math.round(payload.num_turns) : 0
  const said = `Rolled back ${turns} ${turns === 1 ? 'turn' : 'turns'}`
  emit(thread, { kind: 'lifecycle', role: 'system', ts, text: said, undoes: turns || undefined })
}

function readMcpEnd(thread: Thread, payload: JsonObject, ts: string | null): void {
  const call = asString(payload.call_id)
  const { Ok, Err } = asObject(payload.result)
  const result = asObject(Ok)
  const error = Err !== undefined || result.isError === true || result.is_error === true ? 'failed' : undefined
  if (!isInsideProgram(call)) return error ? noteEnd(thread, call, { error }) : undefined
  const { server, tool, arguments: input } = asObject(payload.invocation)
  const said = Err === undefined ? contentText(asArray(result.content)) : asString(Err)
  readInsideCall(
    thread,
    { tool: `mcp__${asString(server)}__${asString(tool)}`, input: input ?? {}, call, ts },
    { text: said, error },
  )
}

/** Since about July 2026 events come as items that are complete; they have the id of the call which they mirror. */
function readCompleted(thread: Thread, item: JsonObject, ts: string | null): boolean {
  const id = asString(item.id)
  switch (item.type) {
    case 'UserMessage': {
      const parts = asArray(item.content).map(asObject)
      readPromptEvent(thread, parts.map((part) => asString(part.text)).join(''), parts.map(imageOf), { ts, id })
      return true
    }
    case 'FileChange':
      notePatch(thread, id, reportedChanges(item.changes), asString(item.status), ts)
      return true
    case 'CommandExecution':
      readCommand(thread, item, ts)
      return true
    case 'McpToolCall':
    case 'DynamicToolCall':
      readToolItem(thread, item, ts)
      return true
    default:
      return passedOverItems.has(asString(item.type))
  }
}

const passedOverItems = new Set(
  `HookPrompt AgentMessage Plan Reasoning CollabAgentToolCall SubAgentActivity WebSearch ImageView Sleep ImageGeneration
   ContextCompaction`.split(/\s+/),
)

function readCommand(thread: Thread, item: JsonObject, ts: string | null): void {
  const call = asString(item.id)
  const error = errorOfStatus(asString(item.status))
  const exit = typeof item.exit_code === 'number' ? item.exit_code : undefined
  if (!isInsideProgram(call)) {
    if (error) noteEnd(thread, call, { error, exit })
    return
  }
  const input = { command: item.command ?? [], workdir: item.cwd ?? null }
  readInsideCall(
    thread,
    { tool: 'exec_command', input, call, ts },
    { text: asString(item.aggregated_output), exit, error },
  )
}

function readToolItem(thread: Thread, item: JsonObject, ts: string | null): void {
  const call = asString(item.id)
  const result = asObject(item.result)
  const error = item.success === false || result.isError === true ? 'failed' : errorOfStatus(asString(item.status))
  if (!isInsideProgram(call)) return error ? noteEnd(thread, call, { error }) : undefined
  const tool = optionalString(item.server)
    ? `mcp__${asString(item.server)}__${asString(item.tool)}`
    : (optionalString(item.tool) ?? 'unnamed')
  const said = contentText(asArray(result.content ?? item.content_items)) || asString(asObject(item.error).message)
  readInsideCall(thread, { tool, input: item.arguments ?? {}, call, ts }, { text: said, error })
}
