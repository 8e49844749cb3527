// Shares own memories, single ones or all with a tag, with a team or a user. A share is an item of
// the user's own space; the server copies the memories that it covers.
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { isSharedProject, writeObstacle } from '../../learn/admission/team-access.ts'
import { spaceText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import { ownSpace } from '../../store/sync/outbox.ts'
import {
  deleteShare,
  listShares,
  ownMemoriesTagged,
  type Share,
  type ShareSubject,
  saveShare,
  shareById,
  shareItemId,
} from '../../store/sync/shares.ts'
import { listSpaces, serverItem } from '../../store/sync/spaces.ts'
import { shareDocument } from '../documents.ts'
import { deletedHash, hashOfDocument, shareIdOf } from '../item-hash.ts'
import type { MergeResult, ServerState, SyncContext, SyncedKind } from '../item-kind.ts'
import { isPrivate, privateTag, secretRules } from '../privacy.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'
import { memoryDocumentOf } from './memory-document.ts'

interface ShareRequest {
  subject: ShareSubject
  /** `team:<name>` or `user:<name>`. */
  with: string
  permission: Share['permission']
}

export interface SharePlan {
  share: Share
  /** The covered memories that others will see. */
  visible: Memory[]
  /** The covered memories that stay here: private ones and those with a secret. */
  hidden: Memory[]
  /** Visible to others although their project is a local folder that others do not have. */
  homeless: Memory[]
}

/** Computes the effect of a share without writing. Throws a UserError if it is not possible. */
export function planShare(context: SyncContext, request: ShareRequest, subject?: Memory): SharePlan {
  const { ledger, clock } = context
  checkTarget(context, request.with)
  if (subject) checkMemory(context, subject, request.with)
  if (request.subject.kind === 'tag' && request.subject.tag === privateTag)
    throw new UserError(`Memories tagged ${privateTag} are never shared`, 'Share another tag.', 1)
  const covered = subject
    ? [subject]
    : ownMemoriesTagged(ledger, request.subject.kind === 'tag' ? request.subject.tag : '')
  const hidden = covered.filter((memory) => isPrivate(context, memory) || secretsOf(context, memory).length > 0)
  const visible = covered.filter((memory) => !hidden.includes(memory))
  return {
    share: { ...request, id: shareIdOf(request), atMs: clock.nowMs() },
    visible,
    hidden,
    homeless: visible.filter(({ project }) => project !== null && !isSharedProject(project)),
  }
}

export function saveSharePlan({ ledger }: SyncContext, { share }: SharePlan): void {
  ledger.transaction(() => saveShare(ledger, share))
}

/** Finds the share by its id or a unique prefix of it. */
export function unshare({ ledger }: Pick<SyncContext, 'ledger'>, named: string): Share {
  const id = named.replace(/^share:/, '')
  const found = listShares(ledger).filter((one) => one.id.startsWith(id))
  if (found.length !== 1)
    throw new UserError(
      found.length === 0 ? `There is no share ${named}` : `${named} matches ${found.length} shares`,
      'See: recollect share --list',
      1,
    )
  ledger.transaction(() => deleteShare(ledger, found[0]!.id))
  return found[0]!
}

/** Moves the shares of a memory to the memory that replaced it. Call inside a transaction. */
export function moveShares({ ledger }: Pick<SyncContext, 'ledger'>, from: string, to: string): void {
  for (const one of listShares(ledger)) {
    if (one.subject.kind !== 'memory' || one.subject.id !== from) continue
    const moved = { ...one, subject: { kind: 'memory' as const, id: to } }
    const id = shareIdOf(moved)
    const permission = shareById(ledger, id)?.permission === 'write' ? 'write' : one.permission
    saveShare(ledger, { ...moved, id, permission })
    deleteShare(ledger, one.id)
  }
}

function checkTarget({ ledger }: SyncContext, target: string): void {
  if (!shareDocument.shape.with.safeParse(target).success)
    throw new UserError(`"${target}" is neither a team nor a user`, 'For example: --with team:core or --with user:bob')
  if (listSpaces(ledger).length === 0)
    throw new UserError('This machine has not joined a server', 'Join one first: recollect sync join <url>', 1)
  const obstacle = target.startsWith('team:') ? writeObstacle(ledger, { space: target, project: null }) : undefined
  if (obstacle) throw new UserError(obstacle.reason, obstacle.hint, 1)
}

function checkMemory(context: SyncContext, memory: Memory, target: string): void {
  const refuse = (reason: string, hint: string) => new UserError(`${memory.id} is not shared: ${reason}`, hint, 1)
  if (memory.space !== null)
    throw refuse(`it is not your own (${spaceText(memory.space)})`, 'Only your own memories can be shared.')
  if (memory.state !== 'kept')
    throw refuse(
      memory.state === 'inbox' ? 'it waits in the inbox' : 'it is forgotten',
      'Decide on it first: recollect inbox',
    )
  if (isPrivate(context, memory)) throw refuse(privateReason(memory), 'See [sync] in config.toml, and its tags.')
  const rules = secretsOf(context, memory)
  if (rules.length > 0)
    throw refuse(
      `it contains a secret (${rules.join(', ')})`,
      'Remove the secret from its file, or store it again without the secret.',
    )
  const obstacle = target.startsWith('team:')
    ? writeObstacle(context.ledger, { space: target, project: memory.project })
    : undefined
  if (obstacle) throw refuse(obstacle.reason, obstacle.hint)
}

function privateReason({ type, tags, project }: Memory): string {
  if (tags.includes(privateTag)) return `it is tagged ${privateTag}`
  return type === 'user' ? 'it is about you' : `${project} is private by sync.private`
}

function secretsOf(context: SyncContext, memory: Memory): string[] {
  return secretRules(context, memoryDocumentOf(memory))
}

export const shareKind: SyncedKind = {
  kind: 'share',
  *idsIn({ ledger }, space) {
    if (space === ownSpace) for (const { id } of listShares(ledger)) yield shareItemId(id)
  },
  desiredState({ ledger }, space, item) {
    const found = space === ownSpace ? shareById(ledger, idOf(item)) : undefined
    return found ? { kind: 'document', document: documentOf(found) } : { kind: 'absent' }
  },
  statementHash: (document) => (document === null ? deletedHash : hashOfDocument(document)),
  mergeRemote,
  discardLocal({ ledger }, space, item) {
    const one = shareById(ledger, idOf(item))
    if (!one) return 'gone'
    const known = serverItem(ledger, space, item)
    const other: Share = { ...one, permission: one.permission === 'read' ? 'write' : 'read' }
    const isOther = known?.hash === hashOfDocument(documentOf(other))
    if (isOther) saveShare(ledger, other)
    else deleteShare(ledger, one.id)
    return isOther ? 'back' : 'gone'
  },
}

function idOf(item: string): string {
  return item.slice(shareItemId('').length)
}

function documentOf({ subject, with: target, permission }: Share): ItemDocument {
  return { subject: { ...subject }, with: target, permission }
}

/** A changed side wins over an unchanged one; if both changed, the local share wins. */
function mergeRemote(
  { ledger, clock }: SyncContext,
  space: string,
  item: SyncItem,
  base: ServerState | undefined,
): MergeResult {
  const parsed = item.document === null ? null : shareDocument.safeParse(item.document)
  if (space !== ownSpace || parsed?.success === false) return 'unsupported'
  const mine = shareById(ledger, idOf(item.id))
  const hash = mine ? hashOfDocument(documentOf(mine)) : deletedHash
  if (hash === item.hash) return 'unchanged'
  const hasGoneBack = base !== undefined && item.version <= base.version
  const isNew = base === undefined && !mine
  if (!isNew && (hasGoneBack || base?.hash !== hash)) return 'merged'
  if (parsed) saveShare(ledger, { ...parsed.data, id: idOf(item.id), atMs: clock.nowMs() })
  else deleteShare(ledger, idOf(item.id))
  return 'applied'
}

/** A share as text for users. */
export function shareText({ subject, with: target, permission }: Share): string {
  const what = subject.kind === 'memory' ? subject.id : `every memory tagged ${subject.tag}`
  return `${what} with ${target}, ${permission === 'write' ? 'who may change it' : 'to read'}`
}

export function shareView(one: Share): Omit<Share, 'atMs'> & { at: string } {
  const { atMs, ...rest } = one
  return { ...rest, at: isoTime(atMs) }
}
