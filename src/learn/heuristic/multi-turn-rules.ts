// Finds rules that are agreed over several turns: the agent asks or proposes, the user answers, and
// each answer contains a part of the rule. Together they are one memory in the user's words.
import { maxMemoryLength } from '../../memory/memory.ts'
import { agentInterpretation, agreedStatement, isAnchor, isAnswer, isAssent, isStated } from './answers.ts'
import { attributesOf } from './attributes.ts'
import type { DialogueTurn, WindowLearning } from './dialogue.ts'
import { retractedSubject } from './retraction.ts'
import type { ScoredSentence } from './score-sentences.ts'

/** Only what the exchanges from `from` on add: earlier parts of the rule were reported before. */
export function multiTurnRules(turns: DialogueTurn[], from: number): WindowLearning[] {
  const rulings = rulingsIn(turns)
  const isTold = rulingsIn(turns.slice(0, from)).length > 0
  const isNew = ({ turn }: Ruling) => turn.exchange >= from
  if (!rulings.some(isNew)) return []
  return packRulings(turns, isTold ? rulings.filter(isNew) : rulings)
}

interface Ruling {
  turn: DialogueTurn
  said: ScoredSentence[]
}

/** A single answer is not enough; with a second one it is a discussion. */
function rulingsIn(turns: DialogueTurn[]): Ruling[] {
  if (!turns.some(isAnchor)) return []
  const answers = turns.filter((turn) => isAnchor(turn) || isAnswer(turn))
  if (answers.length < 2) return []
  const rulings = answers
    .map((turn) => ({ turn, said: turn.said.filter((one) => isStated(one) && !isRetraction(one)) }))
    .filter(({ said }) => said.length > 0)
  return rulings.length < 2 || isTaskTalk(rulings) ? [] : withoutRetracted(rulings)
}

/** Takes a memory back and says nothing else. */
function isRetraction({ sentence }: ScoredSentence): boolean {
  return retractedSubject(sentence.text) !== undefined
}

/** Users who mostly give orders and report errors are working on a task. */
function isTaskTalk(rulings: Ruling[]): boolean {
  const said = rulings.flatMap(({ turn }) => turn.said)
  return said.filter(isOfTask).length > said.length * maxOfTask
}

const maxOfTask = 0.25

function isOfTask({ sentence, features }: ScoredSentence): boolean {
  if (['orders', 'lets', 'canYou', 'weTask', 'besidePaste'].some((name) => features.has(name))) return true
  return ordering.test(sentence.plain)
}

const ordering =
  /^(?:i (?:want|need) (?:you )?to|i'd like|please|ok,? (?:add|make|do)|add|apply|rework|run|fix|implement|create|update|rename|move|go)\b|\[error\]|^npm |\bcommitted it\b/

/** Drops answers that a later one retracts. */
function withoutRetracted(rulings: Ruling[]): Ruling[] {
  return rulings.filter((_, index) => {
    const next = rulings[index + 1]
    return next === undefined || !next.said.some(({ sentence }) => retracts.test(sentence.plain))
  })
}

const retracts =
  /\b(?:scratch that|forget (?:that|what i said)|on second thoughts?|changed my mind|i was wrong|i take that back|never ?mind what i said)\b/

/** As few memories as possible, each beginning with the topic. */
function packRulings(turns: DialogueTurn[], rulings: Ruling[]): WindowLearning[] {
  const topic = topicOf(turns)
  const groups: { lines: string[]; rulings: Ruling[] }[] = []
  for (const ruling of rulings) {
    const line = lineOf(ruling, turns.slice(0, ruling.turn.exchange))
    const last = groups.at(-1)
    if (last !== undefined && [topic, ...last.lines, line].join(' ').length <= maxMemoryLength) {
      last.lines.push(line)
      last.rulings.push(ruling)
    } else groups.push({ lines: [line], rulings: [ruling] })
  }
  return groups.map(({ lines, rulings }) => learningFrom(topic, lines, rulings))
}

function learningFrom(topic: string, lines: string[], rulings: Ruling[]): WindowLearning {
  const { turn, said } = rulings.at(-1)!
  const best = strongest(rulings.flatMap(({ said }) => said))
  const { sentence } = strongest(said)
  return {
    exchange: turn.exchange,
    learning: {
      ...attributesOf('decision', best.features, best.score),
      status: 'settled',
      // Less certain than an explicit statement.
      importance: 0.6,
      text: `${topic === '' ? '' : `${topic}: `}${lines.join(' ')}`.slice(0, maxMemoryLength),
      quote: turn.prompt.slice(sentence.start, sentence.end),
      why: null,
    },
  }
}

function strongest(said: ScoredSentence[]): ScoredSentence {
  return said.reduce((a, b) => (b.score > a.score ? b : a))
}

/**
 * Adds what the agent asked to an answer that cannot be read alone, and the agent's interpretation
 * to a very short one.
 */
function lineOf({ turn, said }: Ruling, earlier: DialogueTurn[]): string {
  const words = wordsOf(turn.prompt, said)
  const isAgreed = isAssent(said[0]!.sentence)
  const leansBack = words.length < 100 && (needsContext.test(said[0]!.sentence.plain) || words.length < 25)
  const asked = isAgreed ? agreedStatement(turn, earlier) : leansBack ? turn.offer.slice(0, 160) : ''
  const taken = words.length < 60 && !isAgreed ? agentInterpretation(turn) : ''
  return [asked === '' ? '' : `[agent: ${asked}]`, words, taken].filter((part) => part !== '').join(' ')
}

/** The user's words as written; neighbouring sentences keep the text between them. */
function wordsOf(prompt: string, said: ScoredSentence[]): string {
  const runs: { start: number; end: number; last: number }[] = []
  for (const { sentence } of said) {
    const run = runs.at(-1)
    const isNext = run !== undefined && run.last + 1 === sentence.index && sentence.start - run.end < 10
    if (isNext) Object.assign(run, { end: sentence.end, last: sentence.index })
    else runs.push({ start: sentence.start, end: sentence.end, last: sentence.index })
  }
  return runs.map(({ start, end }) => prompt.slice(start, end).replace(/\s+/g, ' ').replace(/[;,]$/, '.')).join(' ')
}

const needsContext =
  /^(?:no|not|nope|yes|yeah|exactly|right|correct|agreed|drop|keep|reject|remove|it|they|them|that|this|those|these|both|neither|all|same)\b/

/**
 * The most frequent identifiers and the user's first sentences: makes the memory searchable and
 * readable alone.
 */
function topicOf(turns: DialogueTurn[]): string {
  const [first] = turns
  const opening = first === undefined || first.offer !== '' ? [] : first.said.filter(isStated)
  const began = opening.map(({ sentence }) => sentence.text).join(' ')
  return [namesIn(turns).join(', '), began.slice(0, 250)].filter((part) => part !== '').join(' - ')
}

function namesIn(turns: DialogueTurn[]): string[] {
  const counts = new Map<string, number>()
  const sentences = turns.flatMap(({ said, before }) => [...said.map(({ sentence }) => sentence), ...before])
  for (const { text } of sentences) {
    for (const [name] of text.matchAll(identifiers)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name]) => name)
}

const identifiers =
  /\b[a-z]\w*_\w+\b|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[a-z]+[A-Z]\w*|\b[\w-]+\.(?:py|ts|go|js|rs|md|toml|json|ya?ml)\b/g
