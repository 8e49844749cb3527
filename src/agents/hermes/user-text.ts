// Decides what a message with the user's role is. Hermes sends its own texts under that role: goals
// that it continues, reports of subagents and processes, summaries, and skills with their content.
// Beginnings as seen in recordings of August 2026 and in its source to September 2026.
import type { Event } from '../../core/session.ts'

type UserText = Pick<Event, 'kind' | 'role' | 'text'>

export function readUserText(content: string, displayKind: string): UserText {
  const said = withoutNotes(content)
  if (isSummary(said)) return { kind: 'compaction', role: 'system', text: said }
  const command = commandIn(said)
  if (command) return { kind: 'command', role: 'user', text: command }
  // Rows that Hermes writes itself are marked, except a message that was typed during a turn.
  const isOwn = displayKind !== '' && displayKind !== 'steer'
  return { kind: isOwn || !said || machineText.test(said) ? 'context' : 'prompt', role: 'user', text: said || content }
}

/** Also the role of the assistant is used for it. */
export function isSummary(said: string): boolean {
  return /^\s*\[CONTEXT (?:COMPACTION|SUMMARY)/.test(said)
}

const machineText =
  /^(?:\[(?:Continuing toward your standing goal\]|ASYNC DELEGATION |IMPORTANT: (?:Background process|Watch patterns|You are running as a scheduled|The following skill)|System: |SYSTEM: |Your active task list was preserved|PRIOR CONTEXT)|Review the conversation above and |You've reached the maximum number of tool-calling iterations|You just executed tool calls but returned an empty response|Your previous turn indicated a tool call but none was included)/

/** Notes that Hermes puts before what was typed. */
function withoutNotes(content: string): string {
  return content.replace(/^(?:\s*\[(?:System note|Note|Runtime note): [^\]]*\]\s*)+/, '').trim()
}

/** A skill or a bundle of skills: its content, then what was typed after the command. */
function commandIn(said: string): string | undefined {
  const [, name] = /^\[(?:IMPORTANT|SYSTEM): The user has invoked the "([^"]+)" skill/.exec(said) ?? []
  if (!name) return undefined
  const typed = typedAfter(said, 'The user has provided the following instruction alongside the skill invocation: ')
  return `/${name} ${typed || typedAfter(said, '\nUser instruction: ')}`.trim()
}

function typedAfter(said: string, mark: string): string {
  const at = said.lastIndexOf(mark)
  if (at < 0) return ''
  return said
    .slice(at + mark.length)
    .replace(/\n\n\[(?:Runtime note:|Loaded as part of the )[\s\S]*$/, '')
    .trim()
}
