// Adds and removes links on the server. A link is part of the document of a memory, so it is written
// like every other change of the memory and reaches all machines.
import { isoTime } from '../../core/clock.ts'
import { hasLink, holderOf, type MemoryLink, maxLinks, withLink, withoutLink } from '../../memory/links.ts'
import { type MemoryDocument, memoryDocument } from '../../sync/documents.ts'
import type { ItemDocument, PushResult, SyncItem } from '../../sync/protocol.ts'
import { hasRole, type Services, type SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'
import { writeAudit } from '../store/audit.ts'
import { lockSpaces } from '../store/item-headers.ts'
import { itemById } from '../store/items.ts'
import { checkAccessUnchanged } from '../store/keys.ts'
import { checkMemoriesExist, leadsTo } from '../store/links.ts'
import { applyItems } from './apply-batch.ts'

export async function addLink(services: Services, access: SpaceAccess, link: MemoryLink): Promise<void> {
  checkWriter(access)
  const { from, type, to } = link
  if (from === to) throw new RequestProblem(422, 'self_link', 'A memory cannot be linked to itself.')
  await inLockedSpace(services, access, link, async (queries) => {
    await checkMemoriesExist(queries, access, [from, to])
    const item = await holderItem(queries, access, link)
    const held = linkedFieldsOf(item)
    if (hasLink(held, link)) throw new RequestProblem(409, 'duplicate_link', 'This link already exists.')
    // Following successors has to terminate.
    if (type === 'supersedes' && (await leadsTo(queries, access, { from: to, to: from })))
      throw new RequestProblem(422, 'link_cycle', 'The link would form a cycle.')
    if (type !== 'supersedes' && held.links.length >= maxLinks)
      throw new RequestProblem(422, 'too_many_links', `A memory has at most ${maxLinks} links.`)
    const at = isoTime(services.clock.nowMs())
    await write({ services, access, queries }, item, withLink(held, link, at))
    await writeAudit(queries, { spaceId: access.spaceId, caller: access, action: 'link', detail: { ...link } })
  })
}

/** Succeeds if the link does not exist. */
export async function removeLink(services: Services, access: SpaceAccess, link: MemoryLink): Promise<void> {
  checkWriter(access)
  await inLockedSpace(services, access, link, async (queries) => {
    await checkMemoriesExist(queries, access, [link.from])
    const item = await holderItem(queries, access, link)
    const held = item?.document ? linkedFieldsOf(item) : undefined
    if (!held || !hasLink(held, link)) return
    await write({ services, access, queries }, item!, withoutLink(held, link))
    await writeAudit(queries, { spaceId: access.spaceId, caller: access, action: 'unlink', detail: { ...link } })
  })
}

function checkWriter(access: SpaceAccess): void {
  if (hasRole(access.role, 'writer')) return
  throw new RequestProblem(403, 'forbidden', 'You have read access only to this space.')
}

/** Locks as a push of the two memories does, since two concurrent links could form a cycle. */
async function inLockedSpace(
  { database }: Services,
  access: SpaceAccess,
  { from, to }: MemoryLink,
  work: (queries: Queries) => Promise<void>,
): Promise<void> {
  await database.transaction(async (queries) => {
    await lockSpaces(queries, [{ spaceId: access.spaceId, ids: [from, to], also: [] }], { isWaiting: true })
    await checkAccessUnchanged(queries, access)
    await work(queries)
  })
}

function holderItem(queries: Queries, access: SpaceAccess, link: MemoryLink): Promise<SyncItem | undefined> {
  return itemById(queries, access, holderOf(link))
}

function linkedFieldsOf(item: SyncItem | undefined): Pick<MemoryDocument, 'supersededBy' | 'supersededAt'> & {
  links: string[]
} {
  const { links = [], supersededBy, supersededAt } = memoryDocument.parse(item?.document)
  return { links, supersededBy, supersededAt }
}

interface LinkWrite {
  services: Services
  access: SpaceAccess
  queries: Queries
}

async function write(
  { services, access, queries }: LinkWrite,
  item: SyncItem | undefined,
  { links, ...superseding }: ReturnType<typeof linkedFieldsOf>,
): Promise<void> {
  const { id, version, hash, document } = item!
  const { links: _, ...rest } = document!
  const changed: ItemDocument = {
    ...rest,
    ...superseding,
    // Without the field where there is none, as machines write it.
    ...(links.length > 0 ? { links } : {}),
    version: Number(document!.version) + 1,
  }
  const items = [{ id, kind: 'memory' as const, base: { version, hash }, document: changed }]
  const [result] = (await applyItems(services, access, items, queries)) ?? []
  if (result?.status !== 'stored') throw writeProblem(result)
}

function writeProblem(result: PushResult | undefined): RequestProblem {
  if (result?.status === 'refused') return new RequestProblem(403, 'not_allowed', result.message)
  return new RequestProblem(409, 'conflict', 'Changed by another request', 'Try again.')
}
