// The types that every part of the server gets: the caller of a request with its access to spaces,
// and the dependencies of the instance. Every read or write of an item needs a caller.

import type { Clock } from '../core/clock.ts'
import type { AccessRole } from '../sync/protocol.ts'
import type { ServerDatabase } from './database/database.ts'
import type { Embed } from './search/embedder.ts'

export interface Caller {
  userId: number
  user: string
  keyId: string
  /** The highest role that the key allows. */
  role: AccessRole
  keyExpiresAt: string | null
  /** By name: `me`, `shared`, `team:<name>`. */
  spaces: ReadonlyMap<string, SpaceAccess>
}

/** Access of a caller to one space: the lower of the key's role and the membership's. */
export interface SpaceAccess {
  space: string
  spaceId: string
  kind: 'personal' | 'shared' | 'team'
  role: AccessRole
  /** Only these projects, and items without a project; null for all. */
  projects: readonly string[] | null
  /** Number of the last change of the space when the request began. */
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

/** Items without a project are visible to everyone in the space. */
export function canSeeProject({ projects }: Pick<SpaceAccess, 'projects'>, project: string | null): boolean {
  return projects === null || project === null || projects.includes(project)
}

export interface Services {
  database: ServerDatabase
  clock: Clock
  version: string
  /** Embeds texts for the search by meaning; undefined if not configured. */
  embed?: Embed
}
