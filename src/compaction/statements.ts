// Statements of a person that may bind the agent for the rest of a session: rules, wishes, decisions.
import { trainedModel } from '../learn/heuristic/model.ts'
import { isWithheld, scoreSentences } from '../learn/heuristic/score-sentences.ts'
import { humanText } from '../text/human-text.ts'
import { splitSentences } from '../text/sentences.ts'
import { oneLine } from '../text/truncate.ts'
import type { StatementFact } from './fact-state.ts'

/** Whole sentences of a prompt, word for word; `before` is the reply that it answers. */
export function statementsIn(prompt: string, before: string): Pick<StatementFact, 'kind' | 'text' | 'score'>[] {
  const found = new Map<string, Pick<StatementFact, 'kind' | 'text' | 'score'>>()
  for (const { sentence, features, score } of scoreSentences({ before, prompt, after: '' }, trainedModel)) {
    const text = oneLine(prompt.slice(sentence.unit.start, sentence.unit.end))
    const isBinding = binds.test(text)
    const isRemark = !isBinding && opensRemark.test(text)
    if (isWithheld(features) || isRemark || text.length > maxLength || /[?:]\W*$/.test(text)) continue
    const value = Math.max(score, isBinding ? bindingScore : 0)
    if (value >= minScore) found.set(text, { kind: decides.test(text) ? 'decision' : 'constraint', text, score: value })
  }
  return [...found.values()]
}

const maxLength = 400
const minScore = 0.2
const bindingScore = 0.5
/** Words of a rule for the rest of the session. */
const binds =
  /\b(?:never|always|must(?:n't)?|do ?n[o']t|don't|only|avoid|without|keep|make sure|ensure|instead of|rather than|no longer|prefer|should(?:n't)?|has to|have to|at most|at least|exactly)\b/i
const decides =
  /\b(?:decided?|go(?:ing)? with|let's|we(?:'ll| will)|agreed?|settled|choose|chose|pick(?:ed)?|instead)\b/i
/** Cannot be read alone. */
const opensRemark = /^(?:yes|yep|yeah|ok|okay|no|thanks|great|since|because|and|so|but|also|how about|what about)\b/i

/** The sentences that the person typed; pasted text is nobody's statement. */
export function typedSentences(prompt: string): string[] {
  return humanText(prompt).spans.flatMap(({ start, end }) => splitSentences(prompt.slice(start, end)))
}
