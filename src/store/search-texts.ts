// What of an event people search for: what was said, run, touched and what went wrong. Output that went well is not it.
import { commandOf, pathsOf } from '../core/commands.ts'
import type { SearchText } from './events.ts'
import type { LightEvent } from './light.ts'

export function searchTexts(event: LightEvent): SearchText[] {
  switch (event.kind) {
    case 'prompt':
    case 'command':
      return [{ column: 'prompt', text: event.text }]
    case 'shell':
      return [{ column: 'command', text: event.text }]
    case 'reply':
      return [{ column: 'reply', text: event.text }]
    case 'tool_call':
      return callTexts(event)
    case 'edit':
      return (event.files ?? []).map((file) => ({ column: 'path', text: file.path }))
    case 'error':
      return [{ column: 'error', text: event.text.slice(0, mostOfError) }]
    case 'tool_result':
    case 'test_run':
      return event.error === 'failed' || event.exit ? [{ column: 'error', text: event.text.slice(0, mostOfError) }] : []
    default:
      return []
  }
}

/** The message of an error stands at its beginning; what follows is trace. */
const mostOfError = 2000

function callTexts(event: LightEvent): SearchText[] {
  const texts: SearchText[] = pathsOf(event.input).map((path) => ({ column: 'path', text: path }))
  const command = commandOf(event.input)
  if (command) texts.push({ column: 'command', text: command.slice(0, mostOfError) })
  return texts
}
