// Pulls changes page by page. Each page is applied in one transaction with the new cursor.
import { type Space, saveReconciled, saveSpaceCursor } from '../../store/sync/spaces.ts'
import { type SyncFailure, sendRequest } from '../client.ts'
import type { SyncContext } from '../item-kind.ts'
import { maxItems, pullPageSchema, type SyncItem } from '../protocol.ts'
import { applyRemote, inSyncTransaction, isOlderThanKnown } from './engine.ts'
import type { SyncRun } from './push-changes.ts'

export async function pullSpace(run: SyncRun, space: Space): Promise<SyncFailure | undefined> {
  const { connection: line, context } = run
  const path = `/api/spaces/${encodeURIComponent(space.name)}/pull`
  let cursor = space.cursor
  while (run.hasTime()) {
    const reply = await sendRequest(line, { path: `${path}?after=${cursor}&limit=${maxItems}`, schema: pullPageSchema })
    if (reply.kind === 'failed') return reply.failure
    const page = reply.value
    if (page.isReset && cursor === 0) return { kind: 'unavailable', message: `${line.server} reset the cursor twice` }
    cursor = page.isReset ? 0 : page.cursor
    inSyncTransaction(context, (step) => {
      if (!page.isReset) applyRemoteItems(step, run, space.name, page.items)
      // The server's history was replaced: read it from the start and compare everything.
      else saveReconciled(step.ledger, space.name, null)
      saveSpaceCursor(step.ledger, space.name, cursor)
    })
    if (!page.isReset && !page.hasMore) return undefined
  }
  return undefined
}

/** Call inside a sync transaction. */
export function applyRemoteItems(
  step: SyncContext,
  { report, unsupported: notUnderstood }: SyncRun,
  space: string,
  items: readonly SyncItem[],
): void {
  for (const item of items) {
    if (isOlderThanKnown(step, space, item)) report.restored++
    const result = applyRemote(step, space, item)
    if (result === 'unsupported') notUnderstood.add(`${space} ${item.id}`)
    else if (result !== 'unchanged') report.pulled++
    if (result === 'conflict') report.conflicts++
  }
}
