// Links that users set between memories. Undoable like every change.
import { isoTime } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import {
  hasLink,
  holderOf,
  type LinkType,
  linksIn,
  type MemoryLink,
  maxLinks,
  withLink,
  withoutLink,
} from '../memory/links.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoriesLinkedTo, memoriesSupersededBy } from '../store/memories/memories.ts'
import { checkSupersedes } from './admission/admit.ts'
import { changeObstacle } from './admission/team-access.ts'
import { type ChangeContext, checkNoObstacle, memoryNamed, writeChange } from './change.ts'

export interface LinkRequest {
  /** Ids, or unique beginnings of them. */
  from: string
  type: LinkType
  to: string
}

/** Returns the link with whole ids, and the memory that stores it. */
export function linkMemories(context: ChangeContext, request: LinkRequest): { link: MemoryLink; memory: Memory } {
  const { ledger, clock } = context
  const { link, from, to, holder } = resolveLink(ledger, request)
  if (from.id === to.id) throw new UserError('A memory cannot be linked to itself', 'Name another memory.', 1)
  for (const one of [from, to])
    if (one.state !== 'kept') throw new UserError(`${one.id} is ${stateText(one)}`, 'Link memories that are kept.', 1)
  if (from.space !== to.space)
    throw new UserError(
      `${from.id} and ${to.id} belong to different spaces`,
      'Only memories of the same space can be linked.',
      1,
    )
  checkNoObstacle(changeObstacle(ledger, holder))
  if (hasLink(holder, link)) throw new UserError('This link already exists', `See: recollect show ${holder.id}`, 1)
  if (link.type === 'supersedes') checkSupersedes(ledger, from, to)
  else if (holder.links.length >= maxLinks)
    throw new UserError(`${holder.id} already has ${maxLinks} links`, 'Remove one: recollect unlink', 1)
  const linked = withLink(holder, link, isoTime(clock.nowMs()))
  const memory: Memory = { ...holder, ...linked, version: holder.version + 1 }
  writeChange(context, 'linked', { ...holder, text: `${from.id} ${link.type} ${to.id}` }, [memory])
  return { link, memory }
}

export function unlinkMemories(context: ChangeContext, request: LinkRequest): { link: MemoryLink; memory: Memory } {
  const { ledger } = context
  const { link, holder } = resolveLink(ledger, request)
  checkNoObstacle(changeObstacle(ledger, holder))
  if (!hasLink(holder, link)) throw new UserError('There is no such link', `See: recollect show ${holder.id}`, 1)
  const memory: Memory = { ...holder, ...withoutLink(holder, link), version: holder.version + 1 }
  writeChange(context, 'linked', { ...holder, text: `no longer: ${link.from} ${link.type} ${link.to}` }, [memory])
  return { link, memory }
}

/** Links from and to a memory. */
export function linksOfMemory(ledger: Ledger, memory: Memory): MemoryLink[] {
  const back = [...memoriesSupersededBy(ledger, memory.id), ...memoriesLinkedTo(ledger, memory.id)]
  const incoming = back
    .flatMap(linksIn)
    .filter(({ from, type, to }) => (type === 'supersedes' ? from : to) === memory.id)
  return [...linksIn(memory), ...incoming]
}

function resolveLink(
  ledger: Ledger,
  request: LinkRequest,
): { link: MemoryLink; from: Memory; to: Memory; holder: Memory } {
  const [from, to] = [memoryNamed(ledger, request.from), memoryNamed(ledger, request.to)]
  const link: MemoryLink = { from: from.id, type: request.type, to: to.id }
  return { link, from, to, holder: holderOf(link) === to.id ? to : from }
}

function stateText({ state }: Memory): string {
  return state === 'inbox' ? 'in the inbox' : state === 'candidate' ? 'a candidate' : 'forgotten'
}
