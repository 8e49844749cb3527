// Selects what is quoted of a talk, in the order in which it is shown. A question for a cause or a
// fix is answered with what the agent found, then with rules on the subject; any other with what was
// stated, the decision first where one is asked for.
import { estimateTokens } from '../text/tokens.ts'
import type { QuotedPiece } from './argument.ts'
import { isQuestion, prescribes } from './assertiveness.ts'
import type { TalkExplanation } from './explanations.ts'
import { asksForAnswer, asksForCause, intentOf, subjectShare } from './question.ts'
import { selectSentences } from './select-sentences.ts'
import type { TalkTopic } from './topics.ts'

/** Shares of the budget for explanations, before and after what was stated. */
const leadingShare = 0.7
const followingShare = 0.3
/** Share for an explanation that is followed by one nearly as good. */
const firstShare = 0.6
/**
 * Limit of explanations of a talk, and the share of the best score that each needs. An earlier one
 * than the best is quoted only if it was confirmed: the last that held counts.
 */
const maxExplanations = 2
const minShareOfBest = 0.7

/** Each part is quoted together. `elsewhere` are words that were quoted already. */
export function selectParts(
  { pieces, explanations }: Pick<TalkTopic, 'pieces' | 'explanations'>,
  query: string,
  maxTokens: number,
  elsewhere: ReadonlySet<string>,
): QuotedPiece[][] {
  const intent = intentOf(query)
  const known = new Set(elsewhere)
  const best = explanations[0]?.score ?? 0
  const found = explanations
    .slice(0, maxExplanations)
    .filter(({ score }) => score >= best * minShareOfBest)
    .filter((one) => one.isConfirmed || one.from >= explanations[0]!.from)
  const shareOf = subjectShare(query)
  const isAbout = ({ asked, text, relevance }: QuotedPiece) => relevance ?? shareOf(`${asked} ${text}`)
  if (asksForCause(intent)) {
    const lead = explain(found, maxTokens * leadingShare, known)
    const quoted = new Set(lead.flat().map(({ text }) => text))
    const isNear = (piece: QuotedPiece) =>
      isInstruction(piece) && found.some(({ from, to }) => piece.seq >= from && piece.seq <= to)
    const rules = pieces.filter(
      (one) => isRule(one) && !quoted.has(one.text) && (isNear(one) || isAbout(one) >= minSubjectShare),
    )
    const others = lead.length === 0 ? pieces : rules
    const rest = selectSentences(others, maxTokens - tokensOf(lead.flat()), known)
    // A rule of the person says more than a plain statement of the agent.
    const isPlain = lead.flat().every(({ part }) => part === 'answer')
    return (isPlain ? [rest, ...lead] : [...lead, rest]).filter(isNotEmpty)
  }
  if (asksForAnswer(intent)) {
    const own = pieces.filter((one) => one.role === 'user' && !isQuestion(one.text))
    const decision = intent === 'decision' ? lastWord(own, isAbout) : undefined
    if (decision) addWords(known, [decision])
    const lead = explain(found.slice(0, maxAnswers), Math.min(maxTokens * leadingShare, maxAnswerTokens), known)
    const quoted = new Set(lead.flat().map(({ text }) => text))
    const others = (lead.length === 0 && !decision ? pieces : own).filter(
      (one) => one !== decision && !quoted.has(one.text) && (lead.length === 0 || shareOf(one.text) >= minSubjectShare),
    )
    const left = maxTokens - tokensOf([...(decision ? [decision] : []), ...lead.flat()])
    const rest = selectSentences(others, lead.length === 0 ? left : Math.min(left, maxOtherTokens), known)
    return [decision ? [decision] : [], ...lead, rest].filter(isNotEmpty)
  }
  const stated = selectSentences(pieces, maxTokens * (found.length > 0 ? 1 - followingShare : 1), known)
  addWords(known, stated)
  return [stated, ...explain(found, maxTokens - tokensOf(stated), known)].filter(isNotEmpty)
}

/** Limits of the answers to a question, and of what else the person said on the subject. */
const maxAnswers = 2
const maxAnswerTokens = 260
const maxOtherTokens = 120

/**
 * Beside a cause, only rules on the same subject or in answer to it are worth reading, not the
 * complaints about it.
 */
function isRule({ role, firmness }: QuotedPiece): boolean {
  return role === 'user' && firmness >= minRuleFirmness
}

const minRuleFirmness = 1.5

/** What the person says in answer to an explanation is short, unless it is about something else. */
function isInstruction({ text }: QuotedPiece): boolean {
  return text.length <= maxInstructionLength && !isQuestion(text) && !/https?:|[=<>{}]/.test(text)
}

const maxInstructionLength = 120
const minSubjectShare = 0.4

/** The last statement of the person that prescribes or agrees, among those most about the subject. */
function lastWord(stated: QuotedPiece[], isAbout: (piece: QuotedPiece) => number): QuotedPiece | undefined {
  const binding = stated.filter(({ text, asked }) => prescribes(text) || decides.test(text) || asked !== '')
  const most = Math.max(0, ...binding.map(isAbout))
  return most < minDecisionShare ? undefined : binding.findLast((piece) => isAbout(piece) >= most * 0.7)
}

const minDecisionShare = 0.3

/** "ok, let's call it …", "use …, not …". */
const decides =
  /^(?:(?:ok(?:ay)?|yes|yeah|no|right|so|then)[,. ]+)*(?:let'?s|use|keep|go with|drop|rename|make it|call it|don'?t|do not|never|always|no)\b/i

/** Adds the words of what it selects to `known`. */
function explain(explanations: TalkExplanation[], maxTokens: number, known: Set<string>): QuotedPiece[][] {
  let left = maxTokens
  const quoted = new Set<string>()
  return explanations
    .map(({ pieces: all }, index) => {
      const best = Math.max(...all.map(({ firmness }) => firmness))
      const pieces = all
        .filter(({ text }) => !quoted.has(text))
        .map((piece) => ({ ...piece, firmness: (piece.firmness * leadingFirmness) / best }))
      for (const { text } of pieces) quoted.add(text)
      const isLast = index === explanations.length - 1
      const selected = selectSentences(pieces, isLast ? left : left * firstShare, known)
      left -= tokensOf(selected)
      addWords(known, selected)
      return causeFirst(selected)
    })
    .filter(isNotEmpty)
}

/** Firmness of the best sentence of an explanation: how well it answers was decided before. */
const leadingFirmness = 2

/** A summary often lists the changes before it names the cause. */
function causeFirst(pieces: QuotedPiece[]): QuotedPiece[] {
  return [...pieces.filter(({ part }) => part !== 'fix'), ...pieces.filter(({ part }) => part === 'fix')]
}

function addWords(known: Set<string>, pieces: QuotedPiece[]): void {
  for (const { words } of pieces) for (const word of words.keys()) known.add(word)
}

/** With the label of the line. */
function tokensOf(pieces: QuotedPiece[]): number {
  return pieces.reduce((sum, { text, asked, followed }) => sum + estimateTokens(`${asked}${text}${followed}`) + 8, 0)
}

function isNotEmpty(part: QuotedPiece[]): boolean {
  return part.length > 0
}
