// Three-way merge of a memory with the server's version. A changed side wins over an unchanged one;
// if both changed, counts are combined and both statements are kept. The server's version may also
// be older than the common base, after its database was restored from a backup.
import { isoTime } from '../../core/clock.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { beginChange, changeMemory, memoryHistory, removeMemoryInChange } from '../../store/memories/changes.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { ownSpace } from '../../store/sync/outbox.ts'
import { deleteServerItem, listSpaces, saveReconciled, serverItem } from '../../store/sync/spaces.ts'
import { truncate } from '../../text/truncate.ts'
import type { MemoryDocument } from '../documents.ts'
import { forgetSent, hasUnacknowledged, saveUnknownFields, unknownFieldsOf } from '../engine/item-notes.ts'
import { deletedHash, hashOfDocument } from '../item-hash.ts'
import type { MergeResult, ServerState, SyncContext } from '../item-kind.ts'
import { isPrivate } from '../privacy.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'
import {
  locationOf,
  type MemoryLocation,
  memoryDocumentOf,
  memoryFrom,
  parseMemoryDocument,
  spaceOf,
  statementHash,
  unknownFields,
} from './memory-document.ts'
import { copyId, inboxCopy, mergeDocuments, preferTheirs } from './memory-merge-rules.ts'

export function mergeMemory(
  context: SyncContext,
  space: string,
  item: SyncItem,
  known: ServerState | undefined,
): MergeResult {
  const { ledger } = context
  const found = memoryById(ledger, item.id)
  const isElsewhere = found !== undefined && spaceOf(found) !== space
  // A memory is one row, so it cannot be in a second space.
  if (isElsewhere && !isGoneEverywhere(ledger, found)) return 'unchanged'
  const local = isElsewhere ? undefined : found
  const theirs = item.document === null ? null : parseMemoryDocument(item.document)
  if (theirs === undefined) return 'unsupported'
  if (local?.state === 'candidate') return replaceCandidate(context, space, item, theirs)
  const mine = local && isOnServer(context, space, local) ? memoryDocumentOf(local) : null
  const hash = local && mine ? localHash(ledger, space, local) : deletedHash
  const side: MergeTarget = { context, place: locationOf(space, item), local }
  if (hash === item.hash) return mergeUnchanged(side)

  const hasGoneBack = known !== undefined && item.version <= known.version
  const base = hasGoneBack ? undefined : known
  const isHidden = local !== undefined && mine === null && local.state !== 'forgotten'
  const isUnchanged = base ? base.hash === hash && !isHidden : !local && !known
  // Content sent but not acknowledged may have been seen by others, so undoing it counts as a
  // change.
  if (isUnchanged && !hasUnacknowledged(ledger, space, item.id)) return applyTheirs(side, theirs)

  const past = localHistoryOf(ledger, item.id)
  const isBehind = past.documents.has(item.hash) && (hasGoneBack || (!known && theirs !== null))
  if (isBehind) return 'unchanged'
  if (theirs === null) return deleteHere(side, mine!, base)
  if (mine === null) return deleteThere(side, theirs, base, past)

  const sides = { id: item.id, mine, theirs }
  const isNewThere = hasGoneBack && hash === known.hash && !past.statements.has(statementHash(theirs))
  const { document, copy } = isNewThere
    ? preferTheirs(sides)
    : mergeDocuments({
        ...sides,
        base: base && past.documents.get(base.hash),
        baseStatement: base?.statement,
        wasStatedHere: (statement) => past.statements.has(statement),
      })
  saveUnknownFields(ledger, space, item.id, unknownFields(theirs))
  const change = beginSyncChange(context, `two versions of: ${truncate(document.text, 60)}`)
  write(side, memoryFrom(document, local, side.place), change)
  // The space of a shared memory is read-only for copies; keep the copy in the user's own space.
  if (copy && item.sharedBy) writeCopy(side, withoutUserTrust(side, copy), ownSpace, change)
  else if (copy) writeCopy(side, copy, space, change)
  return copy ? 'conflict' : 'merged'
}

/**
 * Nobody has kept the candidate here, so a memory of the server replaces it. What this machine sent
 * itself, before it became a candidate, is withdrawn.
 */
function replaceCandidate(
  context: SyncContext,
  space: string,
  item: SyncItem,
  theirs: MemoryDocument | null,
): MergeResult {
  if (theirs === null || localHistoryOf(context.ledger, item.id).documents.has(item.hash)) return 'unchanged'
  return applyTheirs({ context, place: locationOf(space, item), local: undefined }, theirs)
}

interface MergeTarget {
  context: SyncContext
  place: MemoryLocation
  local: Memory | undefined
}

/** Whether the server should have it at all. */
function isOnServer(context: SyncContext, space: string, memory: Memory): boolean {
  return memory.state !== 'forgotten' && !(space === ownSpace && isPrivate(context, memory))
}

/** A memory of other users that was forgotten here and deleted on the server. */
function isGoneEverywhere(ledger: Ledger, { id, space, state }: Memory): boolean {
  return space !== null && state === 'forgotten' && (serverItem(ledger, space, id)?.hash ?? deletedHash) === deletedHash
}

/** Equal content may still have another author. */
function mergeUnchanged({ context, place, local }: MergeTarget): MergeResult {
  if (local) setAuthor(context, local, place.author)
  if (local?.state === 'forgotten' && local.space !== null) refetchFromOtherSpaces(context.ledger, place)
  return 'unchanged'
}

function setAuthor(context: SyncContext, local: Memory, author: string | null): boolean {
  if (local.space === null || local.state === 'forgotten' || local.author === author) return false
  changeMemory(context.ledger, beginSyncChange(context, `written by ${author}`), { ...local, author })
  return true
}

