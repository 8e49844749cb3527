// What a session depends on, gathered event by event: the person's statements, commands that worked,
// paths, identifiers, values, and what is still open. The state is small plain data, so that the
// worker can continue it where it stopped, and a turn costs only its own events.
import { commandOf, pathsOf } from '../core/commands.ts'
import type { Json } from '../core/session.ts'
import { commandNames, commandToBlame } from '../digest/command-names.ts'
import { fingerprintError } from '../digest/fingerprint.ts'
import { closingQuestion } from '../digest/reply-end.ts'
import { trainedModel } from '../learn/heuristic/model.ts'
import { isWithheld, scoreSentences } from '../learn/heuristic/score-sentences.ts'
import { userTextOf } from '../learn/user-text.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { splitSentences } from '../text/sentences.ts'
import { oneLine, truncate, truncateMiddle, truncateStart } from '../text/truncate.ts'
import { isRoutine, withoutFilters } from './commands.ts'
import { type FoundName, type NameKind, namesIn } from './names.ts'

export interface FactState {
  /** Events folded. */
  through: number
  /** Maps, because names such as `hasOwnProperty` are properties of every object. */
  names: Map<string, NameFact>
  /** Commands that worked, by their text without filters. */
  commands: Map<string, CommandFact>
  statements: StatementFact[]
  /** Unfinished items of the agent's task list, as it last wrote it. */
  todos: string[]
  /** Failures that were not followed by a success, by the programs of the command. */
  errors: Map<string, ErrorFact>
  /** What the agent asked last, until the person answers. */
  question: { text: string; seq: number; at: string | null } | null
  /** Places of the last prompts: a rewind removes what came behind them. */
  prompts: number[]
  lastReply: string
  /** What replaced the events before the last compaction, until the agent goes on. */
  summary: { text: string; isComplete: boolean } | null
  openCalls: Map<string, { command: string; tool: string }>
}

/** Where a name occurred. */
export interface NameFact {
  kind: NameKind
  firstSeq: number
  lastSeq: number
  times: number
  at: string | null
  isSaid?: true
  /** The agent acted on it, not only read it in some output. */
  isUsed?: true
  editSeq?: number
  /** The sentence with the name, if somebody wrote one. */
  sentence?: string
}

export interface CommandFact {
  /** As it was run last. */
  text: string
  lastSeq: number
  times: number
  at: string | null
}

export interface StatementFact {
  kind: 'constraint' | 'decision'
  text: string
  seq: number
  at: string | null
  /** How likely it is worth keeping, 0 to 1. */
  score: number
}

export interface ErrorFact {
  command: string
  message: string
  seq: number
  at: string | null
}

export interface FactSource {
  agent: string
  cwd: string | null
}

export function newFactState(): FactState {
  return {
    through: 0,
    names: new Map(),
    commands: new Map(),
    statements: [],
    todos: [],
    errors: new Map(),
    question: null,
    prompts: [],
    lastReply: '',
    summary: null,
    openCalls: new Map(),
  }
}

/** Applies one event to the state in place, as `foldEvent` of a digest does. */
export function foldFacts(state: FactState, event: StoredEvent, source: FactSource): void {
  state.through = event.seq + 1
  if (event.undoes) rewind(state, event.undoes)
  foldSummary(state, event)
  const words = userTextOf(event, { agent: source.agent, tool: event.tool })
  if (words !== '') foldWords(state, event, words, source)
  switch (event.kind) {
    case 'reply':
      return foldReply(state, event, source)
    case 'tool_call':
      return foldCall(state, event, source)
    case 'tool_result':
    case 'test_run':
      return foldResult(state, event)
    case 'edit':
      for (const { path } of event.files ?? []) {
        const fact = addName(state, event, { kind: 'path', text: path }, source)
        if (fact) Object.assign(fact, { editSeq: event.seq, isUsed: true })
      }
      return
    case 'shell':
      for (const name of namesIn(event.text, 'code')) addName(state, event, name, source)
      return
    default:
  }
}

/** Machine text directly behind a compaction belongs to its summary; an action of the agent ends it. */
function foldSummary(state: FactState, { kind, text }: StoredEvent): void {
  if (kind === 'compaction') state.summary = { text, isComplete: false }
  else if (kind === 'context' && state.summary?.isComplete === false) state.summary.text += `\n${text}`
  else if (kind === 'reply' || kind === 'tool_call') state.summary = null
  else if (state.summary) state.summary.isComplete = true
}

