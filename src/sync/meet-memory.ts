// What the server has of a memory meets what is here. Whoever changed something wins over whoever did not; where both did, counts
// are put together and words are kept, all of them. What the server has may also be older than what both had: a database that was
// restored from a backup.
import { isoTime } from '../core/clock.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { beginChange, changeMemory, memoryHistory, removeMemoryInChange } from '../store/memories/changes.ts'
import { memoryById } from '../store/memories/memories.ts'
import { ownSpace } from '../store/sync/outbox.ts'
import { listSpaces, saveReconciled } from '../store/sync/spaces.ts'
import { deleteServerItem, serverItem } from '../store/sync/sync-items.ts'
import { truncate } from '../text/truncate.ts'
import type { MemoryDocument } from './documents.ts'
import { deletedHash, hashOfDocument } from './identity.ts'
import { forgetSent, isInFlight } from './in-flight.ts'
import {
  documentOf,
  memoryFrom,
  type Place,
  parseMemoryDocument,
  placeOf,
  spaceOf,
  statementOf,
  unknownPart,
} from './memory-document.ts'
import { copyId, giveWay, inboxCopy, mergeMemories } from './merge.ts'
import { isPrivate } from './privacy.ts'
import type { Item, ItemDocument } from './protocol.ts'
import type { Known, Meeting, TravelContext } from './traveller.ts'
import { keepUnknown, unknownOf } from './unknown-part.ts'

export function meetMemory(context: TravelContext, space: string, item: Item, known: Known | undefined): Meeting {
  const { ledger } = context
  const found = memoryById(ledger, item.id)
  const isElsewhere = found !== undefined && spaceOf(found) !== space
  // It lies in another space here: one row cannot lie in two.
  if (isElsewhere && !isOver(ledger, found)) return 'same'
  const local = isElsewhere ? undefined : found
  const theirs = item.document === null ? null : parseMemoryDocument(item.document)
  if (theirs === undefined) return 'not understood'
  const mine = local && isThere(context, space, local) ? documentOf(local) : null
  const hash = local && mine ? hashHere(ledger, space, local) : deletedHash
  const side: Side = { context, place: placeOf(space, item), local }
  if (hash === item.hash) return same(side)

  const hasGoneBack = known !== undefined && item.version <= known.version
  const base = hasGoneBack ? undefined : known
  const isHidden = local !== undefined && mine === null && local.state !== 'forgotten'
  const isUnchanged = base ? base.hash === hash && !isHidden : !local && !known
  // Somebody may have seen what was sent from here and taken back since: then that is a change, too.
  if (isUnchanged && !isInFlight(ledger, space, item.id)) return take(side, theirs)

  const past = pastOf(ledger, item.id)
  const isBehind = past.documents.has(item.hash) && (hasGoneBack || (!known && theirs !== null))
  if (isBehind) return 'same'
  if (theirs === null) return deleteHere(side, mine!, base)
  if (mine === null) return deleteThere(side, theirs, base, past)

  const sides = { id: item.id, mine, theirs }
  const isNewThere = hasGoneBack && hash === known.hash && !past.statements.has(statementOf(theirs))
  const { document, copy } = isNewThere
    ? giveWay(sides)
    : mergeMemories({
        ...sides,
        base: base && past.documents.get(base.hash),
        baseStatement: base?.statement,
        wasHere: (statement) => past.statements.has(statement),
      })
  keepUnknown(ledger, space, item.id, unknownPart(theirs))
  const change = beginSynced(context, `two versions of: ${truncate(document.text, 60)}`)
  write(side, memoryFrom(document, local, side.place), change)
  // In what others show nobody else keeps anything.
  if (copy && item.sharedBy) writeCopy(side, ofOthers(side, copy), ownSpace, change)
  else if (copy) writeCopy(side, copy, space, change)
  return copy ? 'both' : 'merged'
}

interface Side {
  context: TravelContext
  place: Place
  local: Memory | undefined
}

/** Whether the server is to have it at all. */
function isThere({ config }: TravelContext, space: string, memory: Memory): boolean {
  return memory.state !== 'forgotten' && !(space === ownSpace && isPrivate(config, memory))
}

/** What others gave was forgotten here, and is gone there. */
function isOver(ledger: Ledger, { id, space, state }: Memory): boolean {
  return space !== null && state === 'forgotten' && (serverItem(ledger, space, id)?.hash ?? deletedHash) === deletedHash
}

/** Who wrote it may be another one all the same. */
function same({ context, place, local }: Side): Meeting {
  if (local) credit(context, local, place.author)
  if (local?.state === 'forgotten' && local.space !== null) lookElsewhere(context.ledger, place)
  return 'same'
}

function credit(context: TravelContext, local: Memory, author: string | null): boolean {
  if (local.space === null || local.state === 'forgotten' || local.author === author) return false
  changeMemory(context.ledger, beginSynced(context, `written by ${author}`), { ...local, author })
  return true
}

