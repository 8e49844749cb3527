// Reading what has changed: page by page, each taken in together with the cursor behind it.
import { type Space, saveReconciled, saveSpaceCursor } from '../store/sync/spaces.ts'
import { ask, type Trouble } from './client.ts'
import { type Item, maxItems, pullPageSchema } from './protocol.ts'
import type { Sending } from './push.ts'
import { hasGoneBack, inOneStep, takeIn } from './settle.ts'
import type { TravelContext } from './traveller.ts'

export async function pullSpace(reading: Sending, space: Space): Promise<Trouble | undefined> {
  const { line, context } = reading
  const path = `/api/spaces/${encodeURIComponent(space.name)}/pull`
  let cursor = space.cursor
  while (reading.mayGoOn()) {
    const reply = await ask(line, { path: `${path}?after=${cursor}&limit=${maxItems}`, schema: pullPageSchema })
    if (reply.kind === 'failed') return reply.trouble
    const page = reply.value
    if (page.isReset && cursor === 0) return { kind: 'away', message: `${line.server} has lost its place` }
    cursor = page.isReset ? 0 : page.cursor
    inOneStep(context, (step) => {
      if (!page.isReset) takeInAll(step, reading, space.name, page.items)
      // Another history: it is read from its beginning, and compared as a whole.
      else saveReconciled(step.ledger, space.name, null)
      saveSpaceCursor(step.ledger, space.name, cursor)
    })
    if (!page.isReset && !page.hasMore) return undefined
  }
  return undefined
}

/** Inside a step. */
export function takeInAll(
  step: TravelContext,
  { report, notUnderstood }: Sending,
  space: string,
  items: readonly Item[],
): void {
  for (const item of items) {
    if (hasGoneBack(step, space, item)) report.restored++
    const meeting = takeIn(step, space, item)
    if (meeting === 'not understood') notUnderstood.add(`${space} ${item.id}`)
    else if (meeting !== 'same') report.pulled++
    if (meeting === 'both') report.conflicts++
  }
}
