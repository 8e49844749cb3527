// System records: compaction, trouble with the service, commands that ran without the model.
import type { Event } from '../../core/session.ts'
import { asArray, asCount, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { baseOf } from './content.ts'
import type { Place, Reading } from './reading.ts'
import { commandText } from './user.ts'

export function readSystem(record: JsonObject, { session, native }: Place, reading: Reading): void {
  if (reading.isCopy) return
  const subtype = asString(record.subtype)
  const said = asString(record.content)
  const tell = (kind: Event['kind'], words: string, more: Partial<Event> = {}) => {
    const base = baseOf(record, native)
    if (words) session.event({ ...base, key: `${base.key}#0`, kind, role: 'system', text: words, ...more })
  }
  switch (subtype) {
    case 'compact_boundary':
      reading.isCompacting = true
      return tell('compaction', `${said || 'Conversation compacted'} (${compactionFacts(record)})`)
    case 'microcompact_boundary': // drops the output of tools only
      return tell('lifecycle', said || 'Old tool output dropped')
    case 'local_command':
      if (said.startsWith('<command-name>')) return tell('command', commandText(said), { role: 'user' })
      return tell('context', said)
    case 'api_error':
    case 'error':
      return tell('error', serviceError(record))
    case 'api_refusal':
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback': {
      const retracted = asArray(record.retractedMessageUuids).map(asString)
      return tell('error', said || 'The model refused', retracted.length > 0 ? { replaces: retracted } : {})
    }
    case 'away_summary':
    case 'informational':
    case 'memory_saved':
    case 'agents_killed':
    case 'permission_retry':
    case 'scheduled_task_fire':
      return tell('context', said)
    default:
      if (!passedOver.has(subtype)) reading.out.unknownType(`system/${subtype || 'without subtype'}`)
  }
}

/** Durations, hook counts and status lines: nothing that happened in the conversation. */
const passedOver = new Set(['turn_duration', 'stop_hook_summary', 'bridge_status', 'session_start'])

function compactionFacts(record: JsonObject): string {
  const { trigger, preTokens, postTokens } = asObject(record.compactMetadata)
  const facts = [optionalString(trigger) ?? 'auto']
  if (asCount(preTokens)) facts.push(`${asCount(preTokens)} tokens before`)
  if (asCount(postTokens)) facts.push(`${asCount(postTokens)} after`)
  return facts.join(', ')
}

/** The error as the service worded it. Its headers name the account's organisation and are left out. */
function serviceError(record: JsonObject): string {
  const error = asObject(record.error)
  const inner = asObject(asObject(error.error).error)
  const words =
    optionalString(inner.message) ??
    optionalString(error.formatted) ??
    optionalString(error.message) ??
    optionalString(asObject(error.connection).message) ??
    optionalString(record.content) ??
    'The model service failed'
  const attempt = asCount(record.retryAttempt)
  const status = asCount(error.status)
  return [
    status ? `${status} ${words}` : words,
    attempt ? ` (attempt ${attempt}${asCount(record.maxRetries) ? ` of ${asCount(record.maxRetries)}` : ''})` : '',
  ].join('')
}