/** Content sent from this machine comes back with its author's name. */
export function updateMemoryAuthor(context: SyncContext, space: string, item: SyncItem): boolean {
  const local = memoryById(context.ledger, item.id)
  if (!local || spaceOf(local) !== space || localHash(context.ledger, space, local) !== item.hash) return false
  return setAuthor(context, local, locationOf(space, item).author)
}

function localHash(ledger: Ledger, space: string, memory: Memory): string {
  return hashOfDocument({ ...unknownFieldsOf(ledger, space, memory.id), ...memoryDocumentOf(memory) } as ItemDocument)
}

function applyTheirs(side: MergeTarget, theirs: MemoryDocument | null): MergeResult {
  const { context, place, local } = side
  if (theirs === null) {
    remove(side, local)
    return 'applied'
  }
  saveUnknownFields(context.ledger, place.space, place.id, unknownFields(theirs))
  const change = local ? beginSyncChange(context, truncate(theirs.text, 80)) : receivedChange(context)
  write(side, memoryFrom(theirs, local, place), change)
  return 'applied'
}

/** The deletion wins; a statement that the deleting user has not seen goes to the inbox. */
function deleteHere(side: MergeTarget, mine: MemoryDocument, base: ServerState | undefined): MergeResult {
  const isSeen = base?.statement === statementHash(mine)
  remove(side, side.local)
  if (isSeen) return 'merged'
  addToInbox(side, mine)
  return 'conflict'
}

function deleteThere(
  side: MergeTarget,
  theirs: MemoryDocument,
  base: ServerState | undefined,
  past: LocalHistory,
): MergeResult {
  const statement = statementHash(theirs)
  // Any statement in the local history was seen by the user who deleted it here, even if the
  // server's answer was lost.
  if (base?.statement === statement || past.statements.has(statement)) return 'merged'
  addToInbox(side, withoutUserTrust(side, theirs))
  return 'conflict'
}

/** A statement of another user must not count as the user's own when copied to their space. */
function withoutUserTrust({ place }: MergeTarget, words: MemoryDocument): MemoryDocument {
  return place.space !== ownSpace && words.trust === 'user said' ? { ...words, trust: 'imported' } : words
}

function addToInbox(side: MergeTarget, words: MemoryDocument): void {
  writeCopy(side, inboxCopy(words), ownSpace, receivedChange(side.context))
}

function write({ context }: Pick<MergeTarget, 'context'>, memory: Memory, change: number): void {
  changeMemory(context.ledger, change, memory)
  if (memory.space !== null) context.transaction?.receivedMemories.push({ memory, change })
}

/** The id includes both spaces: copies of one statement in two spaces need two rows. */
function writeCopy({ context, place }: MergeTarget, document: MemoryDocument, space: string, change: number): void {
  const id = copyId(place.space === ownSpace ? place.id : `${place.space} ${space} ${place.id}`, document)
  if (memoryById(context.ledger, id)) return
  write({ context }, memoryFrom(document, undefined, { id, space, author: place.author }), change)
}

/** Marks an own memory as forgotten, so that it is not learned again; removes those of others. */
function remove({ context, place }: MergeTarget, local: Memory | undefined): void {
  if (!local || local.state === 'forgotten') return
  const { ledger } = context
  const change = beginSyncChange(context, `forgotten: ${truncate(local.text, 60)}`)
  if (local.space === null) {
    changeMemory(ledger, change, { ...local, state: 'forgotten', version: local.version + 1 })
    return
  }
  removeMemoryInChange(ledger, change, local.id)
  context.transaction?.receivedMemories.push({ memory: { ...local, state: 'forgotten' }, change })
  refetchFromOtherSpaces(ledger, place)
}

/** Another space may have the same memory, which the removed row was hiding. */
export function refetchFromOtherSpaces(ledger: Ledger, { id, space }: Pick<MemoryLocation, 'id' | 'space'>): void {
  for (const { name } of listSpaces(ledger)) {
    const known = name === space ? undefined : serverItem(ledger, name, id)
    if (known && known.hash !== deletedHash) refetch(ledger, name, id)
  }
}

/** Drops the recorded server state, so that the next sync reads the item again. */
export function refetch(ledger: Ledger, space: string, id: string): void {
  deleteServerItem(ledger, space, id)
  forgetSent(ledger, space, id)
  saveReconciled(ledger, space, null)
}

interface LocalHistory {
  /** All local versions by hash; undefined under the hash of deleted items. */
  documents: Map<string, MemoryDocument | undefined>
  statements: Set<string>
}

function localHistoryOf(ledger: Ledger, id: string): LocalHistory {
  const past: LocalHistory = { documents: new Map(), statements: new Set() }
  const note = (memory: Memory) => {
    const document = memoryDocumentOf(memory)
    past.documents.set(hashOfDocument(document as ItemDocument), document)
    past.statements.add(statementHash(document))
  }
  for (const { before, after } of memoryHistory(ledger, id)) {
    if (before) note(before)
    if (after) note(after)
    if (!after || after.state === 'forgotten') past.documents.set(deletedHash, undefined)
  }
  return past
}

/** New memories of one transaction are recorded as one change. */
function receivedChange(context: SyncContext): number {
  const { transaction } = context
  const change = transaction?.receivedChange ?? beginSyncChange(context, 'from the server')
  if (transaction) transaction.receivedChange = change
  return change
}

export function beginSyncChange({ ledger, clock }: Pick<SyncContext, 'ledger' | 'clock'>, about: string): number {
  return beginChange(ledger, { at: isoTime(clock.nowMs()), kind: 'synced', about })
}
