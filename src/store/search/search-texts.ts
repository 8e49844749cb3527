// What of an event people search for: what was said, and what was run, touched or went wrong. Output that went well is not it.
import { commandOf, pathsOf } from '../../core/commands.ts'
import type { EventSummary } from '../sessions/event-summary.ts'
import type { PassageRole } from './passages.ts'

export interface SearchText {
  role: PassageRole
  said: string
  done: string
}

/** Undefined where there is nothing to be found. */
export function searchTextOf(event: EventSummary): SearchText | undefined {
  switch (event.kind) {
    case 'prompt':
    case 'command':
      return { role: 'human', said: event.text, done: '' }
    case 'shell':
      return { role: 'human', said: '', done: event.text }
    case 'reply':
      return { role: 'agent', said: event.text, done: '' }
    case 'tool_call':
      return done('agent', [...pathsOf(event.input), commandOf(event.input).slice(0, maxOfError)])
    case 'edit':
      return done(
        'tool',
        (event.files ?? []).map((file) => file.path),
      )
    case 'error':
      return done('tool', [event.text.slice(0, maxOfError)])
    case 'tool_result':
    case 'test_run':
      return event.error === 'failed' || event.exit ? done('tool', [event.text.slice(0, maxOfError)]) : undefined
    default:
      return undefined
  }
}

/** The message of an error stands at its beginning; what follows is trace. */
const maxOfError = 2000

function done(role: PassageRole, texts: string[]): SearchText | undefined {
  const text = texts.filter(Boolean).join('\n')
  return text === '' ? undefined : { role, said: '', done: text }
}
