// The ordered list of stages: read this first. Data moves from top to bottom; each stage handles
// what is new, writes what the next one reads, and can be run again at any time with the same
// result.
import { isAdoptionDue, markAdopted } from './capture/adoption-note.ts'
import { type CaptureOptions, type CaptureReport, capture } from './capture/capture.ts'
import { captureRepositories } from './capture/commits.ts'
import type { CaptureContext } from './capture/context.ts'
import { isSystemError, messageOf, UserError } from './core/errors.ts'
import type { Zone } from './core/units.ts'
import { areDeletionsDue } from './delete/due.ts'
import { digest, digestCaptured } from './digest/digest.ts'
import { areHintsDue } from './fixes/hints-due.ts'
import type { JournalContext } from './journal/context.ts'
import { hasGoneNotes } from './learn/bridge/gone-notes.ts'
import { isTimeToConsolidate } from './learn/consolidate/schedule.ts'
import { type LearnContext, modelsMayJudge } from './learn/context.ts'
import { hasExpiredCandidates } from './learn/expire-candidates.ts'
import { mayHaveEdits } from './learn/files/find-changes.ts'
import { type RetainReport, retain } from './retain/retain.ts'
import { hasSessionsToSearch } from './store/fixes/fixes.ts'
import type { StageFailure } from './store/last-sweep.ts'
import { dueDeadLetters, hasDeadLetters } from './store/memories/dead-letters.ts'
import { unjudgedSessions, unlearnedSessions } from './store/memories/learning.ts'
import { projectsWithStaleFiles } from './store/memories/rows.ts'
import { sessionsToCount } from './store/memories/usage.ts'
import type { LedgerRecovery } from './store/recovery/replace-ledger.ts'
import { repairStoredJson } from './store/repair-json.ts'
import { hasSessionsToLocate, projectsWithStaleBrief } from './store/sessions/projects.ts'
import { hasSessionsToJournal, sessionsForModelEntry } from './store/wiki/journal.ts'
import type { SyncReport } from './sync/state.ts'
import { isSyncDue } from './sync/state.ts'
import { isWikiDue } from './wiki/due.ts'

export interface PipelineContext extends CaptureContext, LearnContext {
  zone: Zone
  /** How many candidates a brief may quote: 0 where a model judges. */
  maxQuotes: number
  /** Row ids of sessions digested in this run. */
  digested: Set<number>
  /** Stages that failed in this run. */
  failedStages: StageFailure[]
  /** Bodies adopted in this run. */
  adopted?: number
  /** Journal contents of sessions that an earlier stage has read. */
  readBefore?: JournalContext['readBefore']
}

export interface PipelineOptions extends CaptureOptions {
  /** Called while the index of an earlier version is rebuilt. */
  onIndex?(done: number, of: number): void
  onDigest?(done: number, of: number): void
  onLearn?(done: number, of: number): void
  /** A person confirms that bodies above the limits are deleted now. */
  isEviction?: boolean
}

export interface SweepReport extends CaptureReport {
  failedStages: StageFailure[]
  /** Set if the ledger was damaged and had to be replaced. */
  recovery?: LedgerRecovery
  /** Sessions whose body was found without a row in the ledger. */
  adopted: number
  /** New commit messages. */
  commits: number
  digested: number
  /**
   * New memories and candidates, and how many were merged into known ones, superseded others, or
   * wait in the inbox.
   */
  learned: number
  proposed: number
  merged: number
  superseded: number
  inbox: number
  /** Elements of models' answers that could not be used, and exchanges that wait for a model. */
  dropped: number
  missed: number
  /** Memory files that users changed, added or removed. */
  edited: number
  /** Memories that consolidation merged, dated, retired or doubted. */
  consolidated: number
  /** Items sent to the server and received from it. */
  synced: SyncReport
  memoryFiles: number
  /** Journal entries written. */
  journal: number
  /** Wiki articles written or removed. */
  articles: number
  /** Memories that sessions were shown, and that they used. */
  shown: number
  used: number
  /** Briefs written. */
  briefs: number
  retention: RetainReport
}

