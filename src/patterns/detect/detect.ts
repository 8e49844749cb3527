// detect: what keeps happening. Digests become signals, signals of the same kind become patterns; no model is asked, and the
// same history gives the same patterns.
import type { Ledger } from '../../store/ledger.ts'
import { savePatterns } from '../../store/patterns/patterns.ts'
import type { Pattern } from '../pattern.ts'
import { addSignal, newClusters, patternsOf } from './clusters.ts'
import { type Looked, lookAtSessions, type Part } from './look.ts'

/** Sessions of one project, or of one agent, are a look at a part, which is not saved. */
export interface DetectOptions extends Part {
  /** What is given back; what is saved is what people review, whatever was looked for last. */
  minFrequency?: number
}

export interface Detection extends Looked {
  patterns: Pattern[]
}

export function detect(ledger: Ledger, { minFrequency = 0, ...part }: DetectOptions = {}): Detection {
  const clusters = newClusters()
  const looked = lookAtSessions(ledger, part, { onSignal: (signal) => addSignal(clusters, signal) })
  const patterns = patternsOf(clusters)
  if (part.project === undefined && part.agent === undefined) savePatterns(ledger, patterns)
  return { ...looked, patterns: patterns.filter(({ frequency }) => frequency >= minFrequency) }
}
