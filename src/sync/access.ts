// Which spaces there are, as the server says: new ones are read from their beginning, what lay in one that is gone leaves.
import { clearOutbox, markRefused, ownSpace, pendingItems, refusedItems } from '../store/sync/outbox.ts'
import { deleteSpace, listSpaces, renameSpace, saveSpaceAccess } from '../store/sync/spaces.ts'
import { forgetAllSent, renameSent } from './in-flight.ts'
import type { Me } from './protocol.ts'
import { inOneStep } from './settle.ts'
import type { Refusal, TravelContext } from './traveller.ts'
import { travellers } from './travellers.ts'
import { forgetAllUnknown, renameUnknown } from './unknown-part.ts'

export function updateAccess(context: TravelContext, { spaces }: Me): void {
  inOneStep(context, (step) => {
    const { ledger } = step
    for (const known of listSpaces(ledger)) {
      const same = spaces.find(({ id }) => id === known.id)
      const isFree = !listSpaces(ledger).some(({ name }) => name === same?.name)
      if (!same || same.name === known.name || !isFree) continue
      renameSpace(ledger, known.name, same.name)
      renameSent(ledger, known.name, same.name)
      renameUnknown(ledger, known.name, same.name)
    }
    for (const { name, id } of listSpaces(ledger)) {
      if (spaces.some((space) => space.name === name && space.id === id)) continue
      // One's own is never taken away: another space of that name starts from nothing, and everything is sent there.
      if (name === ownSpace) forgetSpace(step, name)
      else leaveSpace(step, name, `You are no longer in ${name}.`)
    }
    for (const space of spaces) saveSpaceAccess(ledger, space)
  })
}

/** What waited to be sent there is told to a person; its words stay in the history. Inside a step. */
export function leaveSpace(context: TravelContext, space: string, message: string): void {
  const { ledger } = context
  const waiting = [
    ...pendingItems(ledger, space, 0, Number.MAX_SAFE_INTEGER),
    ...refusedItems(ledger).filter((item) => item.space === space),
  ]
  for (const traveller of travellers) traveller.leave?.(context, space)
  clearOutbox(ledger, space)
  forgetSpace(context, space)
  const refusal: Refusal = { reason: 'not allowed', message }
  for (const { id, kind } of waiting) markRefused(ledger, { space, id, kind, refusal: { ...refusal } })
}

/** All that is known of it, also of what was sent there: another space of that name has nothing to do with it. */
export function forgetSpace({ ledger }: TravelContext, space: string): void {
  deleteSpace(ledger, space)
  forgetAllSent(ledger, space)
  forgetAllUnknown(ledger, space)
}
