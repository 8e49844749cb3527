// From a symptom over its cause to a fix that the person confirmed: one memory of debugging. What was tried on the way and did
// not help is kept as a warning.
import { type Learning, maxMemoryLength } from '../../memory/memory.ts'
import { withoutMarks } from './agent-text.ts'
import { about, agreed } from './nature.ts'
import { bestCause } from './pointers.ts'
import type { Sentence } from './sentences.ts'
import type { Turn } from './turns.ts'
import type { Said } from './weigh.ts'
import type { Found } from './window.ts'

export function fixed(turns: Turn[], from: number): Found[] {
  const end = turns.findIndex(({ exchange, said }) => exchange >= from && said.some(isConfirmed))
  if (end < 1) return []
  const symptom = turns.slice(0, end).flatMap(symptomIn)[0]
  const cause = bestCause(turns[end]!.before)
  if (symptom === undefined || cause === null) return []
  const confirmed = turns[end]!.said.find(isConfirmed)!
  const told = (text: string, status: Learning['status'], turn: Turn, { sentence, features }: Said): Found => ({
    exchange: turn.exchange,
    learning: {
      ...agreed(about('debugging', features, 1)),
      status,
      text: text.slice(0, maxMemoryLength),
      quote: turn.prompt.slice(sentence.start, sentence.end),
      why: null,
    },
  })
  const failed = turns.slice(1, end).flatMap((turn) => {
    const still = turn.said.find(isStill)
    const tried = turn.before.filter(isAttempt).at(-1)
    return still === undefined || tried === undefined ? [] : [{ turn, still, tried }]
  })
  return [
    told(`${short(symptom.sentence.text)} Cause: ${cause}`, 'settled', turns[end]!, confirmed),
    ...failed.map(({ turn, still, tried }) =>
      told(
        `${short(symptom.sentence.text)} Did not help: ${withoutMarks(tried.text)}`,
        'tried-and-failed',
        turn,
        still,
      ),
    ),
  ]
}

/** "That fixed it", "works now": said of what the agent did, not asked. */
function isConfirmed({ sentence, features }: Said): boolean {
  return !features.has('questionMark') && confirms.test(sentence.plain)
}

const confirms =
  /\bthat (?:fixed|solved|did|worked|helped)\b(?! not)|\b(?:works|working|passes|passing|fixed|green|fine|gone) now\b|\bnow (?:it|that|this|everything|all|the \w+) (?:works?|passes|pass|is (?:green|fixed|gone|fine))\b|\b(?:tests?|ci|build) (?:all )?(?:pass|passes|is green|are green)(?: now)?\b|\b(?:error|bug|crash|problem|issue) is gone\b|^(?:(?:great|nice|perfect|cool|ok|yes|yep|wow)[,.! ]+)*(?:it works|fixed)\b(?! (?:the|this|that|a|in|by|it)\b)/

function symptomIn({ said }: Turn): Said[] {
  return said.filter(
    ({ features, sentence }) =>
      (features.has('symptom') || features.has('problem')) && sentence.text.length >= 15 && !features.has('canYou'),
  )
}

function isStill({ sentence, features }: Said): boolean {
  return !features.has('questionMark') && still.test(sentence.plain)
}

const still =
  /\b(?:still (?:fails?|failing|broken|crash\w*|happens?|the same|not|doesn't|get|getting|see|seeing)|same (?:error|problem|issue|result)|did(?:n't| not) (?:help|work|fix)|(?:made|makes) (?:it|things) worse)\b/

/** What the agent says it did. */
function isAttempt({ plain, text }: Sentence): boolean {
  return text.length >= 25 && text.length <= 300 && attempts.test(plain)
}

const attempts =
  /\b(?:i(?:'ve| have)? (?:now )?(?:added|changed|set|switched|moved|replaced|increased|updated|fixed|wrapped|removed|disabled|enabled)|i'll (?:add|change|set|switch|move|replace|increase|update|wrap|remove|disable|enable))\b/

function short(text: string): string {
  const whole = text.slice(0, 300).trim()
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
