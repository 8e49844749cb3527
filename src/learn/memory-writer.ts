// Writes learned memories together with the learning cursor of their session, in one transaction.
import { isoTime } from '../core/clock.ts'
import type { MemoryDraft } from '../memory/draft.ts'
import type { Ledger } from '../store/ledger.ts'
import { changeMemories } from '../store/memories/changes.ts'
import { saveLearnCursor, type UnlearnedSession } from '../store/memories/learning.ts'
import { memoriesOfSession } from '../store/memories/memories.ts'
import { logWork } from '../store/work-log.ts'
import { type AdmissionReport, admit } from './admission/admit.ts'
import type { LearnContext, LearnReport } from './context.ts'
import { instructionLines } from './instructions.ts'

export interface LearnProgress {
  session: UnlearnedSession
  drafts: readonly MemoryDraft[]
  /** Behind the last event that was read. */
  through: number
  /** A line for the work log. */
  log?: string
}

export interface MemoryWriter {
  /** Call in the order of the session. */
  add(found: LearnProgress): void
  /** Writes everything that is queued. */
  flush(): void
}

/** Windows per transaction: a commit takes longer than judging a few windows by rules. */
const maxWaiting = 50

export function createWriter(context: LearnContext, report: LearnReport): MemoryWriter {
  let waiting: LearnProgress[] = []
  const flush = () => {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    context.ledger.transaction(() => {
      for (const found of batch) write(context, found, report)
    })
  }
  return {
    add(found) {
      if (waiting.push(found) >= maxWaiting) flush()
    },
    flush,
  }
}

function write(context: LearnContext, { session, drafts, through, log }: LearnProgress, report: LearnReport): void {
  const { ledger, clock } = context
  const entry = { atMs: clock.nowMs(), session: session.uid }
  const refused = drafts.length > 0 ? admitLearned(context, session, drafts, report) : []
  for (const { reason } of refused)
    logWork(ledger, { ...entry, what: 'dropped', detail: `a proposal of rules: ${reason}` })
  if (log) logWork(ledger, { ...entry, what: 'read', detail: log })
  saveLearnCursor(ledger, { session: session.id, through }, session.contentHash)
}

/** Returns what admission refused. Call inside a transaction. */
export function admitLearned(
  context: LearnContext,
  session: Pick<UnlearnedSession, 'uid' | 'cwd'>,
  drafts: readonly MemoryDraft[],
  report: LearnReport,
): AdmissionReport['dropped'] {
  const instructions = session.cwd && drafts.length > 0 ? instructionLines(session.cwd) : []
  const change = { kind: 'learned' as const, about: `from ${session.uid}`, at: isoTime(context.clock.nowMs()) }
  const admitted = admit({ ...context, instructionsOf: () => instructions }, drafts, change)
  report.learned += admitted.kept.length
  report.proposed += admitted.candidates.length
  report.merged += admitted.merged.length
  report.superseded += admitted.superseded.length
  report.inbox += admitted.inbox.length
  return admitted.dropped
}

/**
 * Forgets memories whose only evidence are prompts that the user rewound. `ids` are the agent's
 * record ids of those prompts.
 */
export function retractLearned(ledger: Ledger, session: string, ids: readonly string[], at: string): void {
  const events = new Set(ids.filter((id) => id !== ''))
  if (events.size === 0) return
  const gone = memoriesOfSession(ledger, session)
    .filter(
      ({ state, space, evidence }) =>
        space === null &&
        (state === 'kept' || state === 'candidate') &&
        evidence.every((one) => one.session === session && events.has(one.event ?? '')),
    )
    .map((memory) => ({ ...memory, state: 'forgotten' as const, version: memory.version + 1 }))
  if (gone.length === 0) return
  ledger.transaction(() => changeMemories(ledger, { at, kind: 'taken back', about: `in ${session}` }, gone))
}
