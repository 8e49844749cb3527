// Sharing by projection: a shared memory is copied into the space that it is shared with, and kept
// equal to its source. Readers need access to that space only.

import { shareDocument } from '../../sync/documents.ts'
import type { SharePermission } from '../../sync/protocol.ts'
import { canSeeProject, hasRole, type SpaceAccess } from '../context.ts'
import type { ItemHeader } from '../store/item-headers.ts'
import { type ShareRule, type ShareTarget, subjectKey } from '../store/shares.ts'
import { type CheckedItem, type PushRefusal, refuse } from './check-item.ts'
import { addWrite, headerOf, type PushState, pendingWriteOf, tombstoneFor } from './state.ts'

/** Copies a memory to the spaces that the rules name, and deletes it from others. */
export function projectItem(state: PushState, sourceId: string, id: string): void {
  const source = headerOf(state, sourceId, id)
  if (source?.kind !== 'memory') return
  for (const { id: spaceId, kind } of state.spaces) {
    // Nothing is shared into personal spaces, and a state of many pushes has many of them.
    if (kind === 'personal' || spaceId === sourceId) continue
    const there = headerOf(state, spaceId, id)
    if (hasIdConflict(there, sourceId)) continue
    const permission = permissionIn(state, spaceId, source)
    if (permission) putProjection(state, { source, spaceId, there, permission })
    else if (there?.isLive) addWrite(state, tombstoneFor(there, source.authorId))
  }
}

/** Projects all loaded memories of a space after its rules changed. */
export function projectSpace(state: PushState, sourceId: string): void {
  const ids = [...state.headers.values()].filter(({ spaceId }) => spaceId === sourceId).map(({ id }) => id)
  for (const id of ids) projectItem(state, sourceId, id)
}

/** The id is used by an item of the target space itself or of another user. */
function hasIdConflict(there: ItemHeader | undefined, sourceId: string): boolean {
  return there?.isLive === true && there.sourceId !== sourceId
}

/** The permission of a memory in a space; undefined if it is not shared there. */
export function permissionIn(state: PushState, spaceId: string, source: ItemHeader): SharePermission | undefined {
  const rules = (rulesByTarget(state.rules).get(spaceId) ?? []).filter((rule) => ruleApplies(rule, source))
  if (rules.some(({ permission }) => permission === 'write')) return 'write'
  return rules[0]?.permission
}

const rulesByTargetCache = new WeakMap<readonly ShareRule[], Map<string, ShareRule[]>>()

function rulesByTarget(rules: readonly ShareRule[]): Map<string, ShareRule[]> {
  const known = rulesByTargetCache.get(rules) ?? Map.groupBy(rules, ({ toSpaceId }) => toSpaceId)
  rulesByTargetCache.set(rules, known)
  return known
}

/**
 * Whether two versions of a memory are shared by the same rules, also by those that wait for an
 * answer or for access.
 */
export function areSharedAlike({ rules }: PushState, one: ItemHeader, other: ItemHeader): boolean {
  return rules.every((rule) => ruleCovers(rule, one) === ruleCovers(rule, other))
}

function ruleApplies(rule: ShareRule, source: ItemHeader): boolean {
  return rule.isOpen && ruleCovers(rule, source)
}

/** Inbox memories are never shared. */
function ruleCovers(rule: ShareRule, source: ItemHeader): boolean {
  if (rule.spaceId !== source.spaceId || !source.isLive || !source.isKept) return false
  const isMeant = rule.tag === null ? rule.memory === source.id : source.tags.includes(rule.tag)
  return isMeant && source.kind === 'memory' && canSeeProject(rule, source.project)
}

interface Projection {
  source: ItemHeader
  spaceId: string
  there: ItemHeader | undefined
  permission: SharePermission
}

function putProjection(state: PushState, { source, spaceId, there, permission }: Projection): void {
  if (there?.isLive && there.hash === source.hash && there.permission === permission) return
  const version = (there?.version ?? 0) + 1
  const header = { ...source, spaceId, version, sourceId: source.spaceId, permission }
  addWrite(state, { header, document: pendingWriteOf(state, source)?.document })
}

/** Adds, replaces or removes the rule of a share item. Returns a refusal, or undefined. */
export function applyShare(
  state: PushState,
  access: SpaceAccess,
  { id, document }: CheckedItem,
): PushRefusal | undefined {
  const others = state.rules.filter((rule) => rule.id !== id || rule.spaceId !== access.spaceId)
  if (document === null) {
    state.rules = others
    state.hasRuleChanges = true
    return undefined
  }
  if (others.length >= maxRules) return refuse(id, 'not allowed', `A user can have at most ${maxRules} shares.`)
  const { subject, with: name, permission } = shareDocument.parse(document)
  const target = state.targets.get(name)
  if (!target) return refuse(id, 'invalid', `Unknown ${name.startsWith('team:') ? 'team' : 'user'}.`)
  const refused = targetRefusal(access, id, target)
  if (refused) return refused
  const about = {
    spaceId: access.spaceId,
    id,
    memory: subject.kind === 'memory' ? subject.id : null,
    tag: subject.kind === 'tag' ? subject.tag : null,
    toSpaceId: target.spaceId,
  }
  const isAccepted = isAcceptedBy(target, about, state.rules)
  const rule: ShareRule = { ...about, permission, isAccepted, isOpen: isAccepted, projects: target.projects }
  const inTheWay = [...state.headers.values()].find(
    (header) => ruleApplies(rule, header) && hasIdConflict(headerOf(state, rule.toSpaceId, header.id), rule.spaceId),
  )
  if (inTheWay) {
    return refuse(
      id,
      'not allowed',
      `${name} has an item of its own with the id ${inTheWay.id}, so it cannot be shared there.`,
    )
  }
  state.rules = [...others, rule]
  state.hasRuleChanges = true
  return undefined
}

/**
 * A user sees at once what teammates share, unless they refused it before. What others share waits
 * until they accept it. An answer holds for what was asked, not for another subject under its id.
 */
function isAcceptedBy(
  target: ShareTarget,
  about: Omit<ShareRule, 'permission' | 'isAccepted' | 'isOpen' | 'projects'>,
  rules: readonly ShareRule[],
): boolean {
  if (target.userId === null) return true
  const isSame = (rule: ShareRule) =>
    rule.spaceId === about.spaceId && rule.toSpaceId === about.toSpaceId && subjectKey(rule) === subjectKey(about)
  const answered = rules.find((rule) => rule.id === about.id && isSame(rule))
  return answered ? answered.isAccepted : target.isTeammate && !target.refused.includes(subjectKey(about))
}

/** Every push of a user reads all rules and locks all targets. */
const maxRules = 1000

function targetRefusal(access: SpaceAccess, id: string, target: ShareTarget): PushRefusal | undefined {
  if (target.userId === access.userId) return refuse(id, 'invalid', 'You cannot share with yourself.')
  if (target.role && !hasRole(target.role, 'writer')) {
    return refuse(id, 'not allowed', 'You have read access only to this team.')
  }
  return undefined
}
