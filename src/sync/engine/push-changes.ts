// Pushes the outbox in batches; the server answers for each item. A stored item is recorded and
// removed from the outbox in one transaction, so an interruption only repeats a push, which has no
// effect.

import {
  generationOf,
  lastPending,
  markRefused,
  markSynced,
  type OutboxItem,
  pendingItems,
} from '../../store/sync/outbox.ts'
import type { Space } from '../../store/sync/spaces.ts'
import { serverItem } from '../../store/sync/spaces.ts'
import { type ServerConnection, type SyncFailure, sendRequest } from '../client.ts'
import { deletedHash } from '../item-hash.ts'
import type { MergeResult, SyncContext, SyncRefusal } from '../item-kind.ts'
import { syncedKind } from '../item-kinds.ts'
import {
  maxBatchBytes,
  maxBytesOf,
  maxItems,
  type PushedItem,
  type PushResult,
  pushResponseSchema,
} from '../protocol.ts'
import type { SyncReport } from '../state.ts'
import {
  applyRemote,
  inSyncTransaction,
  isOlderThanKnown,
  pendingChange,
  refreshOutbox,
  saveServerState,
} from './engine.ts'
import { recordAcknowledged, recordSent } from './item-notes.ts'

export interface SyncRun {
  connection: ServerConnection
  context: SyncContext
  report: SyncReport
  /** Items that this version of the program cannot read. */
  unsupported: Set<string>
  /** Pages that are read of one space. */
  maxPages: number
  /** Whether there is time for another request. */
  hasTime(): boolean
}

/** Returns the failure that stopped it; undefined if everything that can be sent was sent. */
export async function pushSpace(run: SyncRun, space: Space): Promise<SyncFailure | undefined> {
  // Merged conflicts are queued again with the merged content.
  for (let pass = 0; pass < maxPasses; pass++) {
    // What is queued during a pass waits for the next one, so that answers cannot prolong a pass.
    const last = lastPending(run.context.ledger, space.name)
    for (let after = 0; after < last; ) {
      if (!run.hasTime()) return undefined
      const batch = prepare(run.context, space.name, after)
      if (!batch) break
      after = batch.through
      const failure = batch.items.length > 0 ? await send(run, space.name, batch.items) : undefined
      if (failure) return failure
    }
    if (pendingItems(run.context.ledger, space.name, 0, 1).length === 0) return undefined
  }
  return undefined
}

const maxPasses = 5

/** An item as sent, with its outbox row at that time. */
interface SentItem {
  item: PushedItem
  waiting: OutboxItem
  hash: string
}

interface Batch {
  items: SentItem[]
  /** The number of the last outbox row that was considered. */
  through: number
}

/** Leaves space for the JSON around the items. */
const maxItemsBytes = maxBatchBytes - 10_000

function prepare(context: SyncContext, space: string, after: number): Batch | undefined {
  return inSyncTransaction(context, (step) => {
    const { ledger } = step
    const rows = pendingItems(ledger, space, after, maxItems)
    if (rows.length === 0) return undefined
    const batch: Batch = { items: [], through: after }
    let bytes = 0
    for (const waiting of rows) {
      const { id, kind } = waiting
      const change = pendingChange(step, space, kind, id)
      if (change.kind !== 'send') {
        refreshOutbox(step, space, kind, id)
        batch.through = waiting.number
        continue
      }
      const base = change.base ? { version: change.base.version, hash: change.base.hash } : null
      const item: PushedItem = { id, kind: kind as PushedItem['kind'], base, document: change.document }
      const size = Buffer.byteLength(JSON.stringify(item))
      if (size > maxBytesOf(item.kind) + 1000) {
        refuse(step, waiting, { reason: 'too large', message: `It is larger than ${maxBytesOf(item.kind)} bytes.` })
        batch.through = waiting.number
        continue
      }
      if (bytes + size > maxItemsBytes) break
      bytes += size
      batch.through = waiting.number
      recordSent(ledger, space, id, change.hash)
      // Computing the desired state may have changed the item: a secret was removed from it.
      const generation = generationOf(ledger, space, id) ?? waiting.generation
      batch.items.push({ item, waiting: { ...waiting, generation }, hash: change.hash })
    }
    return batch
  })
}

