// Runs a deletion, its undo or a purge as a whole: under the locks of the pipeline, with the files
// that depend on it.
import { join } from 'node:path'
import type { BriefContext } from '../brief/brief.ts'
import { prepareBriefs } from '../brief/prepare.ts'
import { type LockOwner, waitForLock } from '../core/lock.ts'
import { areHintsDue } from '../fixes/hints-due.ts'
import { type HintContext, writeHints } from '../fixes/write-hints.ts'
import type { EditsContext } from '../learn/files/context.ts'
import { readMemoryEdits } from '../learn/files/read.ts'
import { writeMemoryFiles } from '../learn/files/write.ts'
import { type Deletion, deletionOf, listDeletions } from '../store/deletion/deletions.ts'
import type { ChangeRecord } from '../store/memories/changes.ts'
import { saveVaultSize } from '../store/sizes.ts'
import { type BuildContext, buildWiki } from '../wiki/build.ts'
import { isIndexDue, lastCompiled } from '../wiki/due.ts'
import { writeIndex } from '../wiki/index-and-log.ts'
import { articlesCitingSessions, deleteSessions } from './delete.ts'
import { finishDeletions } from './files.ts'
import { type DeletionPlan, type DeletionRequest, planDeletion } from './plan.ts'
import { findOldCopies, type OldCopies, purgeDeletions, removeOldCopies } from './purge.ts'
import { undoDeletion } from './restore.ts'

export interface DeletionRunContext extends EditsContext, Omit<BuildContext, 'ask'>, BriefContext {
  config: EditsContext['config'] & HintContext['config']
}

export interface DeletionRunOptions {
  /** Called once if another process has to end first. */
  onWait?(owner: LockOwner | undefined): void
  maxWaitMs?: number
}

export interface DeletionResult {
  plan: DeletionPlan
  /** By which it is undone. */
  change: number
  /** Articles that a person has edited and that cite a deleted session. */
  citedIn: string[]
  oldCopies: OldCopies
  isPurged: boolean
}

/** Plans again under the locks, because sessions may have grown since the plan was shown. */
export async function runDeletion(
  context: DeletionRunContext,
  request: DeletionRequest,
  options: DeletionRunOptions & { isPurged?: boolean } = {},
): Promise<DeletionResult> {
  const { ledger, machine } = context
  return withPipelineLocks(context, options, async () => {
    await readMemoryEdits(context)
    const plan = planDeletion(ledger, request)
    const change = deleteSessions(context, plan)
    await refreshFiles(context)
    const isPurged = options.isPurged === true && purgeNow(context, [change])
    return {
      plan,
      change,
      citedIn: articlesCitingSessions(ledger, plan.sessions).map(({ path }) => path),
      oldCopies: findOldCopies(ledger.layout, machine),
      isPurged,
    }
  })
}

export async function runUndo(
  context: DeletionRunContext,
  change: ChangeRecord,
  options: DeletionRunOptions = {},
): Promise<Deletion> {
  return withPipelineLocks(context, options, async () => {
    const deletion = undoDeletion(context, change)
    await refreshFiles(context)
    return deletion
  })
}

/** Purges everything that can still be restored. Returns the deletions that are gone for good. */
export async function runPurge(context: DeletionRunContext, options: DeletionRunOptions = {}): Promise<Deletion[]> {
  return withPipelineLocks(context, options, async () => {
    const held = listDeletions(context.ledger, ['held', 'purging']).map(({ change }) => change)
    purgeNow(context, held)
    return held.map((change) => deletionOf(context.ledger, change)!)
  })
}

function purgeNow(context: DeletionRunContext, changes: readonly number[]): boolean {
  const { ledger, machine } = context
  purgeDeletions(context, changes)
  removeOldCopies(context, findOldCopies(ledger.layout, machine))
  return changes.every((change) => deletionOf(ledger, change)?.state === 'purged')
}

/** Learning must not write what it found in a session that is being deleted, so both locks are taken. */
async function withPipelineLocks<T>(
  context: DeletionRunContext,
  { onWait = () => {}, maxWaitMs }: DeletionRunOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { ledger, clock } = context
  const take = (name: string) =>
    waitForLock(join(ledger.layout.run, `${name}.lock`), 'delete', clock, onWait, maxWaitMs)
  const releaseLearning = await take('learn')
  try {
    const releaseSweep = await take('sweep')
    try {
      await finishDeletions(context)
      return await work()
    } finally {
      releaseSweep()
    }
  } finally {
    releaseLearning()
  }
}

async function refreshFiles(context: DeletionRunContext): Promise<void> {
  const { ledger, clock, zone, machine } = context
  await finishDeletions(context)
  writeMemoryFiles(context)
  if (lastCompiled(ledger)) await buildWiki({ ledger, clock, zone, machine })
  // Answers are kept in a wiki that was never built, too.
  else if (isIndexDue(ledger)) writeIndex({ ledger })
  // Before briefs, which are no longer stale afterwards.
  if (areHintsDue(context)) writeHints(context)
  prepareBriefs(context, 'due')
  saveVaultSize(ledger)
}