export interface Stage {
  name: string
  /** A cheap check that does not load the stage, because most sweeps find nothing new. */
  isDue?(context: PipelineContext): boolean
  run(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> | Partial<SweepReport>
}

// The pipeline runs under two locks. The sweep lock covers stages that capture and delete; the
// learn lock covers stages that may wait minutes for a model or a server. Capture never waits for
// them: sweep.ts releases the sweep lock before the learn stages and takes it again to close.

/** First half, under the sweep lock: from transcripts to digests. */
export const captureStages: readonly Stage[] = [
  // Bodies that no session names, after a lost ledger or a killed run. First those that have the
  // keys of their events, so that transcripts add to them; after capture the others.
  { name: 'adopt', isDue: ({ ledger }) => isAdoptionDue(ledger), run: adoptKeyed },
  {
    name: 'capture',
    // Digests each batch from memory while the next one is read; the stage `digest` does the rest.
    run: async (context, options) => {
      if (options.isFull) (await import('./capture/repair-bodies.ts')).detachDamagedBodies(context)
      return capture(context, {
        ...options,
        onWritten: (written) => countDigested(context, digestCaptured(context, written)),
        // The next session may begin before the older ones are read.
        onRecent: async () => {
          await briefs(context)
          await options.onRecent?.()
        },
      })
    },
  },
  { name: 'adopt the rest', isDue: ({ ledger }) => isAdoptionDue(ledger), run: adoptRest },
  { name: 'commits', run: async (context) => ({ commits: await captureRepositories(context) }) },
  {
    name: 'digest',
    // Sessions that were not digested while capturing, as after an interrupted run.
    run: (context, options) => countDigested(context, digest(context, options.onDigest)),
  },
  // In this half, because the next compaction may come before a model has answered.
  { name: 'compaction', isDue: ({ digested }) => digested.size > 0, run: compactions },
  // After the digests, which tell where the output of git may name the repository of a deleted folder.
  { name: 'projects', isDue: ({ ledger }) => hasSessionsToLocate(ledger), run: projects },
]

/** Second half, under the learn lock: from digests to memories and the files made from them. */
export const learnStages: readonly Stage[] = [
  // First, because edits by users win over what is learned.
  { name: 'edits', isDue: ({ ledger }) => mayHaveEdits(ledger) || hasGoneNotes(ledger), run: edits },
  // Before learning, which may wait for a model.
  { name: 'fixes', isDue: ({ ledger }) => hasSessionsToSearch(ledger), run: fixes },
  { name: 'learn', isDue: isLearningDue, run: learned },
  { name: 'consolidate', isDue: isTimeToConsolidate, run: consolidated },
  // Before the files, which include memories from the server.
  { name: 'sync', isDue: isSyncDue, run: synced },
  { name: 'memory files', isDue: ({ ledger }) => projectsWithStaleFiles(ledger).length > 0, run: memoryFiles },
  { name: 'journal', isDue: isJournalDue, run: journal },
  { name: 'wiki', isDue: isWikiDue, run: wiki },
  { name: 'vectors', isDue: ({ config }) => config.recall.vectors !== 'off', run: vectors },
]

/** Again under the sweep lock: what depends on both halves. */
export const closingStages: readonly Stage[] = [
  // Before new briefs, because use is counted against the brief that a session was given.
  { name: 'use', isDue: ({ ledger }) => sessionsToCount(ledger).length > 0, run: use },
  // What a user deleted more than a day ago. Before retention, which accepts a clock that has moved.
  { name: 'purge', isDue: areDeletionsDue, run: purge },
  {
    name: 'retain',
    // Above the hard limit, remaining sessions are digested before their bodies are deleted.
    run: (context, { isEviction = false }) => ({
      retention: retain({
        ...context,
        isConfirmed: isEviction,
        digestRemaining: () => countDigested(context, digest(context)),
      }),
    }),
  },
  // Before briefs, which are no longer stale afterwards.
  { name: 'hints', isDue: areHintsDue, run: hints },
  // After retention, because briefs announce deletions.
  { name: 'brief', isDue: ({ ledger }) => projectsWithStaleBrief(ledger).length > 0, run: briefs },
]

export const pipeline: readonly Stage[] = [...captureStages, ...learnStages, ...closingStages]

/** A stage that cannot tell counts as due: its failure is reported when it runs. */
export function isAnyDue(stages: readonly Stage[], context: PipelineContext): boolean {
  return stages.some((stage) => {
    try {
      return stage.isDue?.(context) ?? true
    } catch {
      return true
    }
  })
}

/** A stage that fails is reported and does not stop the stages behind it. */
export async function runStages(
  stages: readonly Stage[],
  context: PipelineContext,
  options: PipelineOptions = {},
): Promise<Partial<SweepReport>> {
  let report: Partial<SweepReport> = {}
  const run = async (stage: Stage) => {
    if (stage.isDue?.(context) ?? true) report = { ...report, ...(await stage.run(context, options)) }
  }
  for (const stage of stages) {
    try {
      await run(stage).catch((error) => {
        if (isSystemError(error) || error instanceof UserError || repairStoredJson(context.ledger) === 0) throw error
        return run(stage)
      })
    } catch (error) {
      // A full disk or a locked ledger would stop every stage, and users can act on it.
      if (isSystemError(error) || error instanceof UserError) throw error
      context.failedStages.push({ stage: stage.name, reason: messageOf(error) })
    }
  }
  return report
}

async function adoptKeyed(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { adoptBodies } = await import('./capture/adopt-bodies.ts')
  context.adopted = adoptBodies(context, 'keyed').adopted.length
  return { adopted: context.adopted }
}

async function adoptRest(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { adoptBodies } = await import('./capture/adopt-bodies.ts')
  const { resumeRepairedLearning } = await import('./capture/repair-bodies.ts')
  const adopted = (context.adopted ?? 0) + adoptBodies(context, 'all').adopted.length
  resumeRepairedLearning(context.ledger)
  markAdopted(context.ledger)
  return { adopted }
}

async function projects(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { assignProjects } = await import('./capture/projects/assign-projects.ts')
  assignProjects(context)
  return {}
}

async function edits(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { readMemoryEdits } = await import('./learn/files/read.ts')
  const { forgetGoneNotes } = await import('./learn/bridge/gone-notes.ts')
  const { edited, added, forgotten } = await readMemoryEdits(context)
  const gone = context.ledger.transaction(() => forgetGoneNotes(context))
  return { edited: edited + added + forgotten + gone.forgotten.length + gone.proposed.length }
}

function isLearningDue(context: PipelineContext): boolean {
  const { ledger, clock } = context
  if (unlearnedSessions(ledger).length > 0 || hasExpiredCandidates(context)) return true
  const sinceMs = clock.nowMs() - context.config.learn.freshDays * 86_400_000
  if (context.isModelAllowed() && unjudgedSessions(ledger, sinceMs).length > 0) return true
  // The fingerprint looks for a program, so it is computed only if something waits.
  if (!hasDeadLetters(ledger, 'memories')) return false
  const due = { nowMs: clock.nowMs(), limit: 1, access: context.accessFingerprint() }
  return dueDeadLetters(ledger, 'memories', due).length > 0
}

/**
 * Imports native memories of agents that write them themselves, instead of judging their sessions.
 */
async function learned(context: PipelineContext, options: PipelineOptions): Promise<Partial<SweepReport>> {
  const { learn } = await import('./learn/learn.ts')
  const { leftTo, failed, ...report } = await learn(context, options.onLearn)
  for (const reason of failed) context.failedStages.push({ stage: 'learn', reason })
  if (leftTo.size === 0) return report
  const { importNative } = await import('./learn/bridge/import.ts')
  for (const [agent, exchanges] of leftTo)
    report.learned += (await importNative(context, { agent, exchanges })).kept.length
  return report
}

async function fixes(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { searchSessions } = await import('./fixes/search-sessions.ts')
  const { judgeOnRead } = await import('./learn/judge-on-read.ts')
  const { contentsOnRead } = await import('./journal/contents-on-read.ts')
  // Learning and the journal need the same texts; reading them is a third of the work of each.
  const readers = [judgeOnRead(context), contentsOnRead(context)]
  searchSessions(context, (session, events) => {
    for (const read of readers) read(session, events)
  })
  return {}
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
  return (
    sessionsForModelEntry(ledger, fresh).length > 0 || dueDeadLetters(ledger, 'journal', { nowMs, limit: 1 }).length > 0
  )
}

/** A session that is judged as a whole has its entry in the same answer. */
function mayAskForJournal({ config }: Pick<PipelineContext, 'config'>): boolean {
  const isJudgedWhole = config.learn.isOn && config.learn.when === 'rest'
  return modelsMayJudge({ config }) && config.learn.freshDays > 0 && !isJudgedWhole
}

function mayAskForWiki({ config }: Pick<PipelineContext, 'config'>): boolean {
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

/** A failed build is reported by `doctor`; the sweep continues. */
async function wiki({ ask, ...context }: PipelineContext): Promise<Partial<SweepReport>> {
  const { buildInSweep } = await import('./wiki/build.ts')
  return { articles: await buildInSweep(mayAskForWiki(context) ? { ...context, ask } : context) }
}

async function vectors(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { vectorsDue } = await import('./search/vectors/state.ts')
  if (vectorsDue(context)) await (await import('./search/vectors/embed-passages.ts')).updateVectors(context)
  return {}
}

async function purge(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { purgeDeletions } = await import('./delete/purge.ts')
  purgeDeletions(context)
  return {}
}

async function compactions(context: PipelineContext): Promise<Partial<SweepReport>> {
  if (context.config.recall.uncompacts)
    (await import('./compaction/prepare.ts')).prepareCompactions(context, context.digested)
  else (await import('./compaction/state-files.ts')).removeFactFiles(context.ledger.layout)
  return {}
}

async function use(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { countUse } = await import('./brief/usage-tracking.ts')
  return countUse(context)
}

async function hints(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { writeHints } = await import('./fixes/write-hints.ts')
  writeHints(context)
  return {}
}

async function briefs(context: PipelineContext): Promise<Partial<SweepReport>> {
  const { prepareBriefs } = await import('./brief/prepare.ts')
  return { briefs: prepareBriefs(context, 'due') }
}

function countDigested(context: PipelineContext, digested: number[]): { digested: number } {
  for (const session of digested) context.digested.add(session)
  return { digested: context.digested.size }
}
