// Reads why something failed, as the agent explained it. A cause counts if files were changed and tests
// passed, something was committed or the person agreed, before or after it was named; one that is named
// in so many words counts also without. It is dropped if the person objects next or the agent takes it back.
import { isCorrection, speechAct } from '../digest/classify-prompt.ts'
import type { PassingSignals } from '../digest/passing-signals.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { contentWords } from '../text/content-words.ts'
import { withoutEmphasis } from '../text/markdown.ts'
import {
  classified,
  type FunctionalSentence,
  isRetraction,
  isSpeculation,
  mayBeCause,
  type PlacedSentence,
  placedSentences,
} from '../text/sentence-function.ts'
import { jaccard } from '../text/similarity.ts'
import { statementTermSet } from '../text/statement.ts'
import { ended, isFiller } from './prose.ts'

export interface CauseReader {
  /** Takes the events in order, each with the signals behind it. */
  read(event: StoredEvent, signals: PassingSignals): void
  /** The causes that hold, in their order. */
  causes(): string[]
}

interface CauseClaim extends ExplainedFailure {
  seq: number
  promptSeq: number
  promptNumber: number
  isConfirmed: boolean
}

export function causeReader(): CauseReader {
  let claims: CauseClaim[] = []
  let prompt = { seq: -1, number: 0 }
  const confirm = (isWanted: (claim: CauseClaim) => boolean) => {
    for (const claim of claims)
      if (prompt.number - claim.promptNumber <= maxPromptsBetween && isWanted(claim)) claim.isConfirmed = true
  }
  const readPrompt = (event: StoredEvent, edit: number) => {
    const act = speechAct(event.text)
    if (isCorrection(act)) claims = claims.filter(({ promptNumber }) => promptNumber < prompt.number)
    if (act === 'approval') confirm(({ promptSeq }) => edit > promptSeq)
    prompt = { seq: event.seq, number: prompt.number + 1 }
  }
  const readReply = (event: StoredEvent, signals: PassingSignals) => {
    const sentences = placedSentences(event.text.replaceAll('’', "'"))
    if (sentences.some(({ text }) => isRetraction(text)))
      claims = claims.filter(({ isConfirmed, promptNumber }) => isConfirmed || promptNumber < prompt.number - 1)
    const edit = signals.edit ?? -1
    const passed = Math.max(signals.test?.isOk ? signals.test.seq : -1, signals.commit ?? -1)
    const isConfirmed = edit > prompt.seq && passed > edit
    const place = { seq: event.seq, promptSeq: prompt.seq, promptNumber: prompt.number, isConfirmed }
    claims.push(...explainedFailures(sentences).map((failure) => ({ ...failure, ...place })))
  }
  return {
    read(event, signals) {
      const edit = signals.edit ?? -1
      if (event.kind === 'prompt') readPrompt(event, edit)
      if (event.kind === 'reply') readReply(event, signals)
      const hasPassed = (signals.test?.seq === event.seq && signals.test.isOk) || signals.commit === event.seq
      if (hasPassed) confirm((claim) => edit > claim.seq)
    },
    causes: () => toldCauses(claims),
  }
}

/** A cause that nothing confirmed for so long is not confirmed by what comes later. */
const maxPromptsBetween = 2
const maxCauses = 4
const maxUnconfirmed = 2
/** How clearly a cause is named that nothing has confirmed. */
const minExplicit = 2

/** The clearest ones; of several that say the same, and of equally clear ones, the later. */
function toldCauses(claims: readonly CauseClaim[]): string[] {
  const explicit = claims.filter(({ isConfirmed, strength }) => !isConfirmed && strength >= minExplicit)
  const holding = [...claims.filter(({ isConfirmed }) => isConfirmed), ...explicit.slice(-maxUnconfirmed)]
  const ordered = holding.toSorted(
    (a, b) => Number(b.isConfirmed) - Number(a.isConfirmed) || b.strength - a.strength || b.seq - a.seq,
  )
  const told: CauseClaim[] = []
  for (const claim of ordered) {
    const terms = statementTermSet(claim.text)
    if (told.some((other) => jaccard(statementTermSet(other.text), terms) >= 0.5)) continue
    if (told.length < maxCauses) told.push(claim)
  }
  return told.toSorted((a, b) => a.seq - b.seq).map(({ text }) => text)
}

