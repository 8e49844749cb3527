// When somebody has left a team, or may do something else in it, what they share follows: their rules stay, but bring only what they may
// write there.
import { isoTime } from '../../core/clock.ts'
import type { Queries } from '../database/database.ts'
import type { Services } from '../services.ts'
import type { Deed } from '../store/audit.ts'
import { lockSpaces } from '../store/heads.ts'
import { idsOfShared, personalSpaceOf } from '../store/projections.ts'
import { auditWritten } from './audit.ts'
import { flush, numbered } from './flush.ts'
import { projectAll } from './project.ts'
import { readHeld } from './take-hold.ts'

/** `by` is who changed it; null for the command line. Call it after the change of a member is committed; doing it twice changes nothing. */
export async function renewShares(services: Services, userId: number, by: Deed['caller']): Promise<void> {
  const isDone = () => services.database.transaction((queries) => renewIn(services, userId, by, queries))
  for (let tries = 0; tries < maxTries; tries++) if (await isDone()) return
  throw new Error('What is shared with whom changed again and again')
}

const maxTries = 10

async function renewIn({ clock }: Services, userId: number, by: Deed['caller'], queries: Queries): Promise<boolean> {
  const spaceId = await personalSpaceOf(queries, userId)
  if (!spaceId) return true
  const spaces = await lockSpaces(queries, spaceId, { ids: [], also: [] })
  const ids = await idsOfShared(queries, spaceId)
  const held = await readHeld(queries, { spaceId, spaces, ids, textHashes: [], targets: new Map() })
  if (!held) return false
  projectAll(held, spaceId)
  const items = numbered(held)
  await flush(queries, held, { items, at: isoTime(clock.nowMs()), userId })
  await auditWritten(queries, by, items)
  return true
}
