// When somebody has left a team, or may do something else in it, what they share follows: their rules stay, but bring only what they may
// write there.
import { isoTime } from '../../core/clock.ts'
import type { Queries } from '../database/database.ts'
import type { Services } from '../services.ts'
import type { AuditRecord } from '../store/audit.ts'
import { lockSpaces } from '../store/item-headers.ts'
import { idsAffectedByRules, personalSpaceOf } from '../store/shares.ts'
import { readLockedState } from './load-state.ts'
import { projectSpace } from './projection.ts'
import { numberWrites, saveState, writeShareAudit } from './save-state.ts'

/** `by` is who changed it; null for the command line. Call it after the change of a member is committed; doing it twice changes nothing. */
export async function refreshShares(services: Services, userId: number, by: AuditRecord['caller']): Promise<void> {
  const isDone = () => services.database.transaction((queries) => refreshInTransaction(services, userId, by, queries))
  for (let tries = 0; tries < maxTries; tries++) if (await isDone()) return
  throw new Error('What is shared with whom changed again and again')
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
