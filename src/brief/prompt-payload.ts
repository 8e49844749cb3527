// Parses the payload of an agent's prompt event, as seen in Claude Code 2.1, Codex 0.166 and Gemini
// CLI 0.61. Undefined for prompts that no person typed or that are too short.
import type { Json } from '../core/session.ts'

export interface UserPrompt {
  /** `<agent>:<native id>` */
  session: string
  cwd: string
  text: string
}

const minLength = 10

export function parsePrompt(payload: string, agent: string): UserPrompt | undefined {
  const { session_id, cwd, prompt, source, ...others } = fieldsOf(payload)
  if (typeof session_id !== 'string' || typeof cwd !== 'string' || typeof prompt !== 'string') return undefined
  const isSubagent = typeof others.agent_id === 'string'
  // Cursor, Grok, Copilot CLI, VS Code and Continue also run hooks that were installed for other agents.
  const isForeign =
    'cursor_version' in others || 'sessionId' in others || foreignTranscript.test(String(others.transcript_path))
  const isByPerson = source === undefined || source === 'user' || source === 'sdk'
  const text = prompt.replace(addedContext, '').trim()
  if (isSubagent || isForeign || !isByPerson || text.length < minLength) return undefined
  return slashCommand.test(text) || machineText.test(text)
    ? undefined
    : { session: `${agent}:${session_id}`, cwd, text }
}

const foreignTranscript = /[\\/](?:GitHub\.copilot-chat[\\/]transcripts|\.continue[\\/]sessions)[\\/]/

/** Gemini CLI puts the brief of the start before the first prompt; it escapes tags inside. */
const addedContext = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+/

/** Does not match a file path, which has a second slash. */
const slashCommand = /^\/[\w:.-]+(?:\s|$)/
/**
 * Claude Code reports the end of a background task as a prompt: `<task-notification>`. Also code
 * and data.
 */
const machineText = /^(?:[<{[]|```)/

function fieldsOf(payload: string): Record<string, Json> {
  try {
    const value = JSON.parse(payload) as Json
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, Json>) : {}
  } catch {
    return {}
  }
}

/** Without other fields: Codex drops a response that has any. */
export function promptResponse(event: string, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
}
