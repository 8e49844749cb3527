// The ordered list of stages: read this first. Data moves from top to bottom; each stage takes what it has not handled yet,
// writes what the next one reads, and can be run again at any time with the same result.
import { type CaptureContext, type CaptureOptions, type CaptureReport, capture } from './capture/capture.ts'
import { captureRepositories } from './capture/repositories.ts'
import type { Zone } from './core/units.ts'
import { digest, digestCaptured } from './digest/digest.ts'
import { isTimeToConsolidate } from './learn/consolidate/schedule.ts'
import { type LearnContext, modelsMayJudge } from './learn/context.ts'
import { mayHaveEdits } from './learn/files/notice.ts'
import { type RetainReport, retain } from './retain/retain.ts'
import { unlearnedSessions } from './store/memories/learning.ts'
import { dueDeadLetters } from './store/memories/model-calls.ts'
import { projectsWithStaleFiles } from './store/memories/rows.ts'
import { sessionsToCount } from './store/memories/usage.ts'
import { projectsWithStaleBrief } from './store/sessions/projects.ts'
import { hasSessionsToJournal, sessionsForModelEntry } from './store/wiki/journal.ts'
import type { SyncReport } from './sync/state.ts'
import { isSyncDue } from './sync/state.ts'
import { isWikiDue } from './wiki/due.ts'

export interface PipelineContext extends CaptureContext, LearnContext {
  zone: Zone
  /** Sessions digested in this run. */
  digested: Set<number>
}

export interface PipelineOptions extends CaptureOptions {
  /** Told when the index of an earlier version is made anew. */
  onIndex?(done: number, of: number): void
  onDigest?(done: number, of: number): void
  onLearn?(done: number, of: number): void
}

export interface SweepReport extends CaptureReport {
  /** Commit messages that were not known. */
  commits: number
  digested: number
  /** New memories; how many were said again, took the place of another, or wait for a person to decide. */
  learned: number
  merged: number
  superseded: number
  inbox: number
  /** Memory files that people changed, added or removed. */
  edited: number
  /** Memories that were merged, dated, retired or doubted. */
  consolidated: number
  /** What went to the server and came from it. */
  synced: SyncReport
  memoryFiles: number
  /** Entries of the journal that were written. */
  journal: number
  /** Articles of the wiki that were written or removed. */
  articles: number
  /** Memories that sessions were shown, and that they used. */
  shown: number
  used: number
  /** Briefs made anew. */
  briefs: number
  retention: RetainReport
}

/**
 * Whoever captures and deletes does it alone. Learning may wait for a model: it has a lock of its own, so that capture never
 * waits for it.
 */
export type Lock = 'sweep' | 'learn'

