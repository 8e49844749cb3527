// What a push leaves in the audit: ids and counts, never what an item says.
import type { PushResult } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { type Deed, writeAudit } from '../store/audit.ts'
import type { Numbered } from './flush.ts'

export async function auditPush(
  queries: Queries,
  access: Access,
  { statuses, items }: { statuses: readonly PushResult['status'][]; items: readonly Numbered[] },
): Promise<void> {
  const { spaceId } = access
  const counts = Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, of]) => [status, of.length]),
  )
  const own = items.filter(({ head }) => head.spaceId === spaceId)
  await writeAudit(queries, { spaceId, caller: access, action: 'push', detail: { counts, ...idsOf(own) } })
  await auditWritten(
    queries,
    access,
    items.filter(({ head }) => head.spaceId !== spaceId),
  )
}

/** What sharing wrote is told in the space that it was written to. */
export async function auditWritten(
  queries: Queries,
  caller: Deed['caller'],
  written: readonly Numbered[],
): Promise<void> {
  for (const [spaceId, items] of Map.groupBy(written, ({ head }) => head.spaceId)) {
    await writeAudit(queries, { spaceId, caller, action: 'share', detail: idsOf(items) })
  }
}

function idsOf(items: readonly Numbered[]): { written: string[]; deleted: string[] } {
  const of = (isWanted: (item: Numbered) => boolean) => items.filter(isWanted).map(({ head }) => head.id)
  return { written: of(({ document }) => document !== null), deleted: of(({ document }) => document === null) }
}
