// Extracts the text that a user typed in an event. Besides prompts, users give reasons when they
// deny a tool call, answer questions of the agent, comment while they approve, and add arguments to
// commands. Everything else in an event is machine text.
import type { Json } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'

/**
 * Empty if the user typed nothing. `tool` names the tool of a result that does not name it itself;
 * `near` is the call that a result answers, or the event before a context event.
 */
export function userTextOf(event: StoredEvent, tool?: string, near?: StoredEvent): string {
  if (event.kind === 'prompt') return event.text
  if (event.kind === 'command') return argumentsOf(event.text)
  if (event.kind === 'context') return isBeside(event, tool, near) ? commentIn(event.text) : ''
  if (event.kind !== 'tool_result') return ''
  if (event.error === 'denied') return reasonOf(event.text)
  const name = event.tool ?? tool ?? near?.tool ?? ''
  return event.error === undefined && asks.test(name) ? answersIn(event.text, near?.input) : ''
}

/**
 * `/review only the parser` says "only the parser"; `# use tabs` was a note to memory (Claude Code
 * until 2.0).
 */
function argumentsOf(command: string): string {
  return command.replace(/^(?:[/$@]\S+|#+)\s*/, '').trim()
}

/**
 * Text typed while approving is in the record of the result (Claude Code 2.x); other context events
 * are written by programs.
 */
function isBeside({ role, id }: StoredEvent, tool: string | undefined, near: StoredEvent | undefined): boolean {
  if (role !== 'user') return false
  return near === undefined ? tool !== undefined : near.role === 'tool' && id !== '' && near.id === id
}

function commentIn(text: string): string {
  return /^\s*(?:<[a-z]|\[(?:image|request)|\*\*[A-Z ]+:|Base directory for this skill|Caveat: )/i.test(text)
    ? ''
    : text.trim()
}

/**
 * Claude Code: "... the user said:\n<reason>", then sometimes a note to the model. OpenCode, Kimi,
 * Copilot and Cline speak of the user's feedback. A rule or a hook that denies gives no reason of a
 * person.
 */
function reasonOf(text: string): string {
  const [, said = ''] =
    /(?:\bthe user said|\buser(?:'s)? feedback|\b(?:with|following|this)(?: \w+)? feedback):\s*([\s\S]*)$/i.exec(
      text.slice(0, maxLength),
    ) ?? []
  return said
    .replace(/\n\s*\nNote: The user's next message[\s\S]*$/, '')
    .replace(/<\/?feedback>/g, '')
    .trim()
}

/** Characters that are read of a result: an answer is short, and a preview or a file follows it. */
const maxLength = 20_000

/**
 * AskUserQuestion (Claude Code, Kimi), request_user_input (Codex), ask_user (Copilot, Gemini),
 * AskUser (Droid), question (OpenCode).
 */
const asks = /^(?:ask_?user(?:_?question)?|request_user_input|question|ask_?question|ask_followup_question)$/i

/** Adds the question to each answer, so that it can be read alone. */
function answersIn(text: string, asked: Json | undefined): string {
  const said = text.slice(0, maxLength)
  return (structuredAnswers(said, asked) ?? writtenAnswers(said, asked)).filter((line) => line !== '').join('\n')
}

function answered(question: string, answer: string): string {
  const plain = answer.trim()
  if (plain === '' || /^(?:no answer|unanswered|\(no answer\)|skipped)$/i.test(plain)) return ''
  return question.trim() === '' ? plain : `"${question.trim().replaceAll('"', "'")}": ${plain}`
}

/**
 * `{"answers": {"<id, place or question>": "..." | ["..."] | {"answers": ["..."]}}}`: Codex, Gemini
 * CLI, Kimi.
 */
function structuredAnswers(text: string, asked: Json | undefined): string[] | null {
  if (!/^\s*\{/.test(text)) return null
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return []
  }
  const questions = new Map(
    questionsIn(asked).flatMap(({ id, question }, place) => [
      [String(place), question],
      [id, question],
    ]),
  )
  return Object.entries(objectOf(objectOf(value).answers)).map(([key, answer]) =>
    answered(questions.get(key) ?? (/\s|\?$/.test(key) ? key : ''), words(answer)),
  )
}

function words(answer: Json | undefined): string {
  if (typeof answer === 'string') return answer.replace(/^user_note:\s*/, '')
  if (Array.isArray(answer)) return answer.map(words).join(', ')
  return answer !== null && typeof answer === 'object' ? words(answer.answers) : ''
}

function questionsIn(asked: Json | undefined): { id: string; question: string }[] {
  const { question, questions } = objectOf(asked)
  const list = Array.isArray(questions) ? questions.map(objectOf) : [{ question }]
  return list.map(({ id, question }) => ({
    id: typeof id === 'string' ? id : '',
    question: typeof question === 'string' ? question : '',
  }))
}

function objectOf(value: Json | undefined): { [key: string]: Json | undefined } {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}

/**
 * `"Q"="A" user notes: N, "Q"="A". You can now continue`: Claude Code and OpenCode; `User
 * responded: A`: Copilot.
 */
function writtenAnswers(text: string, asked: Json | undefined): string[] {
  const single = /^User (?:responded|selected|answered): ([\s\S]+)$/.exec(text)
  if (single) return [answered(questionsIn(asked)[0]?.question ?? '', single[1]!)]
  const pairs = [...text.matchAll(pair)].map(([, question = '', answer = '', notes = '']) =>
    answered(question, [answer, notes.trim()].filter((part) => part !== '').join('. ')),
  )
  const listed = [...text.matchAll(/\[question\] ([^\n]+)\n\[answer\] ([^\n]+)/g)].map(
    ([, question = '', answer = '']) => answered(question, answer),
  )
  return [...pairs, ...listed]
}

const pair =
  /"([^"\n]{1,2000})"="([^"]{0,5000})"(?:\.? selected preview:\n(?:(?!user notes:|, "|\. You can now)[\s\S]){0,5000})?(?:\.?\s*user notes: ((?:(?!, "|\. You can now)[\s\S]){0,5000}))?/g
