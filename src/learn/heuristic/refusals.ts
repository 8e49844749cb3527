// A plan of the agent that the person refused with a reason: what will not be done, so that nobody plans it again.
import { maxMemoryLength } from '../../memory/memory.ts'
import { attributesOf } from './nature.ts'
import { threshold } from './score.ts'
import { reasonIn } from './statement.ts'
import type { DialogueTurn } from './turns.ts'
import type { ScoredSentence } from './weigh.ts'
import type { WindowLearning } from './window.ts'

export function rejectedPlans(turns: DialogueTurn[], from: number): WindowLearning[] {
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
