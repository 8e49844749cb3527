// What a statement chooses and what it rules out: `use pnpm, never npm`. A later statement that
// rules out what an earlier one chose, or the other way round, reverses it.
import { sharedCount } from '../text/similarity.ts'
import { statementTermSet, statementTerms } from '../text/statement.ts'
import type { ConflictCertainty } from './reading.ts'
import { inEnglish } from './roles/in-english.ts'

interface Choice {
  /** Terms of the thing. */
  thing: Set<string>
  /** Terms of where, when and what for; empty if the choice is general. */
  purpose: Set<string>
}

interface Choices {
  wanted: Choice[]
  denied: Choice[]
}

/** How sure it is that `later` reverses `earlier`; undefined if it does not. */
export function reversal(later: string, earlier: string): ConflictCertainty {
  const [now, before] = [choicesIn(later), choicesIn(earlier)]
  const banned = pairsOf(now.denied, before.wanted).flatMap((pair) => certaintyOf(pair, 'sure'))
  // "Use it" does not end "never use it in the parser".
  const allowed = pairsOf(now.wanted, before.denied).flatMap((pair) => certaintyOf(pair, 'unsure'))
  const found = [...banned, ...allowed]
  return found.includes('sure') ? 'sure' : found[0]
}

/** An exception to a general rule may be one or the end of it. */
function certaintyOf([mine, theirs]: [Choice, Choice], ofGeneral: 'sure' | 'unsure'): ('sure' | 'unsure')[] {
  if (isSame(mine.purpose, theirs.purpose)) return ['sure']
  if (mine.purpose.size === 0) return [ofGeneral]
  return theirs.purpose.size === 0 ? ['unsure'] : []
}

/** Whether the statement says what to use or not to use: "never use moment". */
export function namesChoice(text: string): boolean {
  const chosen = wanting.exec(text.toLowerCase())
  return chosen !== null && statementTermSet(chosen[1]!).size > 0
}

function pairsOf(mine: readonly Choice[], theirs: readonly Choice[]): [Choice, Choice][] {
  return mine.flatMap((one) =>
    theirs.filter((other) => isSame(one.thing, other.thing)).map((other): [Choice, Choice] => [one, other]),
  )
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && sharedCount(a, b) === a.size
}

/** Kept, because one statement is compared with many. */
const known = new Map<string, Choices>()
const maxKnown = 10_000

function choicesIn(text: string): Choices {
  const read = known.get(text)
  if (read) return read
  const found = readChoices(text)
  if (known.size >= maxKnown) known.clear()
  known.set(text, found)
  return found
}

function readChoices(text: string): Choices {
  const found: Choices = { wanted: [], denied: [] }
  const said = inEnglish(text.toLowerCase().replaceAll('’', "'")).replace(
    /\b(?:because|since|so that|otherwise|due to|as (?:it|we|they|the))\b.*$/s,
    '',
  )
  for (const clause of said.split(/[,;:!?()]|\.(?:\s|$)|\s[-–—]\s|\b(?:and|but|then)\b/)) {
    const denied = denying.exec(clause)
    const chosen = wanting.exec(clause)
    if (denied) addChoice(found.denied, denied[1]!, clause.slice(denied.index + denied[0].length))
    // In "use pnpm instead of npm" and "use pnpm not npm" both are named.
    if (chosen && (!denied || chosen.index < denied.index))
      addChoice(found.wanted, chosen[1]!, denied ? '' : clause.slice(chosen.index + chosen[0].length))
  }
  return found
}

function addChoice(list: Choice[], thing: string, rest: string): void {
  const terms = statementTermSet(thing)
  if (terms.size > 0) list.push({ thing: terms, purpose: statementTermSet(rest.replace(general, ' ')) })
}

/** A thing of one to three words, up to the words that say where, when and what for. */
const end =
  '(?:for|in|on|when|with|as|to|at|by|inside|within|everywhere|from|going|again|instead|rather|over|only|not|now|any|anymore|here|please|is|are|was)'
