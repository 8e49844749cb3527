// Updates the shared copies of a user after their membership changed: rules stay, but apply only
// where the user may write.
import { isoTime } from '../../core/clock.ts'
import type { Services } from '../context.ts'
import type { Queries } from '../database/database.ts'
import type { AuditRecord } from '../store/audit.ts'
import { lockSpaces } from '../store/item-headers.ts'
import { idsAffectedByRules, personalSpaceOf } from '../store/shares.ts'
import { readLockedState } from './load-state.ts'
import { projectSpace } from './projection.ts'
import { numberWrites, saveState, writeShareAudit } from './save-state.ts'

/**
 * `by` is who made the change; null for the command line. Call after the membership is committed;
 * idempotent.
 */
export async function refreshShares(services: Services, userId: number, by: AuditRecord['caller']): Promise<void> {
  const isDone = () => services.database.transaction((queries) => refreshInTransaction(services, userId, by, queries))
  for (let tries = 0; tries < maxTries; tries++) if (await isDone()) return
  throw new Error('The shares changed during every attempt')
}

const maxTries = 10

async function refreshInTransaction(
  { clock }: Services,
  userId: number,
  by: AuditRecord['caller'],
  queries: Queries,
): Promise<boolean> {
  const spaceId = await personalSpaceOf(queries, userId)
  if (!spaceId) return true
  const spaces = await lockSpaces(queries, spaceId, { ids: [], also: [] })
  const ids = await idsAffectedByRules(queries, spaceId)
  const state = await readLockedState(queries, { spaceId, spaces, ids, textHashes: [], targets: new Map() })
  if (!state) return false
  projectSpace(state, spaceId)
  const items = numberWrites(state)
  await saveState(queries, state, { items, at: isoTime(clock.nowMs()), userId })
  await writeShareAudit(queries, by, items)
  return true
}
