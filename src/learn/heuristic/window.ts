// Judges several exchanges together: finds rules agreed over several turns, rejected plans, and
// fixes that the user confirmed. Statements of a single exchange are found by judgeExchange and not
// repeated.
import { type Learning, maxMemoryLength } from '../../memory/memory.ts'
import { attributesOf, withAgreedTag } from './attributes.ts'
import { type DialogueTurn, turnsOf, type WindowLearning, withoutMarkdown } from './dialogue.ts'
import { judgeExchange } from './judge.ts'
import { multiTurnRules } from './multi-turn-rules.ts'
import { bestCause } from './pointers.ts'
import { type PromptInContext, type ScoredSentence, threshold } from './score-sentences.ts'
import type { Sentence } from './sentences.ts'
import { reasonIn } from './statement.ts'

/**
 * All learnings of consecutive exchanges, oldest first, alone and together. A learning of several
 * exchanges replaces a single one that it contains word for word. Exchanges before `from` were
 * judged before and only give context.
 */
export function judgeDialogue(exchanges: PromptInContext[], from = 0): WindowLearning[] {
  const together = judgeWindow(exchanges, from)
  const alone = exchanges
    .slice(from)
    .flatMap((exchange, place) => judgeExchange(exchange).map((learning) => ({ exchange: from + place, learning })))
  return [
    ...alone.filter(
      ({ learning }) => learning.isRetraction || !together.some((found) => found.learning.text.includes(learning.text)),
    ),
    ...together,
  ]
}

/** Only learnings that need several exchanges. */
export function judgeWindow(exchanges: PromptInContext[], from = 0): WindowLearning[] {
  const turns = turnsOf(exchanges)
  const rules = multiTurnRules(turns, from)
  const causes = confirmedFixes(turns, from)
  const found = [...rules, ...causes]
  if (found.length === 0) found.push(...rejectedPlans(turns, from))
  if (found.length === 0) return []
  const known = exchanges.flatMap((exchange) => judgeExchange(exchange)).map(({ text }) => text)
  return found.filter(({ learning }) => addsTo(known, learning.text))
}

/** Whether much of the text is not among the learnings of single exchanges. */
function addsTo(known: string[], text: string): boolean {
  const rest = known.reduce((left, one) => left.replace(one, ''), text)
  return rest.length >= 40 && rest.length * 3 >= text.length
}

// Plans that the user rejected with a reason: recorded so that they are not proposed again.

function rejectedPlans(turns: DialogueTurn[], from: number): WindowLearning[] {
  return turns.slice(from).flatMap((turn) => {
    const [first] = turn.said
    if (first === undefined || !rejects.test(first.sentence.plain)) return []
    if (turn.offer === '' || /\?\W*$/.test(turn.offer)) return []
    const said = turn.said.filter((one) => !asksOrDoubts(one))
    const reason = said.find(isReason)
    if (reason === undefined) return []
    const words = said.map(({ sentence }) => sentence.text).join(' ')
    const isTried = said.some(({ features }) => features.has('tried'))
    const text = `${isTried ? 'Tried and failed' : 'Refused'}: ${turn.offer.slice(0, 300)} - ${words}`
    return [
      {
        exchange: turn.exchange,
        learning: {
          ...attributesOf('decision', reason.features, reason.score),
          status: isTried ? ('tried-and-failed' as const) : ('settled' as const),
          text: text.slice(0, maxMemoryLength),
          quote: turn.prompt.slice(said[0]!.sentence.start, reason.sentence.end),
          why: reasonIn(words),
        },
      },
    ]
  })
}

