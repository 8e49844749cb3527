// System records: compaction, trouble with the service, commands that ran without the model.
import type { Event } from '../../core/session.ts'
import { count, type Fields, fields, list, named, text } from '../values.ts'
import { baseOf } from './content.ts'
import type { Place, Reading } from './reading.ts'
import { commandText } from './user.ts'

export function readSystem(record: Fields, { session, native }: Place, reading: Reading): void {
  if (reading.isCopy) return
  const subtype = text(record.subtype)
  const said = text(record.content)
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
      const retracted = list(record.retractedMessageUuids).map(text)
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
      if (!passedOver.has(subtype)) reading.out.unknown(`system/${subtype || 'without subtype'}`)
  }
}

/** Durations, hook counts and status lines: nothing that happened in the conversation. */
const passedOver = new Set(['turn_duration', 'stop_hook_summary', 'bridge_status', 'session_start'])

function compactionFacts(record: Fields): string {
  const { trigger, preTokens, postTokens } = fields(record.compactMetadata)
  const facts = [named(trigger) ?? 'auto']
  if (count(preTokens)) facts.push(`${count(preTokens)} tokens before`)
  if (count(postTokens)) facts.push(`${count(postTokens)} after`)
  return facts.join(', ')
}

/** The error as the service worded it. Its headers name the account's organisation and are left out. */
function serviceError(record: Fields): string {
  const error = fields(record.error)
  const inner = fields(fields(error.error).error)
  const words =
    named(inner.message) ??
    named(error.formatted) ??
    named(error.message) ??
    named(fields(error.connection).message) ??
    named(record.content) ??
    'The model service failed'
  const attempt = count(record.retryAttempt)
  const status = count(error.status)
  return [
    status ? `${status} ${words}` : words,
    attempt ? ` (attempt ${attempt}${count(record.maxRetries) ? ` of ${count(record.maxRetries)}` : ''})` : '',
  ].join('')
}
