// Who wrote a text that stands in the user's place.
import type { EventKind } from '../../core/session.ts'

export interface Said {
  kind: Extract<EventKind, 'prompt' | 'command' | 'context'>
  text: string
}

const wrapper =
  'user_info|git_status|system-reminder|agent_skills|mcp_servers|fork-context|resume-context|background_context|project_layout'
const wrapped = new RegExp(String.raw`^(?:\s*<(${wrapper})\b[^>]*>[\s\S]*?</\1>)+\s*`)
const machineStart = new RegExp(String.raw`^\s*<(?:${wrapper})\b`)

/** What a person typed stands in <user_query>, or after the blocks that the agent put before it. */
export function personSaid(source: string): Said {
  const rest = source.replace(wrapped, '')
  const query = /^\s*<user_query>\s*([\s\S]*?)\s*<\/user_query>/.exec(rest)?.[1]
  const text = query ?? rest.trim()
  if (text === '' || machineStart.test(text)) return { kind: 'context', text: source.trim() }
  return { kind: isCommand(text) ? 'command' : 'prompt', text }
}

/** `/review the diff` is a command; `/etc/hosts` is a path. */
function isCommand(text: string): boolean {
  return /^\/[a-z][\w:-]*(?=\s|$)/i.test(text)
}
