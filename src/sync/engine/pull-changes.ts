// Reading what has changed: page by page, each taken in together with the cursor behind it.
import { type Space, saveReconciled, saveSpaceCursor } from '../../store/sync/spaces.ts'
import { type SyncFailure, sendRequest } from '../client.ts'
import type { SyncContext } from '../item-kind.ts'
import { maxItems, pullPageSchema, type SyncItem } from '../protocol.ts'
import { applyRemote, inSyncTransaction, isOlderThanKnown } from './engine.ts'
import type { SyncRun } from './push-changes.ts'

export async function pullSpace(reading: SyncRun, space: Space): Promise<SyncFailure | undefined> {
  const { connection: line, context } = reading
  const path = `/api/spaces/${encodeURIComponent(space.name)}/pull`
  let cursor = space.cursor
  while (reading.hasTime()) {
    const reply = await sendRequest(line, { path: `${path}?after=${cursor}&limit=${maxItems}`, schema: pullPageSchema })
    if (reply.kind === 'failed') return reply.failure
    const page = reply.value
    if (page.isReset && cursor === 0) return { kind: 'away', message: `${line.server} has lost its place` }
    cursor = page.isReset ? 0 : page.cursor
    inSyncTransaction(context, (step) => {
      if (!page.isReset) applyRemoteItems(step, reading, space.name, page.items)
      // Another history: it is read from its beginning, and compared as a whole.
      else saveReconciled(step.ledger, space.name, null)
      saveSpaceCursor(step.ledger, space.name, cursor)
    })
    if (!page.isReset && !page.hasMore) return undefined
  }
  return undefined
}

/** Inside a step. */
export function applyRemoteItems(
  step: SyncContext,
  { report, unsupported: notUnderstood }: SyncRun,
  space: string,
  items: readonly SyncItem[],
): void {
  for (const item of items) {
    if (isOlderThanKnown(step, space, item)) report.restored++
    const meeting = applyRemote(step, space, item)
    if (meeting === 'not understood') notUnderstood.add(`${space} ${item.id}`)
    else if (meeting !== 'same') report.pulled++
    if (meeting === 'both') report.conflicts++
  }
}