interface ExplainedFailure {
  text: string
  strength: number
}

/** Causes of failures, each with the sentence before it that it refers to and the next one if that names the fix. */
function explainedFailures(sentences: readonly PlacedSentence[]): ExplainedFailure[] {
  return sentences.flatMap((placed, at) => {
    if (!mayExplainFailure(placed.text) || !mayBeCause(placed, minStrength)) return []
    const sentence = classified(placed)
    if (sentence.function !== 'cause' || sentence.strength < minStrength) return []
    const isDependent = pointsBack.test(sentence.text)
    const before = isDependent && isSubject(sentences[at - 1]) ? sentences[at - 1] : undefined
    if (isDependent && !before && contentWords(sentence.text).length < minWordsAlone) return []
    const next = sentences[at + 1]
    const isFix = isUsable(next) && next.place === sentence.place + 1 && classified(next).function === 'fix'
    const fix = isFix ? next : undefined
    const parts = [before, sentence, fix].filter((part) => part !== undefined)
    return { text: parts.map(({ text }) => asSentence(text)).join(' '), strength: sentence.strength }
  })
}

/** What can be told without reading the function of the sentence. */
function mayExplainFailure(text: string): boolean {
  if (text.length < minLength || text.length > maxLength || /[:：]$/.test(text)) return false
  if (!failure.test(text) || isOwnDraft.test(text)) return false
  return isBalanced(text) && hasVerb.test(text) && !isSpeculation(text) && !isTrivial.test(text)
}

/** A part of a sentence has brackets that are not closed or opened. */
function isBalanced(text: string): boolean {
  return text.split('(').length === text.split(')').length
}

function asSentence(text: string): string {
  const plain = withoutEmphasis(text)
  return ended(`${plain.charAt(0).toUpperCase()}${plain.slice(1)}`)
}

/** What a sentence that begins with "this" may refer to. */
function isSubject(sentence: PlacedSentence | undefined): boolean {
  return isUsable(sentence) && !noSubjects.has(classified(sentence).function)
}

const noSubjects: ReadonlySet<FunctionalSentence['function']> = new Set(['evidence', 'progress', 'question', 'plan'])

/** A sentence with so many words says what it is about, even if it begins with "this". */
const minWordsAlone = 12

function isUsable(sentence: PlacedSentence | undefined): sentence is PlacedSentence {
  return (
    sentence !== undefined && sentence.text.length <= 200 && !/[:：]$/.test(sentence.text) && !isFiller(sentence.text)
  )
}

/** More than a sentence that only says "so". */
const minStrength = 1.2
const minLength = 45
const maxLength = 320
const failure =
  /\b(?:fail\w*|br[eo]ke?n?|breaks|crash\w*|errors?|errored|hangs?|hung|stuck|never|missing|wrong\w*|empty|ignor\w+|skipp\w+|los[est]\w*|stale|blocks?|blocked|reject\w*|denied|leak\w*|corrupt\w*|regress\w*|slow\w*|unbounded|overwr\w+|no longer|cannot|can't|not|\w+n't|nothing|race|deadlock\w*|duplicat\w+|invalid|unreachable|silently|dropp\w+|drops|strips|stripped|time[sd]? out|bugs?|culprit|root cause|mismatch\w*|truncat\w+)\b/i
const hasVerb = /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|\w+(?:ed|es|[^s]s))\b|n't\b/i
const pointsBack =
  /^(?:\w+ ){1,2}(?:it|them)\b|^(?:so|these|those|this|that|it|they|but|and|or|also|then|here|which|both|same)\b/i
/** Code that was just being written, and what is about to be done. */
const isOwnDraft =
  /\bmy\b|\b(?:simplest|best|easiest|only) way to\b|\b(?:earlier|previous|last) (?:patch|edit|attempt|try)\b|\btests? (?:is|are|was|were) (?:still )?(?:failing|checking|expecting)\b|\bneeds? to be\b|^an? (?:\w+ )?(?:bug|issue|problem)\b(?! (?:is|was))|\b(?:let me|i'll|i need to|i should|let's|i understand|would|will)\b/i
/** Style, which says nothing about how things work. */
const isTrivial = /\b(?:lint(?:er|ing)?|nolint|gofmt|prettier|formatting|unused (?:imports?|variables?))\b/i
