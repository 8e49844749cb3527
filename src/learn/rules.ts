// The judge that needs no model, over a window: each utterance alone, then what only shows in several together.

import type { MemoryCandidate } from '../memory/candidate.ts'
import { candidateOf } from '../memory/candidate.ts'
import type { Learning } from '../memory/memory.ts'
import type { Utterance } from './exchanges.ts'
import { agreedTag } from './heuristic/attributes.ts'
import { judgeDialogue } from './heuristic/window.ts'
import type { LearnWindow } from './windows.ts'

export interface SessionSource {
  session: string
  project: string | null
  /** When it was said, where the agent wrote no time. */
  at: string
}

export function judgeByRules({ said, earlier }: LearnWindow, source: SessionSource): MemoryCandidate[] {
  const together = [...earlier, ...said]
  return judgeDialogue(together, earlier.length).map(({ exchange, learning }) =>
    candidateFrom(learning, together[exchange]!, source),
  )
}

function candidateFrom(
  learning: Learning,
  utterance: Utterance,
  { session, project, at }: SessionSource,
): MemoryCandidate {
  return candidateOf(learning, {
    project,
    evidence: [{ session, event: utterance.event || null, quote: learning.quote }],
    // The agent's own statement, which the person only agreed to.
    trust: learning.tags.includes(agreedTag) ? 'agent said' : 'user said',
    at: utterance.at ?? at,
  })
}
