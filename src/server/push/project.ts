// Sharing is projection: a shared memory is an item of the space that it is shared with, kept as its source is. Whoever reads a space
// needs access to that space and to nothing else.
import type { Permission } from '../../sync/protocol.ts'
import { maySee } from '../caller.ts'
import type { Head } from '../store/heads.ts'
import type { Rule } from '../store/shares.ts'
import { type Held, headOf, pendingOf, put, tombstoneOf } from './held.ts'

/** Brings a memory to where the rules of its space want it, as it is now, and takes it away from where they no longer do. */
export function project(held: Held, sourceId: string, id: string): void {
  const source = headOf(held, sourceId, id)
  if (source?.kind !== 'memory') return
  for (const { id: spaceId } of held.spaces) {
    if (spaceId === sourceId) continue
    const there = headOf(held, spaceId, id)
    if (isInTheWay(there, sourceId)) continue
    const permission = permissionIn(held, spaceId, source)
    if (permission) putProjection(held, { source, spaceId, there, permission })
    else if (there?.isLive) put(held, tombstoneOf(there, source.authorId))
  }
}

/** All memories of a space that are held: the rules have changed. */
export function projectAll(held: Held, sourceId: string): void {
  const ids = [...held.heads.values()].filter(({ spaceId }) => spaceId === sourceId).map(({ id }) => id)
  for (const id of ids) project(held, sourceId, id)
}

/** An item of the space itself, or of another person, has the id. */
export function isInTheWay(there: Head | undefined, sourceId: string): boolean {
  return there?.isLive === true && there.sourceId !== sourceId
}

/** What the rules allow with a memory in a space; undefined where they do not bring it there. */
export function permissionIn(held: Held, spaceId: string, source: Head): Permission | undefined {
  const rules = (rulesByTarget(held.rules).get(spaceId) ?? []).filter((rule) => applies(rule, source))
  if (rules.some(({ permission }) => permission === 'write')) return 'write'
  return rules[0]?.permission
}

const sorted = new WeakMap<readonly Rule[], Map<string, Rule[]>>()

function rulesByTarget(rules: readonly Rule[]): Map<string, Rule[]> {
  const known = sorted.get(rules) ?? Map.groupBy(rules, ({ toSpaceId }) => toSpaceId)
  sorted.set(rules, known)
  return known
}

/** What waits for a person's decision is not told to others. */
export function applies(rule: Rule, source: Head): boolean {
  if (!rule.isOpen || rule.spaceId !== source.spaceId || !source.isLive || !source.isKept) return false
  const isMeant = rule.tag === null ? rule.memory === source.id : source.tags.includes(rule.tag)
  return isMeant && source.kind === 'memory' && maySee(rule, source.project)
}

interface Projection {
  source: Head
  spaceId: string
  there: Head | undefined
  permission: Permission
}

function putProjection(held: Held, { source, spaceId, there, permission }: Projection): void {
  if (there?.isLive && there.hash === source.hash && there.permission === permission) return
  const version = (there?.version ?? 0) + 1
  const head = { ...source, spaceId, version, sourceId: source.spaceId, permission }
  put(held, { head, document: pendingOf(held, source)?.document })
}
