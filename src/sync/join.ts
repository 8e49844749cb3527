// Joining a server, and leaving it. Whatever is one's own stays here in both cases.
import { UserError } from '../core/errors.ts'
import { plural } from '../core/units.ts'
import { clearOutbox, countPending, ownSpace } from '../store/sync/outbox.ts'
import { listSpaces } from '../store/sync/spaces.ts'
import { forgetSpace, leaveSpace, updateAccess } from './access.ts'
import { ask, type Line } from './client.ts'
import { writeSyncLines } from './config-lines.ts'
import { dropKey, type KeyPlace, keepKey } from './key.ts'
import { type Me, meSchema } from './protocol.ts'
import { queueWhatDiffers } from './reconcile.ts'
import { inOneStep } from './settle.ts'
import { forgetState, newState, readState, writeState } from './state.ts'
import type { TravelContext } from './traveller.ts'

export interface Joining {
  server: string
  key: string
  isInsecure: boolean
  fetch?: typeof fetch
}

export type JoinPlace = Pick<KeyPlace, 'layout'> & { layout: { config: string } }

/** Verified first: a wrong key or address changes nothing here. */
export async function join(context: TravelContext, place: JoinPlace, joining: Joining): Promise<Me> {
  const { ledger, clock } = context
  const { server, key, isInsecure } = joining
  const line: Line = { server, key, clock, timeoutMs: 30_000, fetch: joining.fetch ?? fetch }
  const reply = await ask(line, { path: '/api/me', schema: meSchema })
  if (reply.kind === 'failed') throw notJoined(server, reply.trouble.kind, reply.trouble.message)
  const me = reply.value
  const known = readState(ledger)
  if (known && (known.server !== server || (known.user !== '' && known.user !== me.user)))
    throw new UserError(
      `This machine has joined ${known.server} as ${known.user || 'somebody'}`,
      'Leave that first: recollect sync leave',
    )
  keepKey(place, key)
  writeSyncLines(place.layout.config, { server, insecure: isInsecure })
  writeState(ledger, { ...(known ?? newState(server, me.user)), key: 'good', keyProblem: null, user: me.user })
  updateAccess(context, me)
  for (const space of listSpaces(ledger)) queueWhatDiffers(context, space)
  return me
}

function notJoined(server: string, kind: string, message: string): UserError {
  if (kind === 'key' || kind === 'role')
    return new UserError(`${server} does not take the key: ${message}`, 'Ask whoever runs the server for a new one.', 1)
  if (kind === 'missing') return new UserError(`There is no Recollect server at ${server}`, 'Check the address.', 1)
  return new UserError(`Not joined: ${message}`, 'Check the address, and whether the server runs.', 3)
}

/** Memories of teams and of others go; what was not sent there would be lost, so it has to be said. */
export function leave(context: TravelContext, place: JoinPlace, isForced: boolean): void {
  const { ledger } = context
  const waiting = [...countPending(ledger)].filter(([space]) => space !== ownSpace)
  const count = waiting.reduce((sum, [, more]) => sum + more, 0)
  if (count > 0 && !isForced)
    throw new UserError(
      `${plural(count, 'change')} of what is in ${waiting.map(([space]) => space).join(', ')} did not reach the server yet`,
      'Send them with "recollect sync", or give them up with --force',
      1,
    )
  inOneStep(context, (step) => {
    for (const { name } of listSpaces(ledger)) if (name !== ownSpace) leaveSpace(step, name, 'This machine has left.')
    forgetSpace(step, ownSpace)
    clearOutbox(ledger)
    forgetState(ledger)
  })
  writeSyncLines(place.layout.config, {})
  dropKey(place)
}
