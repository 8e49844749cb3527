// Extracts the text that a user typed in an event. Besides prompts, users give reasons when they
// deny a tool call, answer questions of the agent, comment while they approve, and add arguments to
// commands. Everything else in an event is machine text. The wordings of each agent are in its
// `userReplies`.
import type { UserReplies } from '../agents/agent.ts'
import { agents } from '../agents/registry.ts'
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
  return event.error === undefined && replyPatterns().questionTool.test(name) ? answersIn(event.text, near?.input) : ''
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

/** Empty if a rule or a hook denied the call, since these give no reason of a person. */
function reasonOf(text: string): string {
  const { denial, trailingNote, reasonTag } = replyPatterns()
  const [, reason = ''] = denial.exec(text.slice(0, maxLength)) ?? []
  return reason.replace(trailingNote, '').replace(reasonTag, '').trim()
}

/** Characters that are read of a result: an answer is short, and a preview or a file follows it. */
const maxLength = 20_000

interface ReplyPatterns {
  /** Captures the reason. */
  denial: RegExp
  trailingNote: RegExp
  reasonTag: RegExp
  questionTool: RegExp
  /** Captures the answer. */
  singleAnswer: RegExp
  /** Capture question, answer and note. */
  answers: RegExp[]
}

let cachedPatterns: ReplyPatterns | undefined

/** Built on first use, since the registry loads the readers of all agents. */
function replyPatterns(): ReplyPatterns {
  cachedPatterns ??= joinPatterns(agents.flatMap(({ userReplies }) => userReplies ?? []))
  return cachedPatterns
}

function joinPatterns(replies: UserReplies[]): ReplyPatterns {
  const anyOf = (sources: string[]) => `(?:${[...new Set(sources)].join('|')})`
  const markers = anyOf(replies.flatMap(({ denialMarkers }) => denialMarkers ?? []))
  const notes = anyOf(replies.flatMap(({ trailingNote }) => trailingNote ?? []))
  const tags = anyOf(replies.flatMap(({ reasonTag }) => reasonTag ?? []))
  const tools = anyOf(
    replies
      .flatMap(({ questionTools }) => questionTools ?? [])
      .map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_?')),
  )
  const prefixes = anyOf(replies.flatMap(({ answerPrefixes }) => answerPrefixes ?? []))
  const answers = new Set(replies.flatMap(({ answerPatterns }) => answerPatterns ?? []))
  return {
    denial: new RegExp(String.raw`\b${markers}:\s*([\s\S]*)$`, 'i'),
    trailingNote: new RegExp(String.raw`\n\s*\n${notes}[\s\S]*$`),
    reasonTag: new RegExp(`</?${tags}>`, 'g'),
    questionTool: new RegExp(`^${tools}$`, 'i'),
    singleAnswer: new RegExp(String.raw`^${prefixes}([\s\S]+)$`),
    answers: [...answers].map((source) => new RegExp(source, 'g')),
  }
}

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

/** One answer after a prefix, or several that repeat their questions. */
function writtenAnswers(text: string, asked: Json | undefined): string[] {
  const { singleAnswer, answers } = replyPatterns()
  const single = singleAnswer.exec(text)
  if (single) return [answered(questionsIn(asked)[0]?.question ?? '', single[1]!)]
  return answers.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, question = '', answer = '', notes = '']) =>
      answered(question, [answer, notes.trim()].filter((part) => part !== '').join('. ')),
    ),
  )
}
