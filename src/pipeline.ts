// The ordered list of stages: read this first. Data moves from top to bottom; each stage takes what it has not handled yet,
// writes what the next one reads, and can be run again at any time with the same result.
import { type CaptureContext, type CaptureOptions, type CaptureReport, capture } from './capture/capture.ts'
import { captureRepositories } from './capture/repositories.ts'
import type { Zone } from './core/units.ts'
import { digest, digestFresh } from './digest/digest.ts'
import { type JournalContext, writeJournal } from './journal/journal.ts'
import { type LearnContext, modelsMayJudge } from './learn/context.ts'
import { readMemoryEdits } from './learn/files/read.ts'
import { writeMemoryFiles } from './learn/files/write.ts'
import { learn } from './learn/learn.ts'
import { prepareBriefs } from './recall/prepare-briefs.ts'
import { countUse } from './recall/used.ts'
import { type RetainReport, retain } from './retain/retain.ts'

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
  memoryFiles: number
  /** Entries of the journal that were written. */
  journal: number
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
  run(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> | Partial<SweepReport>
}

export const pipeline: readonly Stage[] = [
  // What capture has just written is digested while the next batch is being read; the stage below does what is left.
  {
    name: 'capture',
    lock: 'sweep',
    run: (context, options) =>
      capture(context, { ...options, onWritten: (fresh) => counted(context, digestFresh(context, fresh)) }),
  },
  { name: 'commits', lock: 'sweep', run: async (context) => ({ commits: await captureRepositories(context) }) },
  { name: 'digest', lock: 'sweep', run: (context, options) => counted(context, digest(context, options.onDigest)) },
  // What people wrote comes first: it wins over what is learned.
  { name: 'edits', lock: 'learn', run: async (context) => ({ edited: await edits(context) }) },
  { name: 'learn', lock: 'learn', run: (context, options) => learned(context, options) },
  { name: 'memory files', lock: 'learn', run: (context) => ({ memoryFiles: writeMemoryFiles(context).written }) },
  {
    name: 'journal',
    lock: 'learn',
    run: async (context) => ({ journal: (await writeJournal(journalContext(context))).entries }),
  },
  // Before the briefs are made anew: a session is counted by the one that it was given.
  { name: 'use', lock: 'sweep', run: (context) => countUse(context) },
  { name: 'brief', lock: 'sweep', run: (context) => ({ briefs: prepareBriefs(context, 'due') }) },
  {
    name: 'retain',
    lock: 'sweep',
    run: (context) => ({ retention: retain({ ...context, digestNow: () => counted(context, digest(context)) }) }),
  },
]

export async function runStages(
  stages: readonly Stage[],
  context: PipelineContext,
  options: PipelineOptions = {},
): Promise<Partial<SweepReport>> {
  let report: Partial<SweepReport> = {}
  for (const stage of stages) report = { ...report, ...(await stage.run(context, options)) }
  return report
}

async function edits(context: PipelineContext): Promise<number> {
  const { edited, added, forgotten } = await readMemoryEdits(context)
  return edited + added + forgotten
}

/** Where an agent wrote its memory itself, that is taken instead of a judge's word. */
async function learned(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> {
  const { leftTo, ...report } = await learn(context, options.onLearn)
  if (leftTo.size === 0) return report
  const { importNative } = await import('./learn/bridge/import.ts')
  for (const agent of leftTo) report.learned += (await importNative(context, { agent })).kept.length
  return report
}

function journalContext({ ask, ...context }: PipelineContext): JournalContext {
  const { freshDays } = context.config.learn
  return modelsMayJudge(context) && freshDays > 0 ? { ...context, ask, freshDays } : context
}

function counted(context: PipelineContext, digested: number[]): { digested: number } {
  for (const session of digested) context.digested.add(session)
  return { digested: context.digested.size }
}
