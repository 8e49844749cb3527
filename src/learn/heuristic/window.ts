// What only several exchanges show: a rule argued turn by turn, a plan that was refused, the way from a symptom over its cause
// to a fix that the person confirmed. What a single exchange says by itself is judgeExchange's and is not told again.
import type { Learning } from '../../memory/memory.ts'
import { confirmedFixes } from './fixes.ts'
import { judgeExchange, type PromptInContext } from './judge.ts'
import { rejectedPlans } from './refusals.ts'
import { multiTurnRules } from './rulings.ts'
import { turnsOf } from './turns.ts'

export interface WindowLearning {
  /** The place of the exchange in the window whose prompt holds the quote. */
  exchange: number
  learning: Learning
}

/**
 * All that exchanges teach, alone and together; what a memory of several holds word for word is not told once more alone.
 * They are consecutive, oldest first; those before `from` were judged before and only tell what the others mean.
 */
export function judgeDialogue(exchanges: PromptInContext[], from = 0): WindowLearning[] {
  const together = judgeWindow(exchanges, from)
  const alone = exchanges
    .slice(from)
    .flatMap((exchange, place) => judgeExchange(exchange).map((learning) => ({ exchange: from + place, learning })))
  return [
    ...alone.filter(({ learning }) => !together.some((found) => found.learning.text.includes(learning.text))),
    ...together,
  ]
}

/** Only what needs several exchanges to be seen. */
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

/** Much of the text is not among what single exchanges gave. */
function addsTo(known: string[], text: string): boolean {
  const rest = known.reduce((left, one) => left.replace(one, ''), text)
  return rest.length >= 40 && rest.length * 3 >= text.length
}
