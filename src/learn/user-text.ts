// Extracts the text that a user typed in an event. Besides prompts, users give reasons when they
// deny a tool call, answer questions of the agent, comment while they approve, and add arguments to
// commands. Everything else in an event is machine text. The wordings of each agent are in its
// `userReplies`; a result of another agent with the same text is output of a tool.

import type { UserReplies } from '../agents/agent.ts'
import { agents } from '../agents/registry.ts'
import { parseForeignJson } from '../core/foreign-json.ts'
import type { Json } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'

interface EventPlace {
  agent: string
  /** The tool of a result that does not name it itself. */
  tool?: string
  /** The call that a result answers, or the event before a context event. */
  near?: StoredEvent
}

/** Whether events of this kind can hold text of a user. */
export function mayBeTyped({ kind }: StoredEvent): boolean {
  return kind === 'tool_result' || kind === 'prompt' || kind === 'command' || kind === 'context'
}

/** Empty if the user typed nothing. */
export function userTextOf(event: StoredEvent, { agent, tool, near }: EventPlace): string {
  if (event.kind === 'prompt') return event.text
  if (event.kind === 'command') return argumentsOf(event.text)
  if (event.kind === 'context') {
    return patternsOf(agent)?.hasComments && isBeside(event, tool, near) ? commentIn(event.text) : ''
  }
  if (event.kind !== 'tool_result') return ''
  if (event.error === 'denied') return reasonOf(event.text, patternsOf(agent))
  const name = event.tool ?? tool ?? near?.tool ?? ''
  const patterns = patternsOf(agent)
  return event.error === undefined && patterns?.questionTool.test(name)
    ? answersIn(event.text, near?.input, patterns)
    : ''
}

/**
 * `/review only the parser` says "only the parser"; `# use tabs` was a note to memory (Claude Code
 * until 2.0).
 */
function argumentsOf(command: string): string {
  return command.replace(/^(?:[/$@]\S+|#+)\s*/, '').trim()
}

/** Whether the event is from the record of a result; other context events are written by programs. */
function isBeside({ role, id }: StoredEvent, tool: string | undefined, near: StoredEvent | undefined): boolean {
  if (role !== 'user') return false
  return near === undefined ? tool !== undefined : near.role === 'tool' && id !== '' && near.id === id
}

function commentIn(text: string): string {
  return /^\s*(?:<[a-z]|\[(?:image|request)|\*\*[A-Z ]+:|Base directory for this skill|Caveat: )/i.test(text)
    ? ''
    : text.trim()
}

/** Empty if a rule or a hook denied the call, since these give no reason of a person. */
function reasonOf(text: string, patterns: ReplyPatterns | undefined): string {
  const [, reason = ''] = patterns?.denial.exec(text.slice(0, maxLength)) ?? []
  return patterns ? reason.replace(patterns.trailingNote, '').trim() : ''
}

/** Characters that are read of a result: an answer is short, and a preview or a file follows it. */
const maxLength = 20_000

interface ReplyPatterns {
  hasComments: boolean
  /** Captures the reason. */
  denial: RegExp
  trailingNote: RegExp
  questionTool: RegExp
  /** Captures the answer. */
  singleAnswer: RegExp
  /** Capture question, answer and note. */
  answers: RegExp[]
}

const cachedPatterns = new Map<string, ReplyPatterns | undefined>()

/** Built on first use. Undefined if results of the agent never contain text of the user. */
function patternsOf(agent: string): ReplyPatterns | undefined {
  if (!cachedPatterns.has(agent)) {
    const replies = agents.find(({ id }) => id === agent)?.userReplies
    cachedPatterns.set(agent, replies && compilePatterns(replies))
  }
  return cachedPatterns.get(agent)
}

function compilePatterns(replies: UserReplies): ReplyPatterns {
  // Without alternatives the group matches nothing.
  const anyOf = (sources: readonly string[] = []) => (sources.length > 0 ? `(?:${sources.join('|')})` : '(?!)')
  const tools = replies.questionTools?.map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_?'))
  const notes = anyOf(replies.trailingNote === undefined ? [] : [replies.trailingNote])
  return {
    hasComments: replies.hasComments === true,
    denial: new RegExp(String.raw`^\s*${anyOf(replies.denials)}\s*([\s\S]*)$`, 'i'),
    trailingNote: new RegExp(String.raw`\n\s*\n${notes}[\s\S]*$`),
    questionTool: new RegExp(`^${anyOf(tools)}$`, 'i'),
    singleAnswer: new RegExp(String.raw`^${anyOf(replies.answerPrefixes)}([\s\S]+)$`),
    answers: (replies.answerPatterns ?? []).map((source) => new RegExp(source, 'g')),
  }
}

/** Adds the question to each answer, so that it can be read alone. */
function answersIn(text: string, asked: Json | undefined, patterns: ReplyPatterns): string {
  const said = text.slice(0, maxLength)
  return (structuredAnswers(said, asked) ?? writtenAnswers(said, asked, patterns))
    .filter((line) => line !== '')
    .join('\n')
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
    value = parseForeignJson(text).value
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

/** One answer after a prefix, or several that repeat their questions. */
function writtenAnswers(text: string, asked: Json | undefined, patterns: ReplyPatterns): string[] {
  const { singleAnswer, answers } = patterns
  const single = singleAnswer.exec(text)
  if (single) return [answered(questionsIn(asked)[0]?.question ?? '', single[1]!)]
  return answers.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, question = '', answer = '', notes = '']) =>
      answered(question, [answer, notes.trim()].filter((part) => part !== '').join('. ')),
    ),
  )
}
