// Syncs memories: the user's own in the space `me`, those of teams and other users in their spaces.
import { isoTime } from '../../core/clock.ts'
import { markContradictions } from '../../learn/admission/team-conflicts.ts'
import { spaceText } from '../../memory/attribution.ts'
import { linkText, parseLink } from '../../memory/links.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { beginChange, changeMemories, changeMemory, removeMemoryInChange } from '../../store/memories/changes.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { ownSpace } from '../../store/sync/outbox.ts'
import { listShares } from '../../store/sync/shares.ts'
import { memoriesReferencing, memoryIdsIn, serverItem } from '../../store/sync/spaces.ts'
import { truncate } from '../../text/truncate.ts'
import { unknownFieldsOf } from '../engine/item-notes.ts'
import { deletedHash } from '../item-hash.ts'
import type { DesiredState, DiscardResult, SyncContext, SyncedKind, SyncRefusal } from '../item-kind.ts'
import { isPrivate, privateTag, secretRules, withoutSecrets } from '../privacy.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'
import {
  locationOf,
  memoryDocumentOf,
  memoryFrom,
  parseMemoryDocument,
  spaceOf,
  statementHash,
} from './memory-document.ts'
import { combineDuplicates } from './memory-merge-rules.ts'
import { beginSyncChange, mergeMemory, refetch, refetchFromOtherSpaces, updateMemoryAuthor } from './merge-memory.ts'
import { moveShares } from './shares.ts'

export const memoryKind: SyncedKind = {
  kind: 'memory',
  *idsIn({ ledger }, space) {
    for (let after = ''; ; ) {
      const page = memoryIdsIn(ledger, space === ownSpace ? null : space, after, 500)
      yield* page
      if (page.length === 0) return
      after = page.at(-1)!
    }
  },
  desiredState,
  projectOf: ({ ledger }, id) => memoryById(ledger, id)?.project ?? null,
  statementHash: (document) => statementHash(document && (parseMemoryDocument(document) ?? null)),
  mergeRemote: mergeMemory,
  updateAuthor: updateMemoryAuthor,
  adoptDuplicate,
  discardLocal,
  beforeCommit({ ledger, transaction }) {
    const received = transaction?.receivedMemories ?? []
    const last = received.at(-1)
    if (!last) return
    const memories = received.map(({ memory }) => memory)
    markContradictions(ledger, memories, last.change)
  },
  removeUnshared({ ledger, ...context }, space, id) {
    const memory = memoryById(ledger, id)
    if (!memory || memory.space !== space) return
    const change = beginSyncChange({ ledger, ...context }, `no longer shared: ${truncate(memory.text, 60)}`)
    removeMemoryInChange(ledger, change, id)
    context.transaction?.receivedMemories.push({ memory: { ...memory, state: 'forgotten' }, change })
  },
  removeSpace(context, space) {
    if (space === ownSpace) return
    const { ledger } = context
    let change: number | undefined
    for (;;) {
      const page = memoryIdsIn(ledger, space, '', 500)
      if (page.length === 0) return
      change ??= beginSyncChange(context, `left ${space}`)
      for (const id of page) {
        const memory = memoryById(ledger, id)!
        removeMemoryInChange(ledger, change, id)
        context.transaction?.receivedMemories.push({ memory: { ...memory, state: 'forgotten' }, change })
      }
    }
  },
}

function desiredState(context: SyncContext, space: string, id: string): DesiredState {
  const memory = memoryById(context.ledger, id)
  if (!memory) return { kind: 'absent' }
  if (spaceOf(memory) !== space) return { kind: 'unmanaged' }
  if (memory.state === 'forgotten' || memory.state === 'candidate') return { kind: 'absent' }
  const isOwn = space === ownSpace
  if (isOwn && isPrivate(context, memory)) return { kind: 'absent' }
  if (!isOwn && memory.tags.includes(privateTag)) return refused('not allowed', `It is tagged ${privateTag}.`)
  const document = { ...unknownFieldsOf(context.ledger, space, id), ...memoryDocumentOf(memory) } as ItemDocument
  if (!parseMemoryDocument(document)) return refused('invalid', 'It is larger than a server accepts.')
  const rules = secretRules(context, document)
  if (rules.length === 0) return { kind: 'document', document }
  const masked = isOwn && !isShared(context.ledger, memory) ? withoutSecrets(context, memory) : undefined
  if (!masked) return refused('secret', `It contains what looks like a secret: ${rules.join(', ')}.`, rules)
  const change = { at: isoTime(context.clock.nowMs()), kind: 'synced' as const, about: 'removed a secret' }
  changeMemories(context.ledger, change, [masked])
  return desiredState(context, space, id)
}

