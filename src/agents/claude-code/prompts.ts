// Reads records with the role `user` (typed text, tool results and machine text) and attachments,
// one kind of which is typed text.

import type { Event } from '../../core/session.ts'
import type { EventBase } from '../agent.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import type { ClaudeState, RecordSession } from './state.ts'
import { baseOf, contentBlocks, contentText, readResults, textOf } from './tools.ts'

export function readUser(record: JsonObject, place: RecordSession, reading: ClaudeState): void {
  let content = contentBlocks(asObject(record.message).content)
  if (reading.isCopy) {
    content = content.filter((block) => asString(block.text).startsWith('<fork-boilerplate>'))
    if (content.length === 0) return
    reading.isCopy = false
  }
  const base = baseOf(record, place.native)
  const results = content.filter((block) => block.type === 'tool_result')
  if (results.length > 0) readResults({ record, results, base }, place, reading)
  const said = userText(results.length > 0 ? content.filter((block) => block.type !== 'tool_result') : content)
  if (!said) return
  const kind = place.isSubagent || results.length > 0 ? machineKind(record, said) : userKind(record, said)
  if (isTyped(kind)) recordTyped({ record, base, kind }, place, reading)
  const key = results.length > 0 ? `${base.key}/said` : `${base.key}#0`
  place.session.event({
    ...base,
    key,
    kind: oncePerCompaction(kind, reading),
    role: 'user',
    text: typedText(kind, said),
  })
}

/**
 * The text without machine additions: editors and reminders put blocks or tags before the prompt.
 */
export function userText(content: JsonObject[]): string {
  const own = content.length > 1 ? content.filter((block) => !isMachineText(asString(block.text))) : content
  return textOf(own.length > 0 ? own : content).replace(ideContext, '')
}

const ideContext = /^(?:\s*<(ide_opened_file|ide_selection|ide_diagnostics)>[\s\S]*?<\/\1>)+\s*/

/** Machine text begins with one of these; further inside, the same words are the user's. */
export function isMachineText(said: string): boolean {
  return machineText.test(said)
}

const machineText =
  /^\s*(?:<(?:local-command-caveat|local-command-stdout|local-command-stderr|bash-stdout|bash-stderr|task-notification|system-reminder|ci-monitor-event|fork-boilerplate)[\s>]|Caveat: The messages below)/

/** The task of a subagent and text beside a tool result were not typed to start a turn. */
function machineKind(record: JsonObject, said: string): Event['kind'] {
  const kind = userKind(record, said)
  return isTyped(kind) ? 'context' : kind
}

function isTyped(kind: Event['kind']): boolean {
  return kind === 'prompt' || kind === 'command' || kind === 'shell'
}

/** A compaction is one event: its boundary if there is one, else its summary. */
function oncePerCompaction(kind: Event['kind'], reading: ClaudeState): Event['kind'] {
  if (kind !== 'compaction' || !reading.isCompacting) return kind
  reading.isCompacting = false
  return 'context'
}

export function userKind(record: JsonObject, said: string): Event['kind'] {
  if (record.isCompactSummary === true || said.startsWith(continuationStart)) return 'compaction'
  if (record.isMeta === true || optionalString(record.sourceToolUseID)) return 'context'
  const origin = optionalString(asObject(record.origin).kind)
  if ((origin && origin !== 'human') || record.promptSource === 'system') return 'context'
  if (/^\s*<(?:command-name|command-message|user-memory-input)>/.test(said)) return 'command'
  if (/^\s*<bash-input>/.test(said)) return 'shell'
  if (said.startsWith('[Request interrupted by user')) {
    return record.interruptedByShutdown === true ? 'lifecycle' : 'interrupt'
  }
  return isMachineText(said) ? 'context' : 'prompt'
}

const continuationStart = 'This session is being continued from a previous conversation'

function typedText(kind: Event['kind'], said: string): string {
  if (kind === 'command') return commandText(said)
  return kind === 'shell' ? tagContent(said, 'bash-input') : said
}

/** A slash command with its arguments; `#` was the shortcut for a note to memory. */
export function commandText(said: string): string {
  const note = tagContent(said, 'user-memory-input')
  return note ? `# ${note}` : `${tagContent(said, 'command-name')} ${tagContent(said, 'command-args')}`.trim()
}

function tagContent(said: string, tag: string): string {
  const start = said.indexOf(`<${tag}>`)
  const end = said.indexOf(`</${tag}>`, start)
  return start < 0 ? '' : said.slice(start + tag.length + 2, end < 0 ? undefined : end).trim()
}

interface TypedPromptRecord {
  record: JsonObject
  base: EventBase
  kind: Event['kind']
}

/**
 * A rewind leaves the old records in the file: the next prompt has the same parent as the prompt
 * that it replaces. Everything typed since that prompt is retracted.
 */
