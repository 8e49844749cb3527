// learn: finds what is worth remembering. Rules read every exchange and propose candidates; they
// decide nothing. A model that the user allowed judges each session when it is at rest, and its
// verdict replaces what rules proposed. Each part has its own cursor per session, which is written
// in one transaction with the memories, so a killed run loses and repeats nothing.
import { hasDeadLetters } from '../store/memories/dead-letters.ts'
import type { LearnContext, LearnReport } from './context.ts'
import { deleteExpiredCandidates } from './expire-candidates.ts'
import { readByRules } from './rules-pass.ts'

export async function learn(
  context: LearnContext,
  onProgress?: (done: number, of: number) => void,
): Promise<LearnReport> {
  const report: LearnReport = {
    ...{ learned: 0, proposed: 0, merged: 0, superseded: 0, inbox: 0, dropped: 0, missed: 0 },
    failed: [],
    leftTo: new Map(),
  }
  if (!context.config.learn.isOn) return report
  deleteExpiredCandidates(context)
  await readByRules(context, report, onProgress)
  if (context.isModelAllowed() || hasDeadLetters(context.ledger, 'memories'))
    await (await import('./model/judge-sessions.ts')).judgeByModels(context, report)
  return report
}
