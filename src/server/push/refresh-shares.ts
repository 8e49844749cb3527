// Applies the share rules of a user again: after their membership changed, since rules apply only
// where the user may write, and after another user accepted or refused a share.
import { isoTime } from '../../core/clock.ts'
import type { Services, SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { type AuditRecord, writeAudit } from '../store/audit.ts'
import { lockSpaces } from '../store/item-headers.ts'
import { checkAccessUnchanged } from '../store/keys.ts'
import {
  idsAffectedByRules,
  personalSpaceOf,
  type ShareAnswer,
  saveShareAnswer,
  sourceOfShare,
} from '../store/shares.ts'
import { readSpaceState } from './load-state.ts'
import { projectSpace } from './projection.ts'
import { numberWrites, saveState, shareAuditOf } from './save-state.ts'

/**
 * `by` is who made the change; null for the command line. Call after the membership is committed;
 * idempotent.
 */
export async function refreshShares(services: Services, userId: number, by: AuditRecord['caller']): Promise<void> {
  await untilUnchanged(services, async (queries) => {
    const spaceId = await personalSpaceOf(queries, userId)
    if (!spaceId) return
    const spaces = await lockSpaces(queries, [{ spaceId, ids: [], also: [] }], { isWaiting: true })
    await projectRules(services, queries, { spaceId, spaces, by })
  })
}

/** Accepts or refuses what another user shares. False if there is no such share. */
export async function answerShare(
  services: Services,
  { access, sharedSpaceId }: { access: SpaceAccess; sharedSpaceId: string },
  { from, id, isAccepted }: ShareAnswer,
): Promise<boolean> {
  return untilUnchanged(services, async (queries) => {
    const spaceId = await sourceOfShare(queries, sharedSpaceId, { from, id })
    if (!spaceId) return false
    const spaces = await lockSpaces(queries, [{ spaceId, ids: [], also: [sharedSpaceId] }], { isWaiting: true })
    await checkAccessUnchanged(queries, access)
    if (!(await saveShareAnswer(queries, { spaceId, toSpaceId: sharedSpaceId, id, isAccepted }))) return false
    const detail = { share: id, from, isAccepted }
    await writeAudit(queries, { spaceId: sharedSpaceId, caller: access, action: 'share answer', detail })
    await projectRules(services, queries, { spaceId, spaces, by: access })
    return true
  })
}

const maxTries = 10

/** Shares are read before locking. Rolled back and tried again if they changed in the meantime. */
async function untilUnchanged<T>({ database }: Services, work: (queries: Queries) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(work)
    } catch (error) {
      if (!(error instanceof SharesChanged) || tries >= maxTries) throw error
    }
  }
}

class SharesChanged extends Error {
  constructor() {
    super('The shares changed during every attempt')
  }
}

interface RuleOwner {
  /** The personal space whose rules are applied. */
  spaceId: string
  spaces: Awaited<ReturnType<typeof lockSpaces>>
  by: AuditRecord['caller']
}

async function projectRules({ clock }: Services, queries: Queries, { spaceId, spaces, by }: RuleOwner): Promise<void> {
  const ids = await idsAffectedByRules(queries, spaceId)
  const state = await readSpaceState(queries, { spaceId, spaces, ids })
  if (!state) throw new SharesChanged()
  projectSpace(state, spaceId)
  const items = numberWrites(state)
  await saveState(queries, state, { items, at: isoTime(clock.nowMs()) })
  await writeAudit(queries, ...shareAuditOf(by, items))
}
