// What a push holds under lock: the spaces, what is in them, and what it is going to write. Decisions are made on this, item by item, and
// see what the items before them have changed; the database is written once, at the end.
import { deletedHash } from '../../sync/identity.ts'
import type { ItemDocument } from '../../sync/protocol.ts'
import type { Indexed } from '../search/indexed.ts'
import type { Head, LockedSpace } from '../store/heads.ts'
import type { Rule, Target } from '../store/shares.ts'

export interface Held {
  spaces: readonly LockedSpace[]
  /** By space and id. */
  heads: Map<string, Head>
  /** By space and what they say: ids of memories. */
  twins: Map<string, Set<string>>
  rules: Rule[]
  /** Whether this push has changed them: what they concern is then brought where they want it, at its end. */
  hasNewRules: boolean
  /** What the shares of this push name. */
  targets: ReadonlyMap<string, Target>
  /** In the order in which they get their numbers. */
  pending: Map<string, Pending>
}

export interface Pending {
  head: Head
  /** Undefined: as the space that it is shared from has it. */
  document: ItemDocument | null | undefined
  /** Where it is known already. */
  indexed?: Indexed
}

export function hold(found: {
  spaces: readonly LockedSpace[]
  heads: readonly Head[]
  rules: Rule[]
  targets: ReadonlyMap<string, Target>
}): Held {
  const held: Held = { ...found, hasNewRules: false, heads: new Map(), twins: new Map(), pending: new Map() }
  for (const head of found.heads) keep(held, head)
  return held
}

export function headOf(held: Held, spaceId: string, id: string): Head | undefined {
  return held.heads.get(keyOf(spaceId, id))
}

/** What it is going to be, where this push changes it. */
export function pendingOf(held: Held, { spaceId, id }: Head): Pending | undefined {
  return held.pending.get(keyOf(spaceId, id))
}

/** Another memory of the space that says the same. */
export function twinOf(held: Held, spaceId: string, textHash: string | null, id: string): string | undefined {
  if (textHash === null) return undefined
  return [...(held.twins.get(keyOf(spaceId, textHash)) ?? [])].find((other) => other !== id)
}

export function put(held: Held, pending: Pending): void {
  const key = keyOf(pending.head.spaceId, pending.head.id)
  // Written again, it takes its place behind what was written meanwhile.
  held.pending.delete(key)
  held.pending.set(key, pending)
  keep(held, pending.head)
}

/** What is left of an item: who may know of it is still told by its project. */
export function tombstoneOf(head: Head, authorId: number): Pending {
  const version = head.version + 1
  const gone = {
    hash: deletedHash,
    tags: [],
    textHash: null,
    isLive: false,
    isKept: false,
    sourceId: null,
    permission: null,
  }
  return { head: { ...head, ...gone, version, authorId }, document: null }
}

function keep(held: Held, head: Head): void {
  const key = keyOf(head.spaceId, head.id)
  const before = held.heads.get(key)?.textHash
  if (before) held.twins.get(keyOf(head.spaceId, before))?.delete(head.id)
  // What is only shown in a space goes with its share: nothing can become that.
  if (head.textHash && head.sourceId === null) {
    const said = keyOf(head.spaceId, head.textHash)
    held.twins.set(said, (held.twins.get(said) ?? new Set()).add(head.id))
  }
  held.heads.set(key, head)
}

function keyOf(spaceId: string, rest: string): string {
  return `${spaceId} ${rest}`
}
