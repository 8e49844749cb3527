import { commandOf, pathsOf } from '../core/commands.ts'
import { formatCount, type Zone } from '../core/units.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'

/** One event as an agent reads it: its place, when, who, what; '' for what machines only told each other. */
export function eventText(event: StoredEvent, zone: Zone): string {
  const [who, text] = wordsOf(event)
  if (!text) return ''
  const time = event.ts ? ` ${zone.minute(event.ts)}` : ''
  return `[${event.seq}${time}] ${who}: ${text}`
}

function wordsOf(event: StoredEvent): [who: string, text: string] {
  switch (event.kind) {
    case 'prompt':
    case 'command':
    case 'shell':
      return ['user', clip(event.text, 4000)]
    case 'reply':
      return ['agent', clip(event.text, 4000)]
    case 'tool_call':
      return [`agent ran ${event.tool ?? 'a tool'}`, clip(callText(event), 400)]
    case 'tool_result':
    case 'test_run':
      return resultText(event)
    case 'edit':
      return ['edited', (event.files ?? []).map(({ path, change }) => `${path} (${change})`).join(', ')]
    case 'error':
      return ['error', clip(event.text, 1500)]
    case 'interrupt':
      return ['user', '(stopped the agent)']
    case 'compaction':
      return ['compaction', clip(event.text, 1500)]
    case 'thinking':
    case 'context':
    case 'lifecycle':
      return ['', '']
    default:
      event.kind satisfies never
      return ['', '']
  }
}

function callText({ input }: StoredEvent): string {
  return commandOf(input) || pathsOf(input).join(' ') || JSON.stringify(input ?? {})
}

/** Output that went well is rarely what somebody looks for; a failure is. */
function resultText({ text, error, exit, tests }: StoredEvent): [who: string, text: string] {
  const counted = tests ? `, ${tests.passed} tests passed, ${tests.failed} failed` : ''
  const hasFailed = error !== undefined || Boolean(exit)
  const state = `${hasFailed ? ` (${error ?? 'failed'})` : ''}${counted}`
  return [`tool output${state}`, clip(text, hasFailed ? 1500 : 500) || '(empty)']
}

function clip(text: string, max: number): string {
  const whole = text.trim()
  return whole.length <= max ? whole : `${whole.slice(0, max)}… (${formatCount(whole.length - max)} more characters)`
}
