// Who asks, and what they may see. Nothing reads or writes an item without one of these.
import type { AccessRole } from '../sync/protocol.ts'

export interface Caller {
  userId: number
  user: string
  keyId: string
  /** The most that the key allows. */
  role: AccessRole
  keyExpiresAt: string | null
  /** By name: `me`, `shared`, `team:<name>`. */
  spaces: ReadonlyMap<string, SpaceAccess>
}

/** What one caller may do in one space: the lesser of what the key and the membership allow. */
export interface SpaceAccess {
  space: string
  spaceId: string
  kind: 'personal' | 'shared' | 'team'
  role: AccessRole
  /** Only these, and what has no project; null for all. */
  projects: readonly string[] | null
  /** The number of its last change, when the request began. */
  seq: number
  userId: number
  keyId: string
}

const ranks: Record<AccessRole, number> = { reader: 0, writer: 1, admin: 2 }

export function hasRole(role: AccessRole, needed: AccessRole): boolean {
  return ranks[role] >= ranks[needed]
}

export function lowerRole(one: AccessRole, other: AccessRole): AccessRole {
  return ranks[one] <= ranks[other] ? one : other
}

/** Something without a project concerns whoever is in the space. */
export function canSeeProject({ projects }: Pick<SpaceAccess, 'projects'>, project: string | null): boolean {
  return projects === null || project === null || projects.includes(project)
}