export function recordTyped(
  { record, base, kind }: TypedPromptRecord,
  place: RecordSession,
  reading: ClaudeState,
): void {
  const { trail } = reading
  const parent = asString(record.parentUuid)
  if (!base.id || trail.some(({ uuid }) => uuid === base.id)) return
  const at = parent || reading.isLinked ? trail.findIndex((typed) => typed.parent === parent) : -1
  const taken = at < 0 ? [] : trail.splice(at)
  trail.push({ uuid: base.id, parent, isPrompt: kind === 'prompt' })
  if (trail.length > 200) trail.shift()
  const undoes = taken.filter(({ isPrompt }) => isPrompt).length
  if (undoes === 0) return
  const words = `Went back before ${undoes === 1 ? 'the last prompt' : `the last ${undoes} prompts`}`
  place.session.event({ ...base, key: `${base.key}/rewind`, kind: 'lifecycle', role: 'user', text: words, undoes })
}

export function readAttachment(record: JsonObject, place: RecordSession, reading: ClaudeState): void {
  if (reading.isCopy) return
  const attachment = asObject(record.attachment)
  const type = asString(attachment.type)
  if (type === 'queued_command') return readQueued(record, attachment, place, reading)
  if (ignoredAttachments.has(type)) return
  const words = attachmentText(type, attachment)
  if (words === undefined) return reading.out.unknownType(`attachment/${type || 'without type'}`)
  if (!words) return
  const base = baseOf(record, place.native)
  place.session.event({ ...base, key: `${base.key}#0`, kind: 'context', role: 'system', text: words })
}

/**
 * A prompt that was typed while the agent worked may only be recorded here. If it gets a record of
 * its own later, that record has the id in `source_uuid`.
 */
function readQueued(record: JsonObject, attachment: JsonObject, place: RecordSession, reading: ClaudeState): void {
  const said = userText(contentBlocks(attachment.prompt))
  if (!said) return
  const base = baseOf(record, place.native)
  const kind = place.isSubagent ? 'context' : queuedKind(record, attachment, said)
  if (kind === 'prompt' || kind === 'command') recordTyped({ record, base, kind }, place, reading)
  const words = kind === 'command' && said.startsWith('<') ? commandText(said) : said
  const key = `${optionalString(attachment.source_uuid) ?? base.key}#0`
  place.session.event({ ...base, key, kind, role: 'user', text: words })
}

function queuedKind(record: JsonObject, attachment: JsonObject, said: string): Event['kind'] {
  const origin = optionalString(asObject(attachment.origin).kind)
  const isTyped = origin ? origin === 'human' : attachment.commandMode === 'prompt'
  if (!isTyped || attachment.isMeta === true) return 'context'
  const kind = userKind({ isMeta: record.isMeta, origin: attachment.origin }, said)
  return kind === 'compaction' ? 'context' : kind
}

/** The text of an attachment; '' if it has none, undefined if its type is unknown. */
function attachmentText(type: string, attachment: JsonObject): string | undefined {
  const path = asString(attachment.displayPath) || asString(attachment.filename) || asString(attachment.path)
  switch (type) {
    case 'edited_text_file':
      return `File changed outside: ${asString(attachment.filename)}\n${asString(attachment.snippet)}`.trim()
    case 'file':
    case 'compact_file_reference':
    case 'already_read_file':
    case 'pdf_reference':
      return `File given: ${path}`
    case 'directory':
      return `Folder given: ${path}`
    case 'nested_memory':
      return `Instructions read: ${path}`
    case 'plan_mode':
    case 'plan_mode_reentry':
    case 'plan_mode_exit':
      return `${type === 'plan_mode_exit' ? 'Plan mode left' : 'Plan mode'}: ${asString(attachment.planFilePath)}`
    case 'plan_file_reference':
      return `Plan: ${asString(attachment.planFilePath)}\n${asString(attachment.planContent)}`.trim()
    case 'async_hook_response': {
      const response = asObject(attachment.response)
      return asString(asObject(response.hookSpecificOutput).additionalContext) || asString(response.systemMessage)
    }
    default:
      return type.startsWith('hook_') ? hookText(attachment) : undefined
  }
}

/**
 * The text that a hook gave the model. A failed hook is no failure of the agent, so it is context
 * too.
 */
function hookText(attachment: JsonObject): string {
  return (
    contentText(attachment.content) ||
    asString(asObject(attachment.blockingError).blockingError) ||
    asString(attachment.blockingError) ||
    asString(attachment.message) ||
    (asArray(attachment.content).length === 0 ? asString(attachment.stderr) : '')
  ).trim()
}

/**
 * Reminders, listings and settings. session_context and credential_org contain private account
 * data.
 */
const ignoredAttachments = new Set(
  `total_tokens_reminder token_usage output_token_usage task_reminder todo_reminder todo task_status task_progress
   batching_reminder_sent silent_turn_reminder verify_plan_reminder compaction_reminder critical_system_reminder
   skill_listing skill_discovery dynamic_skill invoked_skills deferred_tools_delta deferred_tools_record agent_listing_delta
   mcp_instructions_delta prompt_snapshot instructions model environment session_context credential_org
   command_permissions date date_change remote_session_change auto_mode auto_mode_exit budget_usd read_truncation_notice output_style
   ultra_effort_enter ultra_effort_exit ultrathink_effort context_efficiency companion_intro agent_mention
   relevant_memories diagnostics mcp_resource opened_file_in_ide selected_lines_in_ide team_context teammate_mailbox
   hook_cancelled hook_permission_decision prompt_render_point thinking_drop tool_results_cut context_sections
   coordinator_context fork_briefing account_memory_recall poll_events`.split(/\s+/),
)
