// What a person typed outside of prompts, as far as a result says it: the reason for denying a call
// and the answer to a question of the agent. Readers mark a result as denied only if the client
// recorded the denial itself, so output that imitates one is not taken (test/agents/imitation).
import type { Event } from '../../core/session.ts'

/** Empty if the person typed nothing. */
export function personWords({ kind, error, tool = '', text }: Pick<Event, 'kind' | 'error' | 'tool' | 'text'>): string {
  if (kind !== 'tool_result') return ''
  if (error === 'denied') return (reason.exec(text)?.[1] ?? '').replace(clientNote, '').trim()
  if (error !== undefined || !isQuestionTool(tool)) return ''
  return [...text.matchAll(answer)].map(([, question, said]) => `${question} ${said}`).join('\n')
}

/** Tools with which agents ask the person. */
export function isQuestionTool(tool: string): boolean {
  return /^(?:ask_?user(?:_?question)?|request_user_input)$/i.test(tool)
}

/** Claude Code, Copilot CLI, Kimi, OpenCode. */
const reason = /^[^\n]{0,600}?\b(?:the user said|user feedback|following feedback):\s*([\s\S]{1,8000})$/i
const clientNote = /\n\s*\nNote: The user's next message[\s\S]*$/
const answer = /"([^"\n]{1,2000})"="([^"]{1,5000})"/g
