// The facts of a session that its summary does not contain, with what each is expected to be worth.
import { commandNames } from '../digest/command-names.ts'
import { isOpen } from '../digest/task-list.ts'
import { tellCommand, tellLines } from '../gate/gate.ts'
import { printedForm } from '../gate/printed.ts'
import { estimateTokens } from '../text/tokens.ts'
import type { DroppedFact, FactKind } from './fact.ts'
import type { FactState, NameFact } from './fact-state.ts'
import { commandFeatures, type FactWeights, fittedWeights, likelihood, nameFeatures } from './likelihood.ts'
import { hasName, mentionsName, statementFinder } from './mentions.ts'

export interface FactComparison {
  /** The text that replaced the events; undefined before it is known. */
  summary?: string | undefined
  /** The agent itself keeps the person's prompts in its context. */
  keepsPrompts?: boolean
  weights?: FactWeights
}

export interface FactCandidate {
  fact: DroppedFact
  tokens: number
  /** Expected use of the fact itself, without the names in it. */
  value: number
  /** Dropped names that it contains. */
  names: string[]
  /** Facts of a group share a part of the budget. */
  group: FactGroup
  /** Of several facts of a family, such as calls of one program, the further ones are worth less. */
  family?: string
}

export type FactGroup = 'words' | 'open' | 'commands' | 'sentences' | 'names'

export interface FactCandidates {
  facts: Set<FactCandidate>
  /** How likely each dropped name is needed. */
  names: Map<string, number>
}

export function factCandidates(state: FactState, options: FactComparison): FactCandidates {
  const { summary = '', keepsPrompts, weights = fittedWeights } = options
  const names = droppedNames(state, options)
  const known = [...names.keys()]
  const isMentioned = statementFinder(summary)
  const facts = new Set<FactCandidate>()
  const add = (fact: DroppedFact, group: FactGroup, value = 0, family?: string) => {
    const text = `${fact.text} ${fact.detail ?? ''}`
    const tokens = estimateTokens(text) + frameTokens[fact.kind]
    const own = known.filter((name) => (fact.kind === 'path' ? fact.text.endsWith(name) : hasName(text, name)))
    facts.add({ fact, tokens, value, names: own, group, ...(family === undefined ? {} : { family }) })
  }
  for (const { kind, text, seq, at, score } of keepsPrompts ? [] : state.statements)
    if (!isMentioned(text)) add({ kind, text, seq, at, times: 1, isSaid: true }, 'words', score)
  for (const [key, { text, lastSeq: seq, at, times }] of state.commands) {
    if (summary.includes(key) || !isTold(text)) continue
    const value = likelihood(commandFeatures({ lastSeq: seq }, state), weights)
    add({ kind: 'command', text, seq, at, times }, 'commands', value, commandNames(text).join(' '))
  }
  for (const { command: text, message, seq, at } of state.errors.values()) {
    if (!isTold(text)) continue
    const detail = printedForm(message, text)
    const isLate = seq >= (state.prompts.at(-2) ?? 0)
    if (isLate && (message === '' || !summary.includes(message)))
      add({ kind: 'error', text, ...(detail === '' ? {} : { detail }), seq, at, times: 1 }, 'open', openValue)
  }
  const tasks = state.tasks.filter(isOpen).map(({ text }) => ({ text, seq: state.through - 1, at: null }))
  for (const open of state.question ? [...tasks, state.question] : tasks)
    if (!isMentioned(open.text))
      add({ kind: 'open end', ...open, text: tellLines(open.text, 'agent'), times: 1 }, 'open', openValue)
  for (const text of known) addNameFact(text, state.names.get(text)!, add)
  return { facts, names }
}

/** The session ran its programs itself, so it may be told how. */
function isTold(command: string): boolean {
  return 'told' in tellCommand(command, commandNames(command))
}

function droppedNames(state: FactState, options: FactComparison): Map<string, number> {
  const { summary = '', keepsPrompts, weights = fittedWeights } = options
  const dropped = [...state.names].filter(
    ([text, { kind, isSaid }]) => !(keepsPrompts && isSaid) && !mentionsName(summary, text, kind),
  )
  return new Map(dropped.map(([text, fact]) => [text, likelihood(nameFeatures(fact, state), weights)]))
}

function addNameFact(text: string, name: NameFact, add: (fact: DroppedFact, group: FactGroup) => void): void {
  const { kind, lastSeq: seq, at, times, sentence: detail, isTyped, editSeq } = name
  const fact: DroppedFact = { kind, text, seq, at, times, ...(isTyped ? { isSaid: true } : {}) }
  if (kind === 'path') add({ ...fact, ...(editSeq === undefined ? {} : { isEdited: true }) }, 'names')
  // Without the sentence that explains it a value says nothing.
  else if (detail) add({ ...fact, text: tellLines(detail, isTyped ? 'person' : 'agent'), name: text }, 'sentences')
  else if (kind === 'identifier' && times > 1) add(fact, 'names')
}

/** What is unfinished is likely to be continued. */
const openValue = 0.5

/** Tokens of the words around a fact when it is rendered. */
const frameTokens: Record<FactKind, number> = {
  constraint: 9,
  decision: 9,
  command: 7,
  path: 1,
  identifier: 2,
  value: 9,
  'open end': 7,
  error: 12,
}
