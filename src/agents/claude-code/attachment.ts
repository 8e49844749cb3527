// Attachments: context given to the model beside the talk, from about 2.1.7x on. One kind of them is a person's words.
import type { Event } from '../../core/session.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { baseOf, blocks, contentText } from './content.ts'
import type { Place, Reading } from './reading.ts'
import { commandText, noteTyped, saidIn, userKind } from './user.ts'

export function readAttachment(record: JsonObject, place: Place, reading: Reading): void {
  if (reading.isCopy) return
  const attachment = asObject(record.attachment)
  const type = asString(attachment.type)
  if (type === 'queued_command') return readQueued(record, attachment, place, reading)
  if (noise.has(type)) return
  const words = contextWords(type, attachment)
  if (words === undefined) return reading.out.unknownType(`attachment/${type || 'without type'}`)
  if (!words) return
  const base = baseOf(record, place.native)
  place.session.event({ ...base, key: `${base.key}#0`, kind: 'context', role: 'system', text: words })
}

/**
 * A prompt typed while the agent worked may stand only here. Should it be written as a record of its own later, that
 * one has the id which is named here as its source.
 */
function readQueued(record: JsonObject, attachment: JsonObject, place: Place, reading: Reading): void {
  const said = saidIn(blocks(attachment.prompt))
  if (!said) return
  const base = baseOf(record, place.native)
  const kind = place.isSubagent ? 'context' : queuedKind(record, attachment, said)
  if (kind === 'prompt' || kind === 'command') noteTyped({ record, base, kind }, place, reading)
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

/** What an attachment told the model; '' where it told nothing, undefined where its type is not known. */
function contextWords(type: string, attachment: JsonObject): string | undefined {
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
      return type.startsWith('hook_') ? hookWords(attachment) : undefined
  }
}

/** A hook's words to the model. A hook that failed is not a failure of the agent, so it is context as well. */
function hookWords(attachment: JsonObject): string {
  return (
    contentText(attachment.content) ||
    asString(asObject(attachment.blockingError).blockingError) ||
    asString(attachment.blockingError) ||
    asString(attachment.message) ||
    (asArray(attachment.content).length === 0 ? asString(attachment.stderr) : '')
  ).trim()
}

/** Reminders, listings and settings. session_context and credential_org hold private facts of the account. */
const noise = new Set(
  `total_tokens_reminder token_usage output_token_usage task_reminder todo_reminder todo task_status task_progress
   batching_reminder_sent silent_turn_reminder verify_plan_reminder compaction_reminder critical_system_reminder
   skill_listing skill_discovery dynamic_skill invoked_skills deferred_tools_delta agent_listing_delta
   mcp_instructions_delta prompt_snapshot instructions model environment session_context credential_org
   command_permissions date_change auto_mode auto_mode_exit budget_usd read_truncation_notice output_style
   ultra_effort_enter ultra_effort_exit ultrathink_effort context_efficiency companion_intro agent_mention
   relevant_memories diagnostics mcp_resource opened_file_in_ide selected_lines_in_ide team_context teammate_mailbox
   hook_cancelled hook_permission_decision`.split(/\s+/),
)
