// The whole of a space against the whole of what is here: finds what no cursor can, such as a database restored from a backup, access
// that has changed, or an outbox that was lost. Only parts whose sums differ are read.
import { memoryById } from '../store/memories/memories.ts'
import { markSynced } from '../store/sync/outbox.ts'
import { type Space, saveReconciled } from '../store/sync/spaces.ts'
import {
  bucketSums,
  deleteServerItem,
  type ServerItem,
  serverItemsAfter,
  serverItemsInBucket,
} from '../store/sync/sync-items.ts'
import { ask, type Trouble } from './client.ts'
import { deletedHash } from './identity.ts'
import { forgetSent } from './in-flight.ts'
import { bucketSchema, type Item, type Summary, summarySchema } from './protocol.ts'
import { takeInAll } from './pull.ts'
import type { Sending } from './push.ts'
import { inOneStep, kindOf, noteKnown, settle, sharedKind } from './settle.ts'
import type { TravelContext } from './traveller.ts'
import { travellerOf, travellers } from './travellers.ts'

const dayMs = 24 * 3_600_000

export function isReconcileDue({ reconciledMs }: Space, nowMs: number): boolean {
  return reconciledMs === null || Math.abs(nowMs - reconciledMs) >= dayMs
}

/** Everything here that the server is to have otherwise waits from now on. Asks nobody. */
export function queueWhatDiffers(context: TravelContext, { name }: Space): void {
  for (const traveller of travellers) {
    for (const page of pagesOf(traveller.ids(context, name))) {
      inOneStep(context, (step) => {
        for (const id of page) settle(step, name, traveller.kind, id)
      })
    }
  }
  for (let after = ''; ; ) {
    const page = serverItemsAfter(context.ledger, name, after, 500)
    if (page.length === 0) return
    inOneStep(context, (step) => {
      for (const known of page) if (travellerOf(kindOf(known))) settle(step, name, kindOf(known), known.id)
    })
    after = page.at(-1)!.id
  }
}

/** Some of what has changed here without a word to the outbox; whether there was anything. */
export function queueChanged(context: TravelContext, { name }: Space): boolean {
  return inOneStep(context, (step) =>
    travellers.map((traveller) => traveller.queueChanged?.(step, name) ?? false).some((isAny) => isAny),
  )
}

function* pagesOf(ids: Iterable<string>): Iterable<string[]> {
  let page: string[] = []
  for (const id of ids) {
    page.push(id)
    if (page.length < 500) continue
    yield page
    page = []
  }
  yield page
}

export async function reconcileSpace(reading: Sending, space: Space): Promise<Trouble | undefined> {
  const { line, context } = reading
  const path = `/api/spaces/${encodeURIComponent(space.name)}`
  const summary = await ask(line, { path: `${path}/summary`, schema: summarySchema })
  if (summary.kind === 'failed') return summary.trouble
  for (const bucket of bucketsThatDiffer(context, space.name, summary.value)) {
    if (!reading.mayGoOn()) return undefined
    const reply = await ask(line, { path: `${path}/buckets/${bucket}`, schema: bucketSchema })
    if (reply.kind === 'failed') return reply.trouble
    inOneStep(context, (step) => takeInBucket(step, reading, space, bucket, reply.value.items))
  }
  saveReconciled(context.ledger, space.name, context.clock.nowMs())
  return undefined
}

function bucketsThatDiffer({ ledger }: TravelContext, space: string, { buckets }: Summary): number[] {
  const here = bucketSums(ledger, space)
  const there = new Map(buckets.map(([bucket, count, sum]) => [bucket, { count, sum }]))
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((bucket) => {
      const [mine, theirs] = [here.get(bucket), there.get(bucket)]
      return mine?.count !== theirs?.count || mine?.sum !== theirs?.sum
    })
    .sort((a, b) => a - b)
}

function takeInBucket(
  step: TravelContext,
  reading: Sending,
  space: Space,
  bucket: number,
  items: readonly Item[],
): void {
  takeInAll(step, reading, space.name, items)
  const there = new Set(items.map(({ id }) => id))
  for (const known of serverItemsInBucket(step.ledger, space.name, bucket))
    if (!there.has(known.id) && missing(step, space, known) === 'lost') reading.report.restored++
}

/** What may not be seen any more goes; what the server has lost is sent again. */
function missing(step: TravelContext, space: Space, known: ServerItem): 'lost' | 'not ours' {
  const { ledger } = step
  const { id, version, statement } = known
  const kind = kindOf(known)
  deleteServerItem(ledger, space.name, id)
  forgetSent(ledger, space.name, id)
  if (known.kind === sharedKind || !maySee(step, space, id)) {
    travellerOf(kind)?.drop?.(step, space.name, id)
    markSynced(ledger, space.name, id)
    return 'not ours'
  }
  if (!travellerOf(kind)) return 'lost'
  // Its versions are counted on, so that other machines see a later one.
  if (known.hash !== deletedHash)
    noteKnown(step, { space: space.name, id, kind, version, hash: deletedHash, statement })
  settle(step, space.name, kind, id)
  return 'lost'
}

function maySee({ ledger }: TravelContext, { projects }: Space, id: string): boolean {
  const project = memoryById(ledger, id)?.project ?? null
  return projects === null || project === null || projects.includes(project)
}
