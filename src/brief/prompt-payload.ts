// The payload of an agent's prompt event, as seen in Claude Code 2.1, Codex 0.166 and Gemini CLI 0.61: what a person typed,
// where and in which session; or undefined, where nobody typed it or nothing can be said about it.
import type { Json } from '../core/session.ts'

export interface Prompt {
  /** `<agent>:<native id>` */
  session: string
  cwd: string
  text: string
}

const shortest = 10

export function promptIn(payload: string, agent: string): Prompt | undefined {
  const { session_id, cwd, prompt, source, ...others } = fieldsOf(payload)
  if (typeof session_id !== 'string' || typeof cwd !== 'string' || typeof prompt !== 'string') return undefined
  const isSubagent = typeof others.agent_id === 'string'
  // Cursor, Grok and Copilot CLI run hooks that were meant for others.
  const isForeign = 'cursor_version' in others || 'sessionId' in others
  const isByPerson = source === undefined || source === 'user' || source === 'sdk'
  const text = prompt.trim()
  if (isSubagent || isForeign || !isByPerson || text.length < shortest) return undefined
  return slashCommand.test(text) || machineText.test(text)
    ? undefined
    : { session: `${agent}:${session_id}`, cwd, text }
}

/** Not the path of a file, which has a second slash. */
const slashCommand = /^\/[\w:.-]+(?:\s|$)/
/** Claude Code hands over the end of a background task as a prompt: `<task-notification>`. Fences and data are nobody's question. */
const machineText = /^(?:[<{[]|```)/

function fieldsOf(payload: string): Record<string, Json> {
  try {
    const value = JSON.parse(payload) as Json
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, Json>) : {}
  } catch {
    return {}
  }
}

/** The answer, with no field besides: Codex drops an answer that has one. */
export function promptAnswer(event: string, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
}
