// Links between memories of a space. A memory stores the links that start at it as texts,
// `see-also m-k3j5h2`, in ledger, documents and files alike. `supersedes` is not among them: it is
// the field `supersededBy` of the other memory, which all stages read.
import type { Memory } from './memory.ts'

export const linkTypes = ['supersedes', 'resolved-by', 'part-of', 'see-also'] as const
export type LinkType = (typeof linkTypes)[number]

export interface MemoryLink {
  from: string
  type: LinkType
  to: string
}

/** Most links that start at one memory. */
export const maxLinks = 50

export function linkText({ type, to }: Pick<MemoryLink, 'type' | 'to'>): string {
  return `${type} ${to}`
}

/** Undefined for a type that this version does not know. */
export function parseLink(from: string, text: string): MemoryLink | undefined {
  const space = text.indexOf(' ')
  const type = linkTypes.find((name) => name === text.slice(0, space))
  return type && type !== 'supersedes' ? { from, type, to: text.slice(space + 1) } : undefined
}

/** The links that start at a memory, and the one by which another supersedes it. */
export function linksIn({ id, links, supersededBy }: Pick<Memory, 'id' | 'links' | 'supersededBy'>): MemoryLink[] {
  const superseding = supersededBy ? [{ from: supersededBy, type: 'supersedes' as const, to: id }] : []
  return [...superseding, ...links.flatMap((text) => parseLink(id, text) ?? [])]
}

type LinkedFields = Pick<Memory, 'links' | 'supersededBy' | 'supersededAt'>

/** The fields of the memory that stores the link: `to` if it is superseded, else `from`. */
export function withLink(fields: LinkedFields, link: MemoryLink, at: string): LinkedFields {
  if (link.type === 'supersedes') return { ...pickLinked(fields), supersededBy: link.from, supersededAt: at }
  return { ...pickLinked(fields), links: [...fields.links, linkText(link)] }
}

export function withoutLink(fields: LinkedFields, link: MemoryLink): LinkedFields {
  if (link.type === 'supersedes') return { ...pickLinked(fields), supersededBy: null, supersededAt: null }
  return { ...pickLinked(fields), links: fields.links.filter((text) => text !== linkText(link)) }
}

export function hasLink(fields: Pick<Memory, 'links' | 'supersededBy'>, link: MemoryLink): boolean {
  return link.type === 'supersedes' ? fields.supersededBy === link.from : fields.links.includes(linkText(link))
}

/** The id of the memory that stores the link. */
export function holderOf({ from, type, to }: MemoryLink): string {
  return type === 'supersedes' ? to : from
}

function pickLinked({ links, supersededBy, supersededAt }: LinkedFields): LinkedFields {
  return { links, supersededBy, supersededAt }
}
