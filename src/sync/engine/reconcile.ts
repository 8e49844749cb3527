// Compares a whole space with this machine. Finds what a cursor cannot: a database restored from a
// backup, changed access, a lost outbox. Only buckets whose checksums differ are read.
import { markSynced } from '../../store/sync/outbox.ts'
import {
  bucketSums,
  deleteServerItem,
  type ServerItem,
  type Space,
  saveReconciled,
  serverItemsAfter,
  serverItemsInBucket,
  sharedKind,
} from '../../store/sync/spaces.ts'
import { type SyncFailure, sendRequest } from '../client.ts'
import { deletedHash } from '../item-hash.ts'
import type { SyncContext } from '../item-kind.ts'
import { syncedKind, syncedKinds } from '../item-kinds.ts'
import { bucketSchema, type SpaceSummary, type SyncItem, summarySchema } from '../protocol.ts'
import { inSyncTransaction, itemKindOf, refreshOutbox, saveServerState } from './engine.ts'
import { forgetSent } from './item-notes.ts'
import { applyRemoteItems } from './pull-changes.ts'
import type { SyncRun } from './push-changes.ts'

const dayMs = 24 * 3_600_000

export function isReconcileDue({ reconciledMs }: Space, nowMs: number): boolean {
  return reconciledMs === null || Math.abs(nowMs - reconciledMs) >= dayMs
}

/** Queues every local item whose desired state differs from the known server state. No requests. */
export function enqueueDifferences(context: SyncContext, { name }: Space): void {
  for (const kind of syncedKinds) {
    for (const page of pagesOf(kind.idsIn(context, name))) {
      inSyncTransaction(context, (step) => {
        for (const id of page) refreshOutbox(step, name, kind.kind, id)
      })
    }
  }
  for (let after = ''; ; ) {
    const page = serverItemsAfter(context.ledger, name, after, 500)
    if (page.length === 0) return
    inSyncTransaction(context, (step) => {
      for (const known of page)
        if (syncedKind(itemKindOf(known))) refreshOutbox(step, name, itemKindOf(known), known.id)
    })
    after = page.at(-1)!.id
  }
}

/** Queues some of the items that changed without being queued. Returns whether there were any. */
export function enqueueChanged(context: SyncContext, { name }: Space): boolean {
  return inSyncTransaction(context, (step) =>
    syncedKinds.map((kind) => kind.enqueueChanged?.(step, name) ?? false).some((isAny) => isAny),
  )
}

function* pagesOf(ids: Iterable<string>): Iterable<string[]> {
  let page: string[] = []
  for (const id of ids) {
    page.push(id)
    if (page.length < 500) continue
    yield page
    page = []
  }
  yield page
}

export async function reconcileSpace(run: SyncRun, space: Space): Promise<SyncFailure | undefined> {
  const { connection: line, context } = run
  const path = `/api/spaces/${encodeURIComponent(space.name)}`
  const summary = await sendRequest(line, { path: `${path}/summary`, schema: summarySchema })
  if (summary.kind === 'failed') return summary.failure
  for (const bucket of differingBuckets(context, space.name, summary.value)) {
    if (!run.hasTime()) return undefined
    const reply = await sendRequest(line, { path: `${path}/buckets/${bucket}`, schema: bucketSchema })
    if (reply.kind === 'failed') return reply.failure
    inSyncTransaction(context, (step) => applyBucket(step, run, space, bucket, reply.value.items))
  }
  saveReconciled(context.ledger, space.name, context.clock.nowMs())
  return undefined
}

function differingBuckets({ ledger }: SyncContext, space: string, { buckets }: SpaceSummary): number[] {
  const here = bucketSums(ledger, space)
  const there = new Map(buckets.map(([bucket, count, sum]) => [bucket, { count, sum }]))
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((bucket) => {
      const [mine, theirs] = [here.get(bucket), there.get(bucket)]
      return mine?.count !== theirs?.count || mine?.sum !== theirs?.sum
    })
    .sort((a, b) => a - b)
}

function applyBucket(step: SyncContext, run: SyncRun, space: Space, bucket: number, items: readonly SyncItem[]): void {
  applyRemoteItems(step, run, space.name, items)
  const there = new Set(items.map(({ id }) => id))
  for (const known of serverItemsInBucket(step.ledger, space.name, bucket))
    if (!there.has(known.id) && handleMissing(step, space, known) === 'lost') run.report.restored++
}

/** Removes items that are no longer visible, and queues those that the server lost. */
function handleMissing(step: SyncContext, space: Space, known: ServerItem): 'lost' | 'hidden' {
  const { ledger } = step
  const { id, version, statement } = known
  const kind = itemKindOf(known)
  deleteServerItem(ledger, space.name, id)
  forgetSent(ledger, space.name, id)
  if (known.kind === sharedKind || !isVisible(step, space, kind, id)) {
    syncedKind(kind)?.removeUnshared?.(step, space.name, id)
    markSynced(ledger, space.name, id)
    return 'hidden'
  }
  if (!syncedKind(kind)) return 'lost'
  // Continue its version numbers, so that other machines see a later version.
  if (known.hash !== deletedHash)
    saveServerState(step, { space: space.name, id, kind, version, hash: deletedHash, statement })
  refreshOutbox(step, space.name, kind, id)
  return 'lost'
}

function isVisible(step: SyncContext, { projects }: Space, kind: string, id: string): boolean {
  const project = syncedKind(kind)?.projectOf?.(step, id) ?? null
  return projects === null || project === null || projects.includes(project)
}