/** What was sent from here comes back with the name of who sent it. */
export function creditMemory(context: TravelContext, space: string, item: Item): boolean {
  const local = memoryById(context.ledger, item.id)
  if (!local || spaceOf(local) !== space || hashHere(context.ledger, space, local) !== item.hash) return false
  return credit(context, local, placeOf(space, item).author)
}

function hashHere(ledger: Ledger, space: string, memory: Memory): string {
  return hashOfDocument({ ...unknownOf(ledger, space, memory.id), ...documentOf(memory) } as ItemDocument)
}

function take(side: Side, theirs: MemoryDocument | null): Meeting {
  const { context, place, local } = side
  if (theirs === null) {
    remove(side, local)
    return 'taken'
  }
  keepUnknown(context.ledger, place.space, place.id, unknownPart(theirs))
  const change = local ? beginSynced(context, truncate(theirs.text, 80)) : arrivalOf(context)
  write(side, memoryFrom(theirs, local, place), change)
  return 'taken'
}

/** The delete holds; words that whoever deleted it has not seen are kept for a person to decide on. */
function deleteHere(side: Side, mine: MemoryDocument, base: Known | undefined): Meeting {
  const isSeen = base?.statement === statementOf(mine)
  remove(side, side.local)
  if (isSeen) return 'merged'
  keepForDecision(side, mine)
  return 'both'
}

function deleteThere(side: Side, theirs: MemoryDocument, base: Known | undefined, past: Past): Meeting {
  const statement = statementOf(theirs)
  // What was said here at any time was seen by who deleted it here, even where the answer of the server was lost.
  if (base?.statement === statement || past.statements.has(statement)) return 'merged'
  keepForDecision(side, ofOthers(side, theirs))
  return 'both'
}

/** What somebody else said is not the user's word when it comes to lie among what is their own. */
function ofOthers({ place }: Side, words: MemoryDocument): MemoryDocument {
  return place.space !== ownSpace && words.trust === 'user said' ? { ...words, trust: 'imported' } : words
}

function keepForDecision(side: Side, words: MemoryDocument): void {
  writeCopy(side, inboxCopy(words), ownSpace, arrivalOf(side.context))
}

function write({ context }: Pick<Side, 'context'>, memory: Memory, change: number): void {
  changeMemory(context.ledger, change, memory)
  if (memory.space !== null) context.arrived?.push({ memory, change })
}

/** Under an id that no copy of the same words in another space has: one row cannot lie in two. */
function writeCopy({ context, place }: Side, document: MemoryDocument, space: string, change: number): void {
  const id = copyId(place.space === ownSpace ? place.id : `${place.space} ${space} ${place.id}`, document)
  if (memoryById(context.ledger, id)) return
  write({ context }, memoryFrom(document, undefined, { id, space, author: place.author }), change)
}

/** One's own is forgotten, so that it is not learned again; what others gave is gone. */
function remove({ context, place }: Side, local: Memory | undefined): void {
  if (!local || local.state === 'forgotten') return
  const { ledger } = context
  const change = beginSynced(context, `forgotten: ${truncate(local.text, 60)}`)
  if (local.space === null) {
    changeMemory(ledger, change, { ...local, state: 'forgotten', version: local.version + 1 })
    return
  }
  removeMemoryInChange(ledger, change, local.id)
  context.arrived?.push({ memory: { ...local, state: 'forgotten' }, change })
  lookElsewhere(ledger, place)
}

/** Another space may have it, too: what lay in this one stood in its way. */
function lookElsewhere(ledger: Ledger, { id, space }: Place): void {
  for (const { name } of listSpaces(ledger)) {
    const known = name === space ? undefined : serverItem(ledger, name, id)
    if (known && known.hash !== deletedHash) readAgain(ledger, name, id)
  }
}

/** What the server has of it comes with the next exchange. */
export function readAgain(ledger: Ledger, space: string, id: string): void {
  deleteServerItem(ledger, space, id)
  forgetSent(ledger, space, id)
  saveReconciled(ledger, space, null)
}

interface Past {
  /** What the memory was here at any time, by hash; null under the hash of what is deleted. */
  documents: Map<string, MemoryDocument | undefined>
  statements: Set<string>
}

function pastOf(ledger: Ledger, id: string): Past {
  const past: Past = { documents: new Map(), statements: new Set() }
  const note = (memory: Memory) => {
    const document = documentOf(memory)
    past.documents.set(hashOfDocument(document as ItemDocument), document)
    past.statements.add(statementOf(document))
  }
  for (const { before, after } of memoryHistory(ledger, id)) {
    if (before) note(before)
    if (after) note(after)
    if (!after || after.state === 'forgotten') past.documents.set(deletedHash, undefined)
  }
  return past
}

function arrivalOf(context: TravelContext): number {
  return context.arrival?.() ?? beginSynced(context, 'from the server')
}

export function beginSynced({ ledger, clock }: Pick<TravelContext, 'ledger' | 'clock'>, about: string): number {
  return beginChange(ledger, { at: isoTime(clock.nowMs()), kind: 'synced', about })
}
