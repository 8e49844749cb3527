// From a symptom over its cause to a fix that the person confirmed: one memory of debugging. What was tried on the way and did
// not help is kept as a warning.
import { type Learning, maxMemoryLength } from '../../memory/memory.ts'
import { withoutMarkdown } from './agent-text.ts'
import { attributesOf, withAgreedTag } from './nature.ts'
import { bestCause } from './pointers.ts'
import type { Sentence } from './sentences.ts'
import type { DialogueTurn } from './turns.ts'
import type { ScoredSentence } from './weigh.ts'
import type { WindowLearning } from './window.ts'

export function confirmedFixes(turns: DialogueTurn[], from: number): WindowLearning[] {
  const end = turns.findIndex(({ exchange, said }) => exchange >= from && said.some(isConfirmed))
  if (end < 1) return []
  const symptom = turns.slice(0, end).flatMap(symptomIn)[0]
  const cause = bestCause(turns[end]!.before)
  if (symptom === undefined || cause === null) return []
  const confirmed = turns[end]!.said.find(isConfirmed)!
  const told = (
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
    told(`${symptomText(symptom.sentence.text)} Cause: ${cause}`, 'settled', turns[end]!, confirmed),
    ...failed.map(({ turn, still, tried }) =>
      told(
        `${symptomText(symptom.sentence.text)} Did not help: ${withoutMarkdown(tried.text)}`,
        'tried-and-failed',
        turn,
        still,
      ),
    ),
  ]
}

/** "That fixed it", "works now": said of what the agent did, not asked. */
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

/** What the agent says it did. */
function isAttempt({ plain, text }: Sentence): boolean {
  return text.length >= 25 && text.length <= 300 && attempted.test(plain)
}

const attempted =
  /\b(?:i(?:'ve| have)? (?:now )?(?:added|changed|set|switched|moved|replaced|increased|updated|fixed|wrapped|removed|disabled|enabled)|i'll (?:add|change|set|switch|move|replace|increase|update|wrap|remove|disable|enable))\b/

function symptomText(text: string): string {
  const whole = text.slice(0, 300).trim()
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
