// `event_msg` lines: what the client showed. Most say again what an item says; those that add something are read.
import { type Fields, fields, list, named, text } from '../values.ts'
import { readThought } from './items.ts'
import { reportedChanges } from './patch.ts'
import { promptEvent, readPromptEvent, settle } from './prompts.ts'
import { contentText, imageOf } from './results.ts'
import { emit, sessionOf, type Thread } from './thread.ts'
import { countHeld, readTokenCount } from './tokens.ts'
import { errorOfStatus, isInsideProgram, noteEnd, notePatch, readInsideCall } from './tools.ts'

/** Whether the event is of a type that Codex is known to write. */
export function readEvent(thread: Thread, payload: Fields, ts: string | null): boolean {
  const type = text(payload.type)
  switch (type) {
    case 'user_message':
      promptEvent(thread, payload, ts)
      return true
    case 'item_completed':
      return readCompleted(thread, fields(payload.item), ts)
    case 'token_count':
      readTokenCount(thread, payload, ts)
      return true
    case 'task_complete':
    case 'turn_complete':
      settle(thread)
      countHeld(thread, ts)
      readError(thread, text(fields(payload.error).message) || text(payload.error), ts)
      return true
    case 'turn_aborted':
      readAborted(thread, text(payload.reason), ts)
      return true
    case 'patch_apply_end': {
      const status = payload.success === false && payload.status !== 'declined' ? 'failed' : text(payload.status)
      notePatch(thread, text(payload.call_id), reportedChanges(payload.changes), status, ts)
      return true
    }
    case 'mcp_tool_call_end':
      readMcpEnd(thread, payload, ts)
      return true
    case 'agent_reasoning_raw_content':
      if (text(payload.text)) readThought(thread, text(payload.text), '', ts)
      return true
    case 'thread_rolled_back':
      readRollback(thread, payload, ts)
      return true
    case 'thread_name_updated':
      sessionOf(thread).about({ title: named(payload.thread_name), titleRank: 4 })
      return true
    case 'entered_review_mode': {
      const said = `/review ${text(payload.user_facing_hint)}`.trim()
      if (!thread.isSubagent) emit(thread, { kind: 'command', role: 'user', ts, text: said })
      return true
    }
    case 'undo_completed':
      emit(thread, { kind: 'lifecycle', role: 'system', ts, text: text(payload.message) || 'File changes undone' })
      return true
    case 'error':
    case 'stream_error':
      readError(thread, text(payload.message), ts)
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

function readRollback(thread: Thread, payload: Fields, ts: string | null): void {
  settle(thread)
  const turns = typeof payload.num_turns === 'number' && payload.num_turns > 0 ? Math.round(payload.num_turns) : 0
  const said = `Rolled back ${turns} ${turns === 1 ? 'turn' : 'turns'}`
  emit(thread, { kind: 'lifecycle', role: 'system', ts, text: said, undoes: turns || undefined })
}

function readMcpEnd(thread: Thread, payload: Fields, ts: string | null): void {
  const call = text(payload.call_id)
  const { Ok, Err } = fields(payload.result)
  const result = fields(Ok)
  const error = Err !== undefined || result.isError === true || result.is_error === true ? 'failed' : undefined
  if (!isInsideProgram(call)) return error ? noteEnd(thread, call, { error }) : undefined
  const { server, tool, arguments: input } = fields(payload.invocation)
  const said = Err === undefined ? contentText(list(result.content)) : text(Err)
  readInsideCall(
    thread,
    { tool: `mcp__${text(server)}__${text(tool)}`, input: input ?? {}, call, ts },
    { text: said, error },
  )
}

/** Since about July 2026 events come as items that are complete; they have the id of the call which they mirror. */
function readCompleted(thread: Thread, item: Fields, ts: string | null): boolean {
  const id = text(item.id)
  switch (item.type) {
    case 'UserMessage': {
      const parts = list(item.content).map(fields)
      readPromptEvent(thread, parts.map((part) => text(part.text)).join(''), parts.map(imageOf), { ts, id })
      return true
    }
    case 'FileChange':
      notePatch(thread, id, reportedChanges(item.changes), text(item.status), ts)
      return true
    case 'CommandExecution':
      readCommand(thread, item, ts)
      return true
    case 'McpToolCall':
    case 'DynamicToolCall':
      readToolItem(thread, item, ts)
      return true
    default:
      return passedOverItems.has(text(item.type))
  }
}

const passedOverItems = new Set(
  `HookPrompt AgentMessage Plan Reasoning CollabAgentToolCall SubAgentActivity WebSearch ImageView Sleep ImageGeneration
   ContextCompaction`.split(/\s+/),
)

function readCommand(thread: Thread, item: Fields, ts: string | null): void {
  const call = text(item.id)
  const error = errorOfStatus(text(item.status))
  const exit = typeof item.exit_code === 'number' ? item.exit_code : undefined
  if (!isInsideProgram(call)) {
    if (error) noteEnd(thread, call, { error, exit })
    return
  }
  const input = { command: item.command ?? [], workdir: item.cwd ?? null }
  readInsideCall(thread, { tool: 'exec_command', input, call, ts }, { text: text(item.aggregated_output), exit, error })
}

function readToolItem(thread: Thread, item: Fields, ts: string | null): void {
  const call = text(item.id)
  const result = fields(item.result)
  const error = item.success === false || result.isError === true ? 'failed' : errorOfStatus(text(item.status))
  if (!isInsideProgram(call)) return error ? noteEnd(thread, call, { error }) : undefined
  const tool = named(item.server) ? `mcp__${text(item.server)}__${text(item.tool)}` : (named(item.tool) ?? 'unnamed')
  const said = contentText(list(result.content ?? item.content_items)) || text(fields(item.error).message)
  readInsideCall(thread, { tool, input: item.arguments ?? {}, call, ts }, { text: said, error })
}
