// The judge that needs no model, over a window: each utterance alone, then what only shows in several together.
import type { Learning } from '../core/memory.ts'
import type { Candidate } from './admission/admit.ts'
import { candidateOf } from './candidates.ts'
import type { Utterance } from './exchanges.ts'
import { judgeExchange } from './heuristic/judge.ts'
import { judgeWindow } from './heuristic/window.ts'
import type { LearnWindow } from './windows.ts'

export interface Source {
  session: string
  project: string | null
  /** When it was said, where the agent wrote no time. */
  at: string
}

export function judgeByRules({ said, earlier }: LearnWindow, source: Source): Candidate[] {
  const together = [...earlier, ...said]
  const alone = said.flatMap((utterance) =>
    judgeExchange(utterance).map((learning) => candidateFrom(learning, utterance, source)),
  )
  const joint = judgeWindow(together).map(({ exchange, learning }) =>
    candidateFrom(learning, together[exchange]!, source),
  )
  return [...alone, ...joint]
}

function candidateFrom(learning: Learning, utterance: Utterance, { session, project, at }: Source): Candidate {
  return candidateOf(learning, {
    project,
    evidence: [{ session, event: utterance.event || null, quote: learning.quote }],
    trust: 'user said',
    at: utterance.at ?? at,
  })
}
