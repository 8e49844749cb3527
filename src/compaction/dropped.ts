// Selects what a compaction dropped and the agent is likely to need: facts of the session that the
// summary does not contain, by how much they are expected to help per token.
import { type FactCandidate, type FactComparison, type FactGroup, factCandidates } from './candidates.ts'
import type { DroppedFact } from './fact.ts'
import type { FactState } from './fact-state.ts'
import { folderOf } from './folders.ts'

export interface DroppedOptions extends FactComparison {
  maxTokens: number
}

/**
 * The best facts within the budget, the most valuable first. Each group has a limit, so that none
 * crowds out the others; what is left then is open to all.
 */
export function droppedFacts(state: FactState, options: DroppedOptions): DroppedFact[] {
  const { facts, names } = factCandidates(state, options)
  const selection: Selection = { chosen: [], names, used: new Map(), left: options.maxTokens }
  take(facts, selection, (group) => groupShares[group] * options.maxTokens)
  take(facts, selection, () => options.maxTokens)
  return selection.chosen.map(({ fact }) => fact)
}

const groupShares: Record<FactGroup, number> = { words: 0.4, open: 0.25, commands: 0.35, sentences: 0.3, names: 0.6 }

interface Selection {
  chosen: FactCandidate[]
  /** Dropped names that no chosen fact contains, with their likelihood. */
  names: Map<string, number>
  /** Tokens by group. */
  used: Map<FactGroup, number>
  left: number
}

function take(open: Set<FactCandidate>, selection: Selection, maxTokensOf: (group: FactGroup) => number): void {
  for (;;) {
    const { chosen, names, used } = selection
    const best = bestOf(open, (candidate) => {
      const tokens = costOf(candidate, chosen)
      const inGroup = (used.get(candidate.group) ?? 0) + tokens
      if (tokens > selection.left || inGroup > maxTokensOf(candidate.group)) return 0
      return gainOf(candidate, names, chosen) / (tokens + lineTokens)
    })
    if (!best) return
    const tokens = costOf(best, chosen)
    open.delete(best)
    selection.left -= tokens
    used.set(best.group, (used.get(best.group) ?? 0) + tokens)
    for (const name of best.names) names.delete(name)
    chosen.push(best)
  }
}

/** Every fact costs its reader a little, however short it is. */
const lineTokens = 3
/** Below this a fact is noise even where there is room for it. */
const minRate = 0.0005

function bestOf(open: Iterable<FactCandidate>, rateOf: (one: FactCandidate) => number): FactCandidate | undefined {
  let best: FactCandidate | undefined
  let bestRate = minRate
  for (const candidate of open) {
    const rate = rateOf(candidate)
    if (rate > bestRate) [best, bestRate] = [candidate, rate]
  }
  return best
}

/** Files of one folder are written together. */
function costOf({ fact, tokens }: FactCandidate, chosen: readonly FactCandidate[]): number {
  const folder = fact.kind === 'path' ? folderOf(fact.text) : ''
  const isOpen = folder !== '' && chosen.some((one) => one.fact.kind === 'path' && folderOf(one.fact.text) === folder)
  return isOpen ? tokens - Math.floor(folder.length / charactersPerToken) : tokens
}

const charactersPerToken = 3.5

/** Names that a chosen fact contains are not counted again. */
function gainOf(
  { value, names: own, family }: FactCandidate,
  names: ReadonlyMap<string, number>,
  chosen: readonly FactCandidate[],
): number {
  const gain = own.reduce((sum, name) => sum + (names.get(name) ?? 0), value)
  return family === undefined ? gain : gain * repeatShare ** chosen.filter((one) => one.family === family).length
}

const repeatShare = 0.6
