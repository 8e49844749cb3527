// The one rule of the engine: what is known of the server is written down, and then an item waits in the outbox exactly if it is to
// be there otherwise. Whatever was interrupted is put right by asking again.
import { markContradictions } from '../learn/admission/team.ts'
import { ensureQueued, markRefused, markSynced } from '../store/sync/outbox.ts'
import { type ServerItem, saveServerItem, serverItem } from '../store/sync/sync-items.ts'
import { bucketOf, deletedHash, hashOfDocument, markOf } from './identity.ts'
import { forgetSent, wasSent } from './in-flight.ts'
import { beginSynced } from './meet-memory.ts'
import type { Item, ItemDocument } from './protocol.ts'
import type { Meeting, Refusal, TravelContext } from './traveller.ts'
import { travellerOf } from './travellers.ts'

/** One transaction, and what belongs at its end. */
export function inOneStep<T>(context: TravelContext, work: (context: TravelContext) => T): T {
  const { ledger } = context
  return ledger.transaction(() => {
    let arrival: number | undefined
    const arrived: NonNullable<TravelContext['arrived']> = []
    const result = work({
      ...context,
      arrived,
      arrival() {
        arrival ??= beginSynced(context, 'from the server')
        return arrival
      },
    })
    const last = arrived.at(-1)
    if (last)
      markContradictions(
        ledger,
        arrived.map(({ memory }) => memory),
        last.change,
      )
    return result
  })
}

/** An item that others shared, and one that is shared with others from here: both are known, the latter is not looked at. */
export const sharedKind = 'memory shared'
const projectionKind = 'projection'

export function kindOf({ kind }: Pick<ServerItem, 'kind'>): string {
  return kind === sharedKind ? 'memory' : kind
}

/** What the server has of an item comes in. Inside a step. */
export function takeIn(context: TravelContext, space: string, item: Item): Meeting {
  const { ledger } = context
  const base = serverItem(ledger, space, item.id)
  const isKnown = base?.version === item.version && base.hash === item.hash
  const traveller = travellerOf(item.kind)
  if (!traveller || item.sharedBy?.isMine) {
    if (isKnown) return 'same'
    const kind = item.sharedBy?.isMine ? projectionKind : item.kind
    noteKnown(context, { space, id: item.id, kind, version: item.version, hash: item.hash, statement: '' })
    markSynced(ledger, space, item.id)
    return 'same'
  }
  const isAnswer = item.version === (base?.version ?? 0) + 1 && wasSent(ledger, space, item.id, item.hash)
  const isNew = !isKnown && !isAnswer
  const isCredited = !isNew && (traveller.credit?.(context, space, item) ?? false)
  if (isKnown && !isCredited) return 'same'
  const meeting = isNew
    ? traveller.meet(context, space, item, base && kindOf(base) === item.kind ? base : undefined)
    : 'same'
  // Nothing is known of it then, so nothing here can change or delete it there.
  if (meeting === 'not understood') return meeting
  const statement = item.document === null ? deletedHash : traveller.statementOf(item.document)
  const kind = item.sharedBy ? sharedKind : item.kind
  noteKnown(context, { space, id: item.id, kind, version: item.version, hash: item.hash, statement })
  settle(context, space, item.kind, item.id)
  return meeting
}

/** The server has an older version than it had, or another one under the same number. */
export function hasGoneBack({ ledger }: TravelContext, space: string, { id, version, hash }: Item): boolean {
  const base = serverItem(ledger, space, id)
  return base !== undefined && (version < base.version || (version === base.version && hash !== base.hash))
}

export function noteKnown({ ledger }: TravelContext, item: ServerItem): void {
  forgetSent(ledger, item.space, item.id)
  saveServerItem(ledger, { ...item, bucket: bucketOf(item.id), mark: markOf(item.id, item.hash) })
}

/** Whether it waits is found out anew. Inside a step. */
export function settle(context: TravelContext, space: string, kind: string, id: string): void {
  const { ledger } = context
  // What this version cannot send waits for one that can.
  if (!travellerOf(kind)) return
  const wish = wishOf(context, space, kind, id)
  if (wish.kind === 'refused') markRefused(ledger, { space, id, kind, refusal: { ...wish.refusal } })
  else if (wish.kind === 'as it is') markSynced(ledger, space, id)
  else ensureQueued(ledger, space, kind, id)
}

export type Wish =
  | { kind: 'as it is' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'send'; document: ItemDocument | null; hash: string; base: ServerItem | undefined }

export function wishOf(context: TravelContext, space: string, kind: string, id: string): Wish {
  const base = serverItem(context.ledger, space, id)
  const wanted = base?.kind === projectionKind ? undefined : travellerOf(kind)?.wanted(context, space, id)
  if (!wanted || wanted.kind === 'theirs') return { kind: 'as it is' }
  if (wanted.kind === 'refused') return wanted
  const document = wanted.kind === 'document' ? wanted.document : null
  const hash = hashOfDocument(document)
  return hash === (base?.hash ?? deletedHash) ? { kind: 'as it is' } : { kind: 'send', document, hash, base }
}