const maxWords = 8000
const maxReply = 4000
const maxSentence = 240
const maxCommand = 300

/** What a person wrote: sentences that may bind the agent, and the names in all of them. */
function foldWords(state: FactState, event: StoredEvent, words: string, source: FactSource): void {
  if (event.kind === 'prompt') state.prompts = [...state.prompts, event.seq].slice(-20)
  state.question = null
  const prompt = truncateMiddle(words, maxWords)
  const scored = scoreSentences({ before: state.lastReply, prompt, after: '' }, trainedModel)
  for (const { sentence, features, score } of scored) {
    const { start, end } = sentence.unit
    const text = oneLine(prompt.slice(start, end))
    const isOther = isWithheld(features) || text.length > maxStatement || /[?:]\W*$/.test(text)
    if (isOther || state.statements.some((one) => one.text === text)) continue
    const kind = decides.test(text) ? 'decision' : 'constraint'
    const weight = Math.max(score, binds.test(text) ? bindingScore : 0)
    if (weight >= minScore) state.statements.push({ kind, text, seq: event.seq, at: event.ts, score: weight })
  }
  if (state.statements.length > 2 * maxStatements)
    state.statements = state.statements.toSorted((a, b) => b.score - a.score).slice(0, maxStatements)
  for (const sentence of splitSentences(prompt)) {
    for (const name of namesIn(sentence, 'prose')) {
      const fact = addName(state, event, name, source)
      if (fact) Object.assign(fact, { isSaid: true, isUsed: true }, sentenceOf(sentence))
    }
  }
}

const maxStatement = 400
const maxStatements = 40
const minScore = 0.2
const bindingScore = 0.5
/** Words of a rule for the rest of the session. */
const binds =
  /\b(?:never|always|must(?:n't)?|do ?n[o']t|don't|only|avoid|without|keep|make sure|ensure|instead of|rather than|no longer|prefer|should(?:n't)?|has to|have to|at most|at least|exactly)\b/i
const decides =
  /\b(?:decided?|go(?:ing)? with|let's|we(?:'ll| will)|agreed?|settled|choose|chose|pick(?:ed)?|instead)\b/i

function foldReply(state: FactState, event: StoredEvent, source: FactSource): void {
  const end = truncateStart(event.text, maxReply)
  state.lastReply = end
  const question = closingQuestion(end)
  state.question = question && !question.isOffer ? { text: question.text, seq: event.seq, at: event.ts } : null
  for (const sentence of splitSentences(end)) {
    for (const name of namesIn(sentence, 'prose')) {
      const fact = addName(state, event, name, source)
      if (fact && !fact.isSaid) Object.assign(fact, sentenceOf(sentence))
    }
  }
}

