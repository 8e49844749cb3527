// An event without its bulk: what search and digest work with. Output that went well, thinking and file contents are nine
// tenths of a transcript; they are kept in the body and needed only when somebody reads the session.
import type { Event, Json } from '../../core/session.ts'

export type EventSummary = Omit<Event, 'key'>

export function summariseEvent({ key: _, ...event }: Event | (EventSummary & { key?: string })): EventSummary {
  const text = event.text.slice(0, maxTextLength(event))
  return event.input === undefined ? { ...event, text } : { ...event, text, input: summariseInput(event.input) }
}

function maxTextLength({ kind, error, exit }: EventSummary): number {
  switch (kind) {
    case 'prompt':
    case 'command':
    case 'shell':
    case 'reply':
      return 20_000
    case 'tool_result':
    case 'test_run':
      return error || exit ? 8000 : 0
    case 'thinking':
      return 0
    default:
      return 2000
  }
}

/** The command, the paths and short arguments; what is longer than this is content. */
const maxArgumentLength = 2000

function summariseInput(input: Json): Json {
  if (typeof input === 'string') return input.slice(0, maxArgumentLength)
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const light: [string, Json][] = []
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'string') light.push([name, value.slice(0, maxArgumentLength)])
    else if (typeof value === 'number' || typeof value === 'boolean') light.push([name, value])
    else if (Array.isArray(value) && value.length < 50 && value.every((item) => typeof item === 'string'))
      light.push([name, value])
  }
  return Object.fromEntries(light)
}