const thing = String.raw`(?:the |our |any |an? |only |just |plain )*([\w./@+-]+(?: (?!${end}\b)[\w./@+-]+){0,2})`
const verbs = 'use|using|import|importing|install|installing|prefer|choose|pick|take|go with|rely on'
const denying = new RegExp(
  String.raw`\b(?:never|don't|dont|do not|does not|doesn't|not|no longer|no more|no|stop|avoid|quit|won't|must not|mustn't|shouldn't|should not|cannot|can't|away from|instead of|rather than|in place of)\s+(?:ever |to )?(?:(?:${verbs})\s+)?${thing}`,
)
const wanting = new RegExp(
  String.raw`\b(?:${verbs}|stick (?:with|to)|stay with|keep using|(?:go|switch|move|change|going|switching|moving)(?: back)? to|back to)\s+${thing}`,
)

/** Words that say that a choice holds from now on or everywhere: no purpose. */
const general =
  /\b(?:from now on|going forward|in (?:the )?future|again|any ?more|instead|please|now|always|everywhere|for everything|at all|ever|in (?:this|the|our) (?:repo(?:sitory)?|project|code ?base|app)|here)\b/g

/** Two choices for one purpose, surely if the statements say nothing else. */
export function differingChoice(one: string, other: string): ConflictCertainty {
  if (!choosesDifferently(one, other)) return undefined
  // In one place several things may be used.
  if (choiceFor(one)?.isPlace) return 'unsure'
  const isShort = (text: string) => statementTermSet(text).size <= 3
  return isShort(one) && isShort(other) ? 'sure' : 'unsure'
}

/**
 * Two rules with different choices for the same purpose: `use tabs for indentation`, `use spaces
 * for indentation`.
 */
export function choosesDifferently(one: string, other: string): boolean {
  const [mine, theirs] = [choiceFor(one), choiceFor(other)]
  if (!mine || !theirs || mine.purpose.size === 0 || mine.isPlace !== theirs.isPlace) return false
  return isSame(mine.purpose, theirs.purpose) && sharedCount(mine.thing, theirs.thing) === 0
}

type ChoiceInPlace = Choice & { isPlace: boolean }

/** Kept as well. */
const knownPurposes = new Map<string, ChoiceInPlace | undefined>()

function choiceFor(text: string): ChoiceInPlace | undefined {
  if (knownPurposes.has(text)) return knownPurposes.get(text)
  if (knownPurposes.size >= maxKnown) knownPurposes.clear()
  const found = readChoiceFor(text)
  knownPurposes.set(text, found)
  return found
}

/** Reads a single clause "use X for Y"; longer rules may have reasons of their own. */
function readChoiceFor(text: string): ChoiceInPlace | undefined {
  const clause = inEnglish(text.trim().toLowerCase())
    .replace(/[.!]+$/, '')
    .split(/[,;(]|\s(?:because|since|instead of|rather than)\s/)[0]!
  const match =
    /\b(?:(?:use|prefer|choose|pick)s?|(?:switch|mov|migrat)(?:e|ed|ing)? (?:over )?to)\s+(.{1,40}?)\s+(for|in|as|to|with|when|between)\s+(.{1,60})$/i.exec(
      clause,
    )
  if (!match || statementTerms(clause).isNegative) return undefined
  const [chosen, purpose] = [statementTermSet(match[1]!), statementTermSet(match[3]!)]
  const isPlace = match[2]!.toLowerCase() === 'in'
  return chosen.size > 0 && chosen.size <= 3 ? { thing: chosen, purpose, isPlace } : undefined
}

/** The things that a statement chooses and rules out, as keys to find statements about the same. */
export function choiceKeys(text: string): { wanted: string[]; denied: string[] } {
  const { wanted, denied } = choicesIn(text)
  return { wanted: wanted.map(({ thing: one }) => keyOf(one)), denied: denied.map(({ thing: one }) => keyOf(one)) }
}

export function thingKey(thing: string): string {
  return keyOf(statementTermSet(thing))
}

function keyOf(terms: ReadonlySet<string>): string {
  return [...terms].sort().join(' ')
}

/** Terms of the thing that a statement chooses; undefined if it chooses none or several. */
export function choiceOf(text: string): Set<string> | undefined {
  const { wanted } = choicesIn(text)
  return wanted.length === 1 ? wanted[0]!.thing : undefined
}