/** Rows of tables, links and announcements explain no name. */
function sentenceOf(sentence: string): { sentence?: string } {
  const text = oneLine(sentence)
  const isProse = text.length <= maxSentence && /[.!?)`*]$/.test(text) && (text.match(plainWords)?.length ?? 0) >= 4
  return isProse && !/\]\(|\||^(?:Let me|Now|I'll|I will)\b/.test(text) ? { sentence: text } : {}
}

const plainWords = /(?<![\w.])[A-Za-z][a-z]+(?![\w.(])/g

function foldCall(state: FactState, event: StoredEvent, source: FactSource): void {
  const command = commandOf(event.input).trim()
  if (event.call) state.openCalls.set(event.call, { command, tool: event.tool ?? '' })
  dropOldest(state.openCalls, 50)
  for (const name of actionNames(event.input)) {
    const fact = addName(state, event, name, source)
    if (fact) fact.isUsed = true
  }
  const todos = pendingTodos(event.input)
  if (todos) state.todos = todos
}

function foldResult(state: FactState, event: StoredEvent): void {
  const call = state.openCalls.get(event.call ?? '')
  state.openCalls.delete(event.call ?? '')
  const command = call?.command ?? ''
  const what = commandToBlame(commandNames(command))
  if (event.error === 'denied' || event.error === 'cancelled') return
  if (event.error || (event.exit ?? 0) !== 0 || (event.tests?.failed ?? 0) > 0) {
    if (what === '' || isRoutine(command) || command.includes('\n') || command.length > maxCommand) return
    const line = oneLine(fingerprintError(event.text, what).message)
    state.errors.delete(what)
    state.errors.set(what, { command, message: isHeading.test(line) ? '' : line, seq: event.seq, at: event.ts })
    dropOldest(state.errors, 10)
    return
  }
  state.errors.delete(what)
  if (command !== '' && !command.includes('\n') && command.length <= maxCommand && !isRoutine(command)) {
    const key = withoutFilters(command)
    const times = (state.commands.get(key)?.times ?? 0) + 1
    state.commands.delete(key) // the newest stand last
    state.commands.set(key, { text: command, lastSeq: event.seq, times, at: event.ts })
    dropOldest(state.commands, 80)
  }
}

/** Names a step of a task runner or a package, not what went wrong. */
const isHeading = /^(?:[[#$>=*-]|Exit code)/

/** Names in the arguments of a call that say what it is about; contents of files are left out. */
export function actionNames(input: Json | undefined): FoundName[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return []
  const paths = pathsOf(input).map((text): FoundName => ({ kind: 'path', text }))
  const texts = [input.pattern, input.query, input.url, input.glob, input.regex]
  const named = texts.flatMap((text) => (typeof text === 'string' ? namesIn(text, 'prose') : []))
  return [...paths, ...namesInCommand(commandOf(input)), ...named]
}

const maxCommandRead = 1000

/** Arguments in quotes and here-documents are read as prose: commit messages, texts of issues. */
function namesInCommand(command: string): FoundName[] {
  const line = truncate(command, maxCommandRead)
  const code = line.replace(/<<[\s\S]*$/, ' ').replace(/"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)/g, ' ')
  return [...namesIn(code, 'code'), ...namesIn(line, 'prose')]
}

/** Items of a task list that are not done, in the forms of Claude Code and Codex. */
function pendingTodos(input: Json | undefined): string[] | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const list = input.todos ?? input.plan
  if (!Array.isArray(list)) return undefined
  return list.slice(0, 30).flatMap((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return []
    const text = item.content ?? item.step
    return typeof text === 'string' && item.status !== 'completed' ? [oneLine(truncate(text, 200))] : []
  })
}

function addName(
  state: FactState,
  { seq, ts }: StoredEvent,
  name: FoundName,
  source: FactSource,
): NameFact | undefined {
  const text = name.kind === 'path' ? relativePath(name.text, source.cwd) : name.text
  if (isTrivial(text)) return undefined
  const known = state.names.get(text)
  const fact = known ?? { kind: name.kind, firstSeq: seq, lastSeq: seq, times: 0, at: ts }
  if (known?.lastSeq !== seq || !known) fact.times++
  fact.lastSeq = seq
  fact.at = ts
  state.names.set(text, fact)
  if (state.names.size > 2 * maxNames) state.names = newestNames(state.names)
  return fact
}

const maxNames = 400

/** Paths are written as in the project, because the summary names them so. */
export function relativePath(path: string, cwd: string | null): string {
  const plain = path.replace(/:\d+(?::\d+)?$/, '').replace(/^\.\//, '')
  if (cwd && plain.startsWith(`${cwd}/`)) return plain.slice(cwd.length + 1)
  return cwd && plain === cwd ? '' : plain
}

function isTrivial(text: string): boolean {
  return text.length < 3 || text === '/tmp' || /^\/dev\/|(?:^|\/)(?:node_modules|\.git)(?:\/|$)|^console\./.test(text)
}

function newestNames(names: FactState['names']): FactState['names'] {
  const value = ({ lastSeq, times, isSaid, isUsed, editSeq }: NameFact) =>
    lastSeq + 20 * times + (isSaid ? 300 : 0) + (isUsed ? 150 : 0) + (editSeq === undefined ? 0 : 150)
  return new Map([...names].sort(([, a], [, b]) => value(b) - value(a)).slice(0, maxNames))
}

/** Removes what was said and done since the prompts that the person took back. */
function rewind(state: FactState, undoes: number): void {
  const from = state.prompts.at(-undoes)
  if (from === undefined) return
  state.prompts = state.prompts.filter((seq) => seq < from)
  state.statements = state.statements.filter(({ seq }) => seq < from)
  state.names = new Map([...state.names].filter(([, { firstSeq }]) => firstSeq < from))
  state.errors = new Map([...state.errors].filter(([, { seq }]) => seq < from))
  state.question = null
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return
    map.delete(key)
  }
}
