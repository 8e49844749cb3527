// Pulls changes page by page. Each page is applied in one transaction with the new cursor. A server
// that is wrong or hostile must not keep this machine reading: every page has to make progress.
import { type Space, saveReconciled, saveSpaceCursor } from '../../store/sync/spaces.ts'
import { type SyncFailure, sendRequest } from '../client.ts'
import type { SyncContext } from '../item-kind.ts'
import { maxItems, type PullPage, pullPageSchema, type SyncItem } from '../protocol.ts'
import { applyRemote, inSyncTransaction, isOlderThanKnown } from './engine.ts'
import type { SyncRun } from './push-changes.ts'

export async function pullSpace(run: SyncRun, space: Space): Promise<SyncFailure | undefined> {
  const { connection, context } = run
  const path = `/api/spaces/${encodeURIComponent(space.name)}/pull`
  const failed = (what: string): SyncFailure => ({
    kind: 'unavailable',
    message: `${connection.server} ${what} (space ${space.name}). ${wayOut}`,
  })
  let cursor = space.cursor
  let isReset = false
  for (let pages = 0; run.hasTime(); pages++) {
    if (pages >= run.maxPages) return failed(`sent ${pages} pages of changes and has more`)
    const request = { path: `${path}?after=${cursor}&limit=${maxItems}`, schema: pullPageSchema }
    const reply = await sendRequest(connection, request)
    if (reply.kind === 'failed') return reply.failure
    const page = reply.value
    if (page.isReset && (isReset || cursor === 0)) return failed('reset the cursor twice')
    const problem = page.isReset ? undefined : pageProblem(page, cursor)
    if (problem) return failed(problem)
    isReset ||= page.isReset
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

const wayOut =
  'What was read is kept. To read on: recollect sync. If it stays so, ask the administrator of the server, or leave it: recollect sync leave'

/** Why a page cannot be the next one after this cursor; undefined if it can. */
function pageProblem({ items, cursor, hasMore }: PullPage, after: number): string | undefined {
  if (cursor < after) return 'sent a cursor that goes back'
  if (hasMore && (cursor === after || items.length === 0)) return 'says that it has more changes but sends none'
  const isBetween = items.every(({ seq }) => seq > after && seq <= cursor)
  return isBetween ? undefined : 'sent changes that are not between its cursors'
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
