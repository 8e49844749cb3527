// What a session depends on, gathered event by event: the person's statements, commands that worked,
// paths, identifiers, values, and what is still open. The state is small plain data, so that the
// worker can continue it where it stopped, and a turn costs only its own events.
import { commandOf, pathsOf } from '../core/commands.ts'
import { pathInside } from '../core/paths.ts'
import type { Json } from '../core/session.ts'
import { commandNames, commandToBlame } from '../digest/command-names.ts'
import { fingerprintError } from '../digest/fingerprint.ts'
import { closingQuestion } from '../digest/reply-end.ts'
import { foldTasks } from '../digest/task-list.ts'
import { userTextOf } from '../learn/user-text.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { splitSentences } from '../text/sentences.ts'
import { oneLine, truncate, truncateMiddle, truncateStart } from '../text/truncate.ts'
import { isRoutine, withoutFilters } from './commands.ts'
import type { FactState, NameFact } from './fact-state.ts'
import { type FoundName, maxNameLength, namesIn } from './names.ts'
import { statementsIn, typedSentences } from './statements.ts'
import { maxSummary } from './summary.ts'

export interface FactSource {
  agent: string
  cwd: string | null
}

/** Applies one event to the state in place, as `foldEvent` of a digest does. */
export function foldFacts(state: FactState, event: StoredEvent, source: FactSource): void {
  state.through = event.seq + 1
  if (event.undoes) rewind(state, event.undoes)
  foldSummary(state, event)
  state.tasks = foldTasks(state.tasks, event)
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
  if (kind === 'compaction') state.summary = { text: truncate(text, maxSummary), isComplete: false }
  else if (kind === 'context' && state.summary?.isComplete === false)
    state.summary.text = truncate(`${state.summary.text}\n${text}`, maxSummary)
  else if (kind === 'reply' || kind === 'tool_call') state.summary = null
  else if (state.summary) state.summary.isComplete = true
}

const maxWords = 8000
const maxReply = 4000
const maxSentence = 240
const maxCommand = 300

/** What a person wrote: sentences that may bind the agent, and the names in all of it. */
function foldWords(state: FactState, event: StoredEvent, words: string, source: FactSource): void {
  if (event.kind === 'prompt') state.prompts = [...state.prompts, event.seq].slice(-20)
  state.question = null
  const prompt = truncateMiddle(words, maxWords)
  for (const statement of statementsIn(prompt, state.lastReply)) {
    if (state.statements.some(({ text }) => text === statement.text)) continue
    state.statements.push({ ...statement, seq: event.seq, at: event.ts })
  }
  if (state.statements.length > 2 * maxStatements)
    state.statements = state.statements.toSorted((a, b) => b.score - a.score).slice(0, maxStatements)
  for (const name of namesIn(prompt, 'prose')) {
    const fact = addName(state, event, name, source)
    if (fact) Object.assign(fact, { isSaid: true, isUsed: true })
  }
  for (const sentence of typedSentences(prompt)) explainNames(state, sentence, source)
}

const maxStatements = 40

function foldReply(state: FactState, event: StoredEvent, source: FactSource): void {
  const end = truncateStart(event.text, maxReply)
  state.lastReply = end
  const question = closingQuestion(end)
  state.question = question && !question.isOffer ? { text: question.text, seq: event.seq, at: event.ts } : null
  for (const sentence of splitSentences(end)) {
    for (const name of namesIn(sentence, 'prose')) addName(state, event, name, source)
    explainNames(state, sentence, source, false)
  }
}

/** Remembers the sentence with its names; of the agent's, unless the person wrote one. */
function explainNames(state: FactState, sentence: string, source: FactSource, isTyped = true): void {
  const text = oneLine(sentence)
  if (!explains(text)) return
  for (const name of namesIn(sentence, 'prose')) {
    const fact = state.names.get(keyOf(name, source))
    if (fact && (isTyped || !fact.isTyped)) Object.assign(fact, { sentence: text }, isTyped ? { isTyped } : {})
  }
}

/** Rows of tables, links, code and announcements explain no name. */
function explains(sentence: string): boolean {
  if (sentence.length > maxSentence || !/[.!?)`*]$/.test(sentence)) return false
  return (
    (sentence.match(plainWords)?.length ?? 0) >= 4 && !/\]\(|\||^(?:Let me|Now|I'll|I will|\/\/|#|\*\s)/.test(sentence)
  )
}

const plainWords = /(?<![\w.])[A-Za-z][a-z]+(?![\w.(])/g

function foldCall(state: FactState, event: StoredEvent, source: FactSource): void {
  const command = truncate(commandOf(event.input), maxCommandRead).trim()
  if (event.call) state.openCalls.set(event.call, { command, tool: event.tool ?? '' })
  dropOldest(state.openCalls, 50)
  for (const name of actionNames(event.input)) {
    const fact = addName(state, event, name, source)
    if (fact) fact.isUsed = true
  }
}

function foldResult(state: FactState, event: StoredEvent): void {
  const call = state.openCalls.get(event.call ?? '')
  state.openCalls.delete(event.call ?? '')
  const command = call?.command ?? ''
  const names = commandNames(command)
  const what = commandToBlame(names)
  if (event.error === 'denied' || event.error === 'cancelled') return
  if (event.error || (event.exit ?? 0) !== 0 || (event.tests?.failed ?? 0) > 0) {
    if (what === '' || isRoutine(command) || command.includes('\n') || command.length > maxCommand) return
    const line = oneLine(fingerprintError(event.text, what).message)
    const message = isHeading.test(line) ? '' : line
    state.errors.delete(what)
    state.errors.set(what, { command, message, open: names, seq: event.seq, at: event.ts })
    dropOldest(state.errors, 10)
    return
  }
  resolveErrors(state, names)
  if (command !== '' && !command.includes('\n') && command.length <= maxCommand && !isRoutine(command)) {
    const key = withoutFilters(command)
    const times = (state.commands.get(key)?.times ?? 0) + 1
    state.commands.delete(key) // the newest stand last
    state.commands.set(key, { text: command, lastSeq: event.seq, times, at: event.ts })
    dropOldest(state.commands, 80)
  }
}

/** A failed `test && lint` is over when both have passed. */
function resolveErrors(state: FactState, passed: readonly string[]): void {
  for (const [what, error] of state.errors) {
    error.open = error.open.filter((name) => !passed.includes(name))
    if (error.open.length === 0) state.errors.delete(what)
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

function addName(
  state: FactState,
  { seq, ts }: StoredEvent,
  name: FoundName,
  source: FactSource,
): NameFact | undefined {
  const text = keyOf(name, source)
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

function keyOf({ kind, text }: FoundName, { cwd }: FactSource): string {
  return kind === 'path' ? relativePath(text, cwd) : text
}

/** Paths are written as in the project, because the summary names them so. */
export function relativePath(path: string, cwd: string | null): string {
  const plain = path.replace(/:\d+(?::\d+)?$/, '').replace(/^\.\//, '')
  if (cwd === null) return plain
  return plain === cwd ? '' : (pathInside(cwd, plain) ?? plain)
}

function isTrivial(text: string): boolean {
  return (
    text.length < 3 ||
    text.length > maxNameLength ||
    text === '/tmp' ||
    /^\/dev\/|(?:^|\/)(?:node_modules|\.git)(?:\/|$)|^console\.|^repos\//.test(text)
  )
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