export interface Stage {
  name: string
  lock: Lock
  /** Whether there is anything to do, told without loading the stage: most sweeps find nothing new. */
  isDue?(context: PipelineContext): boolean
  run(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> | Partial<SweepReport>
}

export const pipeline: readonly Stage[] = [
  // What capture has just written is digested while the next batch is being read; the stage below does what is left.
  {
    name: 'capture',
    lock: 'sweep',
    run: (context, options) =>
      capture(context, { ...options, onWritten: (fresh) => counted(context, digestCaptured(context, fresh)) }),
  },
  { name: 'commits', lock: 'sweep', run: async (context) => ({ commits: await captureRepositories(context) }) },
  { name: 'digest', lock: 'sweep', run: (context, options) => counted(context, digest(context, options.onDigest)) },
  // What people wrote comes first: it wins over what is learned.
  { name: 'edits', lock: 'learn', isDue: ({ ledger }) => mayHaveEdits(ledger), run: edits },
  { name: 'learn', lock: 'learn', isDue: isLearningDue, run: learned },
  { name: 'consolidate', lock: 'learn', isDue: isTimeToConsolidate, run: consolidated },
  // Before the files: what came from the server stands in them, too.
  { name: 'sync', lock: 'learn', isDue: isSyncDue, run: synced },
  {
    name: 'memory files',
    lock: 'learn',
    isDue: ({ ledger }) => projectsWithStaleFiles(ledger).length > 0,
    run: memoryFiles,
  },
  { name: 'journal', lock: 'learn', isDue: isJournalDue, run: journal },
  { name: 'wiki', lock: 'learn', isDue: isWikiDue, run: wiki },
  { name: 'vectors', lock: 'learn', isDue: ({ config }) => config.recall.vectors !== 'off', run: vectors },
  // Before the briefs are made anew: a session is counted by the one that it was given.
  { name: 'use', lock: 'sweep', isDue: ({ ledger }) => sessionsToCount(ledger).length > 0, run: use },
  { name: 'brief', lock: 'sweep', isDue: ({ ledger }) => projectsWithStaleBrief(ledger).length > 0, run: briefs },
  {
    name: 'retain',
    lock: 'sweep',
    run: (context) => ({ retention: retain({ ...context, digestNow: () => counted(context, digest(context)) }) }),
  },
]

export function isAnyDue(stages: readonly Stage[], context: PipelineContext): boolean {
  return stages.some((stage) => stage.isDue?.(context) ?? true)
}

export async function runStages(
  stages: readonly Stage[],
  context: PipelineContext,
  options: PipelineOptions = {},
): Promise<Partial<SweepReport>> {
  let report: Partial<SweepReport> = {}
  for (const stage of stages) {
    if (stage.isDue?.(context) ?? true) report = { ...report, ...(await stage.run(context, options)) }
  }
  return report
}

async function edits(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { readMemoryEdits } = await import('./learn/files/read.ts')
  const { edited, added, forgotten } = await readMemoryEdits(context)
  return { edited: edited + added + forgotten }
}

function isLearningDue({ ledger, clock }: PipelineContext): boolean {
  return unlearnedSessions(ledger).length > 0 || dueDeadLetters(ledger, 'memories', clock.nowMs(), 1).length > 0
}

/** Where an agent wrote its memory itself, that is taken instead of a judge's word. */
async function learned(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> {
  const { learn } = await import('./learn/learn.ts')
  const { leftTo, ...report } = await learn(context, options.onLearn)
  if (leftTo.size === 0) return report
  const { importNative } = await import('./learn/bridge/import.ts')
  for (const agent of leftTo) report.learned += (await importNative(context, { agent })).kept.length
  return report
}

async function memoryFiles(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { writeMemoryFiles } = await import('./learn/files/write.ts')
  return { memoryFiles: writeMemoryFiles(context).written }
}

function isJournalDue(context: PipelineContext): boolean {
  const { ledger, clock, config } = context
  if (hasSessionsToJournal(ledger)) return true
  if (!mayAskForJournal(context)) return false
  const nowMs = clock.nowMs()
  const fresh = { sinceMs: nowMs - config.learn.freshDays * 86_400_000, quietMs: nowMs, limit: 1 }
  return sessionsForModelEntry(ledger, fresh).length > 0 || dueDeadLetters(ledger, 'journal', nowMs, 1).length > 0
}

function mayAskForJournal({ config }: Pick<PipelineContext, 'config'>): boolean {
  return modelsMayJudge({ config }) && config.learn.freshDays > 0
}

async function journal({ ask, ...context }: PipelineContext): Promise<Partial<SweepReport>> {
  const { writeJournal } = await import('./journal/journal.ts')
  const { freshDays } = context.config.learn
  const isAsked = mayAskForJournal(context)
  return { journal: (await writeJournal(isAsked ? { ...context, ask, freshDays } : context)).entries }
}

async function consolidated(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { consolidate } = await import('./learn/consolidate/consolidate.ts')
  const done = await consolidate(context)
  return { consolidated: done.kind === 'done' ? done.findings.length : 0 }
}

async function synced(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { syncInSweep } = await import('./sync/sync.ts')
  return { synced: await syncInSweep(context) }
}

/** A disk that cannot be written is told of in `doctor`; the rest of the sweep goes on. */
async function wiki({ ask, ...context }: PipelineContext): Promise<Partial<SweepReport>> {
  const { buildInSweep } = await import('./wiki/in-sweep.ts')
  return { articles: await buildInSweep(mayAskForJournal(context) ? { ...context, ask } : context) }
}

async function vectors(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { vectorsDue } = await import('./search/vectors/state.ts')
  if (vectorsDue(context)) await (await import('./search/vectors/embed-passages.ts')).updateVectors(context)
  return {}
}

async function use(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { countUse } = await import('./brief/usage-tracking.ts')
  return countUse(context)
}

async function briefs(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { prepareBriefs } = await import('./brief/prepare.ts')
  return { briefs: prepareBriefs(context, 'due') }
}

function counted(context: PipelineContext, digested: number[]): { digested: number } {
  for (const session of digested) context.digested.add(session)
  return { digested: context.digested.size }
}