function refused(reason: SyncRefusal['reason'], message: string, rules?: string[]): DesiredState {
  return { kind: 'refused', refusal: { reason, message, ...(rules ? { rules } : {}) } }
}

/** Whether a share covers it, by its id or one of its tags. */
function isShared(ledger: Ledger, { id, tags }: Memory): boolean {
  return listShares(ledger).some(({ subject }) =>
    subject.kind === 'memory' ? subject.id === id : tags.includes(subject.tag),
  )
}

/**
 * A memory of another user must not keep a text that they did not write, so it is fetched again.
 */
function discardLocal(context: SyncContext, space: string, id: string): DiscardResult {
  const { ledger, clock } = context
  const memory = memoryById(ledger, id)
  if (space === ownSpace || (memory && spaceOf(memory) !== space)) return 'stays'
  const about = `not sent to ${spaceText(space)}: ${truncate(memory?.text ?? id, 60)}`
  const change = beginChange(ledger, { at: isoTime(clock.nowMs()), kind: 'taken back', about })
  removeMemoryInChange(ledger, change, id)
  if (memory) context.transaction?.receivedMemories.push({ memory: { ...memory, state: 'forgotten' }, change })
  const hash = serverItem(ledger, space, id)?.hash ?? deletedHash
  if (hash === deletedHash) {
    refetchFromOtherSpaces(ledger, { id, space })
    return 'gone'
  }
  refetch(ledger, space, id)
  return 'back'
}

function adoptDuplicate(context: SyncContext, space: string, id: string, of: SyncItem): boolean {
  const { ledger } = context
  const mine = memoryById(ledger, id)
  if (!mine || spaceOf(mine) !== space) return true
  const there = memoryById(ledger, of.id)
  const document = there ? memoryDocumentOf(there) : of.document && parseMemoryDocument(of.document)
  if (!document) return false
  if (there && (spaceOf(there) !== space || there.state !== 'kept' || there.supersededBy !== null)) return false
  const change = beginSyncChange(context, `${id} is ${of.id}: ${truncate(mine.text, 60)}`)
  const place = { ...locationOf(space, of), author: there?.author ?? locationOf(space, of).author }
  changeMemory(ledger, change, memoryFrom(combineDuplicates(document, memoryDocumentOf(mine)), there ?? mine, place))
  for (const naming of memoriesReferencing(ledger, id)) changeMemory(ledger, change, renamed(ledger, naming, id, of.id))
  moveShares(context, id, of.id)
  removeMemoryInChange(ledger, change, id)
  return true
}

function renamed(ledger: Ledger, naming: string, from: string, to: string): Memory {
  const memory = memoryById(ledger, naming)!
  // A memory cannot supersede itself.
  const other = (id: string | null) => (id === from ? (to === naming ? null : to) : id)
  const supersededBy = other(memory.supersededBy)
  return {
    ...memory,
    supersededBy,
    supersededAt: supersededBy === null ? null : memory.supersededAt,
    contradicts: other(memory.contradicts),
    links: memory.links.flatMap((text) => renamedLink(naming, text, from, to)),
    version: memory.version + 1,
  }
}

/** A link to the memory itself is dropped. */
function renamedLink(naming: string, text: string, from: string, to: string): string[] {
  const link = parseLink(naming, text)
  if (link?.to !== from) return [text]
  return to === naming ? [] : [linkText({ ...link, to })]
}
