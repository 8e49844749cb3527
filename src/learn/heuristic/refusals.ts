// A plan of the agent that the person refused with a reason: what will not be done, so that nobody plans it again.
import { maxMemoryLength } from '../../memory/memory.ts'
import { about } from './nature.ts'
import { threshold } from './score.ts'
import { reasonIn } from './statement.ts'
import type { Turn } from './turns.ts'
import type { Said } from './weigh.ts'
import type { Found } from './window.ts'

export function refused(turns: Turn[], from: number): Found[] {
  return turns.slice(from).flatMap((turn) => {
    const [first] = turn.said
    if (first === undefined || !refuses.test(first.sentence.plain)) return []
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
          ...about('decision', reason.features, reason.score),
          status: isTried ? ('tried-and-failed' as const) : ('settled' as const),
          text: text.slice(0, maxMemoryLength),
          quote: turn.prompt.slice(said[0]!.sentence.start, reason.sentence.end),
          why: reasonIn(words),
        },
      },
    ]
  })
}

const refuses =
  /^(?:no|nope|don't|do not|not that|that (?:won't|doesn't|can't|will not)|that's not|we (?:can't|don't|won't|shouldn't)|i don't want|(?:we|i)(?:'ve)? (?:already )?tried)\b(?! (?:problem|worries|need|idea))/

function isReason({ features, score }: Said): boolean {
  const isReasoned = ['because', 'soThat', 'tried', 'cannot', 'notWork', 'noLonger', 'whereas'].some((name) =>
    features.has(name),
  )
  return isReasoned && score >= threshold - 1 && !features.has('orders')
}

function asksOrDoubts({ features }: Said): boolean {
  return ['questionMark', 'asks', 'canYou', 'hedge', 'trailsOff'].some((name) => features.has(name))
}