const rejects =
  /^(?:no|nope|don't|do not|not that|that (?:won't|doesn't|can't|will not)|that's not|we (?:can't|don't|won't|shouldn't)|i don't want|(?:we|i)(?:'ve)? (?:already )?tried)\b(?! (?:problem|worries|need|idea))/

function isReason({ features, score }: ScoredSentence): boolean {
  const isReasoned = ['because', 'soThat', 'tried', 'cannot', 'notWork', 'noLonger', 'whereas'].some((name) =>
    features.has(name),
  )
  return isReasoned && score >= threshold - 1 && !features.has('orders')
}

function asksOrDoubts({ features }: ScoredSentence): boolean {
  return ['questionMark', 'asks', 'canYou', 'hedge', 'trailsOff'].some((name) => features.has(name))
}

// A symptom, its cause and a fix that the user confirmed become one debugging memory. Failed
// attempts on the way are kept as warnings.

function confirmedFixes(turns: DialogueTurn[], from: number): WindowLearning[] {
  const end = turns.findIndex(({ exchange, said }) => exchange >= from && said.some(isConfirmed))
  if (end < 1) return []
  const symptom = turns.slice(0, end).flatMap(symptomIn)[0]
  const cause = bestCause(turns[end]!.before)
  if (symptom === undefined || cause === null) return []
  const confirmed = turns[end]!.said.find(isConfirmed)!
  const learningFrom = (
    text: string,
    status: Learning['status'],
    turn: DialogueTurn,
    { sentence, features }: ScoredSentence,
  ): WindowLearning => ({
    exchange: turn.exchange,
    learning: {
      ...withAgreedTag(attributesOf('debugging', features, 1)),
      status,
      text: text.slice(0, maxMemoryLength),
      quote: turn.prompt.slice(sentence.start, sentence.end),
      why: null,
    },
  })
  const failed = turns.slice(1, end).flatMap((turn) => {
    const stillFails = turn.said.find(isStill)
    const tried = turn.before.filter(isAttempt).at(-1)
    return stillFails === undefined || tried === undefined ? [] : [{ turn, still: stillFails, tried }]
  })
  return [
    learningFrom(`${symptomText(symptom.sentence.text)} Cause: ${cause}`, 'settled', turns[end]!, confirmed),
    ...failed.map(({ turn, still, tried }) =>
      learningFrom(
        `${symptomText(symptom.sentence.text)} Did not help: ${withoutMarkdown(tried.text)}`,
        'tried-and-failed',
        turn,
        still,
      ),
    ),
  ]
}

/** "That fixed it", "works now": a statement about what the agent did, not a question. */
function isConfirmed({ sentence, features }: ScoredSentence): boolean {
  return !features.has('questionMark') && confirmsFix.test(sentence.plain)
}

const confirmsFix =
  /\bthat (?:fixed|solved|did|worked|helped)\b(?! not)|\b(?:works|working|passes|passing|fixed|green|fine|gone) now\b|\bnow (?:it|that|this|everything|all|the \w+) (?:works?|passes|pass|is (?:green|fixed|gone|fine))\b|\b(?:tests?|ci|build) (?:all )?(?:pass|passes|is green|are green)(?: now)?\b|\b(?:error|bug|crash|problem|issue) is gone\b|^(?:(?:great|nice|perfect|cool|ok|yes|yep|wow)[,.! ]+)*(?:it works|fixed)\b(?! (?:the|this|that|a|in|by|it)\b)/

function symptomIn({ said }: DialogueTurn): ScoredSentence[] {
  return said.filter(
    ({ features, sentence }) =>
      (features.has('symptom') || features.has('problem')) && sentence.text.length >= 15 && !features.has('canYou'),
  )
}

function isStill({ sentence, features }: ScoredSentence): boolean {
  return !features.has('questionMark') && still.test(sentence.plain)
}

const still =
  /\b(?:still (?:fails?|failing|broken|crash\w*|happens?|the same|not|doesn't|get|getting|see|seeing)|same (?:error|problem|issue|result)|did(?:n't| not) (?:help|work|fix)|(?:made|makes) (?:it|things) worse)\b/

/** A sentence in which the agent says what it did. */
function isAttempt({ plain, text }: Sentence): boolean {
  return text.length >= 25 && text.length <= 300 && attempted.test(plain)
}

const attempted =
  /\b(?:i(?:'ve| have)? (?:now )?(?:added|changed|set|switched|moved|replaced|increased|updated|fixed|wrapped|removed|disabled|enabled)|i'll (?:add|change|set|switch|move|replace|increase|update|wrap|remove|disable|enable))\b/

function symptomText(text: string): string {
  const whole = text.slice(0, 300).trim()
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