/** Splits a rejected batch in halves until the rejected item is found. */
async function send(run: SyncRun, space: string, items: readonly SentItem[]): Promise<SyncFailure | undefined> {
  const reply = await sendRequest(run.connection, {
    method: 'POST',
    path: `/api/spaces/${encodeURIComponent(space)}/push`,
    body: { items: items.map(({ item }) => item) },
    schema: pushResponseSchema,
  })
  if (reply.kind === 'answered') return applyResults(run, space, items, reply.value.results)
  const { failure } = reply
  if (failure.kind === 'role') return refuseAll(run, items, { reason: 'not allowed', message: failure.message })
  if (failure.kind !== 'too large' && failure.kind !== 'invalid') return failure
  if (items.length === 1) return refuseAll(run, items, { reason: failure.kind, message: failure.message })
  const middle = Math.ceil(items.length / 2)
  return (await send(run, space, items.slice(0, middle))) ?? (await send(run, space, items.slice(middle)))
}

function applyResults(
  { context, report, connection: line, unsupported: notUnderstood }: SyncRun,
  space: string,
  items: readonly SentItem[],
  results: readonly PushResult[],
): SyncFailure | undefined {
  if (results.length !== items.length || results.some(({ id }, index) => id !== items[index]!.item.id))
    return { kind: 'unavailable', message: `${line.server} answered for other items than were sent` }
  inSyncTransaction(context, (step) => {
    for (const [index, result] of results.entries()) {
      const merged = applyResult(step, report, space, items[index]!, result)
      if (merged === 'conflict') report.conflicts++
      if (merged === 'unsupported') notUnderstood.add(`${space} ${result.id}`)
    }
  })
  return undefined
}

function applyResult(
  step: SyncContext,
  report: SyncReport,
  space: string,
  sent: SentItem,
  result: PushResult,
): MergeResult | undefined {
  const { ledger } = step
  const { id, kind, document } = sent.item
  const isUnchanged = generationOf(ledger, space, id) === sent.waiting.generation
  recordAcknowledged(ledger, space, id, sent.hash)
  switch (result.status) {
    case 'stored': {
      const statement = syncedKind(kind)!.statementHash(document)
      const known = serverItem(ledger, space, id)
      saveServerState(step, {
        space,
        id,
        kind: known?.kind ?? kind,
        version: result.version,
        hash: result.hash,
        statement,
      })
      if (isUnchanged) markSynced(ledger, space, id)
      else refreshOutbox(step, space, kind, id)
      report.pushed++
      return undefined
    }
    case 'conflict':
      if (isOlderThanKnown(step, space, result.current)) report.restored++
      return applyRemote(step, space, result.current)
    case 'duplicate': {
      const merged = applyRemote(step, space, result.of)
      const isAdopted = syncedKind(kind)?.adoptDuplicate?.(step, space, id, result.of) ?? false
      // A base, even of a deleted item, tells the server to store both.
      if (!isAdopted) saveServerState(step, { space, id, kind, version: 0, hash: deletedHash, statement: deletedHash })
      refreshOutbox(step, space, kind, result.of.id)
      refreshOutbox(step, space, kind, id)
      return merged
    }
    case 'refused': {
      const { reason, message, rules } = result
      if (isUnchanged) refuse(step, sent.waiting, { reason, message, ...(rules ? { rules } : {}) })
      report.refused++
      return undefined
    }
    default:
      return result satisfies never
  }
}

function refuseAll({ context, report }: SyncRun, items: readonly SentItem[], refusal: SyncRefusal): undefined {
  inSyncTransaction(context, (step) => {
    for (const { waiting, hash } of items) {
      const { space, id, generation } = waiting
      recordAcknowledged(step.ledger, space, id, hash)
      if (generationOf(step.ledger, space, id) === generation) refuse(step, waiting, refusal)
    }
  })
  report.refused += items.length
  return undefined
}

function refuse({ ledger }: SyncContext, { space, id, kind }: OutboxItem, refusal: SyncRefusal): void {
  markRefused(ledger, { space, id, kind, refusal: { ...refusal } })
}
