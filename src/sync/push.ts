// Sending what waits: in batches, each answered item by item. What the server has stored is known in the same step in which it
// leaves the outbox, so a cut anywhere only sends something twice, which changes nothing.

import { generationOf, markRefused, markSynced, type OutboxItem, pendingItems } from '../store/sync/outbox.ts'
import type { Space } from '../store/sync/spaces.ts'
import { serverItem } from '../store/sync/sync-items.ts'
import { ask, type Line, type Trouble } from './client.ts'
import { deletedHash } from './identity.ts'
import { noteAnswered, noteSent } from './in-flight.ts'
import { maxBatchBytes, maxBytesOf, maxItems, type PushedItem, type PushResult, pushAnswerSchema } from './protocol.ts'
import type { SyncReport } from './report.ts'
import { hasGoneBack, inOneStep, noteKnown, settle, takeIn, wishOf } from './settle.ts'
import type { Meeting, Refusal, TravelContext } from './traveller.ts'
import { travellerOf } from './travellers.ts'

export interface Sending {
  line: Line
  context: TravelContext
  report: SyncReport
  /** Items in a form that is not known here. */
  notUnderstood: Set<string>
  /** Whether there is time for one more request. */
  mayGoOn(): boolean
}

/** What stopped it; undefined where everything was sent that can be. */
export async function pushSpace(sending: Sending, space: Space): Promise<Trouble | undefined> {
  // What met somebody else's version waits again, as what came of the two.
  for (let pass = 0; pass < maxPasses; pass++) {
    for (let after = 0; ; ) {
      if (!sending.mayGoOn()) return undefined
      const batch = prepare(sending.context, space.name, after)
      if (!batch) break
      after = batch.through
      const trouble = batch.items.length > 0 ? await send(sending, space.name, batch.items) : undefined
      if (trouble) return trouble
    }
    if (pendingItems(sending.context.ledger, space.name, 0, 1).length === 0) return undefined
  }
  return undefined
}

const maxPasses = 5

/** An item as it is sent, and which of its changes that is. */
interface Sent {
  item: PushedItem
  waiting: OutboxItem
  hash: string
}

interface Batch {
  items: Sent[]
  /** The number in the outbox up to which it was looked at. */
  through: number
}

/** Room for the brackets around the items. */
const roomBytes = maxBatchBytes - 10_000

function prepare(context: TravelContext, space: string, after: number): Batch | undefined {
  return inOneStep(context, (step) => {
    const { ledger } = step
    const rows = pendingItems(ledger, space, after, maxItems)
    if (rows.length === 0) return undefined
    const batch: Batch = { items: [], through: after }
    let bytes = 0
    for (const waiting of rows) {
      const { id, kind } = waiting
      const wish = wishOf(step, space, kind, id)
      if (wish.kind !== 'send') {
        settle(step, space, kind, id)
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
      noteSent(ledger, space, id, wish.hash)
      // Asking may have changed it here: a secret that was taken out.
      const generation = generationOf(ledger, space, id) ?? waiting.generation
      batch.items.push({ item, waiting: { ...waiting, generation }, hash: wish.hash })
    }
    return batch
  })
}

/** A batch that is not taken is halved until the one item is found that is not. */
async function send(sending: Sending, space: string, items: readonly Sent[]): Promise<Trouble | undefined> {
  const reply = await ask(sending.line, {
    method: 'POST',
    path: `/api/spaces/${encodeURIComponent(space)}/push`,
    body: { items: items.map(({ item }) => item) },
    schema: pushAnswerSchema,
  })
  if (reply.kind === 'answered') return take(sending, space, items, reply.value.results)
  const { trouble } = reply
  if (trouble.kind === 'role') return refuseAll(sending, items, { reason: 'not allowed', message: trouble.message })
  if (trouble.kind !== 'too large' && trouble.kind !== 'invalid') return trouble
  if (items.length === 1) return refuseAll(sending, items, { reason: trouble.kind, message: trouble.message })
  const middle = Math.ceil(items.length / 2)
  return (await send(sending, space, items.slice(0, middle))) ?? (await send(sending, space, items.slice(middle)))
}

function take(
  { context, report, line, notUnderstood }: Sending,
  space: string,
  items: readonly Sent[],
  results: readonly PushResult[],
): Trouble | undefined {
  if (results.length !== items.length || results.some(({ id }, index) => id !== items[index]!.item.id))
    return { kind: 'away', message: `${line.server} answered for other items than were sent` }
  inOneStep(context, (step) => {
    for (const [index, result] of results.entries()) {
      const meeting = takeResult(step, report, space, items[index]!, result)
      if (meeting === 'both') report.conflicts++
      if (meeting === 'not understood') notUnderstood.add(`${space} ${result.id}`)
    }
  })
  return undefined
}

function takeResult(
  step: TravelContext,
  report: SyncReport,
  space: string,
  sent: Sent,
  result: PushResult,
): Meeting | undefined {
  const { ledger } = step
  const { id, kind, document } = sent.item
  const isUnchanged = generationOf(ledger, space, id) === sent.waiting.generation
  noteAnswered(ledger, space, id, sent.hash)
  switch (result.status) {
    case 'stored': {
      const statement = travellerOf(kind)!.statementOf(document)
      const known = serverItem(ledger, space, id)
      noteKnown(step, { space, id, kind: known?.kind ?? kind, version: result.version, hash: result.hash, statement })
      if (isUnchanged) markSynced(ledger, space, id)
      else settle(step, space, kind, id)
      report.pushed++
      return undefined
    }
    case 'conflict':
      if (hasGoneBack(step, space, result.current)) report.restored++
      return takeIn(step, space, result.current)
    case 'duplicate': {
      const meeting = takeIn(step, space, result.of)
      const isThat = travellerOf(kind)?.become?.(step, space, id, result.of) ?? false
      // With a base, even of nothing, the server is told that both are meant.
      if (!isThat) noteKnown(step, { space, id, kind, version: 0, hash: deletedHash, statement: deletedHash })
      settle(step, space, kind, result.of.id)
      settle(step, space, kind, id)
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

function refuseAll({ context, report }: Sending, items: readonly Sent[], refusal: Refusal): undefined {
  inOneStep(context, (step) => {
    for (const { waiting, hash } of items) {
      const { space, id, generation } = waiting
      noteAnswered(step.ledger, space, id, hash)
      if (generationOf(step.ledger, space, id) === generation) refuse(step, waiting, refusal)
    }
  })
  report.refused += items.length
  return undefined
}

function refuse({ ledger }: TravelContext, { space, id, kind }: OutboxItem, refusal: Refusal): void {
  markRefused(ledger, { space, id, kind, refusal: { ...refusal } })
}
