// Sending what waits: in batches, each answered item by item. What the server has stored is known in the same step in which it
// leaves the outbox, so a cut anywhere only sends something twice, which changes nothing.

import { generationOf, markRefused, markSynced, type OutboxItem, pendingItems } from '../../store/sync/outbox.ts'
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
  /** Items in a form that is not known here. */
  unsupported: Set<string>
  /** Whether there is time for one more request. */
  hasTime(): boolean
}

/** What stopped it; undefined where everything was sent that can be. */
export async function pushSpace(sending: SyncRun, space: Space): Promise<SyncFailure | undefined> {
  // What met somebody else's version waits again, as what came of the two.
  for (let pass = 0; pass < maxPasses; pass++) {
    for (let after = 0; ; ) {
      if (!sending.hasTime()) return undefined
      const batch = prepare(sending.context, space.name, after)
      if (!batch) break
      after = batch.through
      const failure = batch.items.length > 0 ? await send(sending, space.name, batch.items) : undefined
      if (failure) return failure
    }
    if (pendingItems(sending.context.ledger, space.name, 0, 1).length === 0) return undefined
  }
  return undefined
}

const maxPasses = 5

/** An item as it is sent, and which of its changes that is. */
interface SentItem {
  item: PushedItem
  waiting: OutboxItem
  hash: string
}

interface Batch {
  items: SentItem[]
  /** The number in the outbox up to which it was looked at. */
  through: number
}

/** Room for the brackets around the items. */
const roomBytes = maxBatchBytes - 10_000

function prepare(context: SyncContext, space: string, after: number): Batch | undefined {
  return inSyncTransaction(context, (step) => {
    const { ledger } = step
    const rows = pendingItems(ledger, space, after, maxItems)
    if (rows.length === 0) return undefined
    const batch: Batch = { items: [], through: after }
    let bytes = 0
    for (const waiting of rows) {
      const { id, kind } = waiting
      const wish = pendingChange(step, space, kind, id)
      if (wish.kind !== 'send') {
        refreshOutbox(step, space, kind, id)
        batch.through = waiting.number
        continue
      }
      const base = wish.base ? { version: wish.base.version, hash: wish.base.hash } : null
      const item: PushedItem = { id, kind: kind as PushedItem['kind'], base, document: wish.document }
      const size = Buffer.byteLength(JSON.stringify(item))
      if (size > maxBytesOf(item.kind) + 1000) {
        refuse(step, waiting, { reason: 'too large', message: `It has more than ${maxBytesOf(item.kind)} bytes.` })
        batch.through = waiting.number
        continue
      }
      if (bytes + size > roomBytes) break
      bytes += size
      batch.through = waiting.number
      recordSent(ledger, space, id, wish.hash)
      // Asking may have changed it here: a secret that was taken out.
      const generation = generationOf(ledger, space, id) ?? waiting.generation
      batch.items.push({ item, waiting: { ...waiting, generation }, hash: wish.hash })
    }
    return batch
  })
}

/** A batch that is not taken is halved until the one item is found that is not. */
async function send(sending: SyncRun, space: string, items: readonly SentItem[]): Promise<SyncFailure | undefined> {
  const reply = await sendRequest(sending.connection, {
    method: 'POST',
    path: `/api/spaces/${encodeURIComponent(space)}/push`,
    body: { items: items.map(({ item }) => item) },
    schema: pushResponseSchema,
  })
  if (reply.kind === 'answered') return applyResults(sending, space, items, reply.value.results)
  const { failure } = reply
  if (failure.kind === 'role') return refuseAll(sending, items, { reason: 'not allowed', message: failure.message })
  if (failure.kind !== 'too large' && failure.kind !== 'invalid') return failure
  if (items.length === 1) return refuseAll(sending, items, { reason: failure.kind, message: failure.message })
  const middle = Math.ceil(items.length / 2)
  return (await send(sending, space, items.slice(0, middle))) ?? (await send(sending, space, items.slice(middle)))
}

function applyResults(
  { context, report, connection: line, unsupported: notUnderstood }: SyncRun,
  space: string,
  items: readonly SentItem[],
  results: readonly PushResult[],
): SyncFailure | undefined {
  if (results.length !== items.length || results.some(({ id }, index) => id !== items[index]!.item.id))
    return { kind: 'away', message: `${line.server} answered for other items than were sent` }
  inSyncTransaction(context, (step) => {
    for (const [index, result] of results.entries()) {
      const meeting = applyResult(step, report, space, items[index]!, result)
      if (meeting === 'both') report.conflicts++
      if (meeting === 'not understood') notUnderstood.add(`${space} ${result.id}`)
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
      const meeting = applyRemote(step, space, result.of)
      const isThat = syncedKind(kind)?.adoptDuplicate?.(step, space, id, result.of) ?? false
      // With a base, even of nothing, the server is told that both are meant.
      if (!isThat) saveServerState(step, { space, id, kind, version: 0, hash: deletedHash, statement: deletedHash })
      refreshOutbox(step, space, kind, result.of.id)
      refreshOutbox(step, space, kind, id)
      return meeting
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
