// Joins and leaves a server, keeps the list of its spaces, and writes both to config.toml. The
// user's own memories stay on this machine in all cases.

import { writeSettings } from '../core/config/write-settings.ts'
import { UserError } from '../core/errors.ts'
import { plural } from '../core/units.ts'
import { clearOutbox, countPending, markRefused, ownSpace, pendingItems, refusedItems } from '../store/sync/outbox.ts'
import { deleteSpace, listSpaces, renameSpace, saveSpaceAccess } from '../store/sync/spaces.ts'
import { type ServerConnection, sendRequest } from './client.ts'
import { deleteKey, type KeyLocation, saveKey } from './credentials.ts'
import { inSyncTransaction } from './engine/engine.ts'
import { deleteNotesOfSpace, renameNotesOfSpace } from './engine/item-notes.ts'
import { enqueueDifferences } from './engine/reconcile.ts'
import type { SyncContext, SyncRefusal } from './item-kind.ts'
import { syncedKinds } from './item-kinds.ts'
import { type AccountInfo, accountInfoSchema } from './protocol.ts'
import { forgetState, newState, readState, writeState } from './state.ts'

interface JoinOptions {
  server: string
  key: string
  isInsecure: boolean
  fetch?: typeof fetch
}

type JoinFiles = Pick<KeyLocation, 'layout'> & { layout: { config: string } }

/** Checks key and address with the server before anything is written. */
export async function joinServer(context: SyncContext, files: JoinFiles, options: JoinOptions): Promise<AccountInfo> {
  const { ledger, clock } = context
  const { server, key, isInsecure } = options
  const connection: ServerConnection = { server, key, clock, timeoutMs: 30_000, fetch: options.fetch ?? fetch }
  const reply = await sendRequest(connection, { path: '/api/me', schema: accountInfoSchema })
  if (reply.kind === 'failed') throw joinError(server, reply.failure.kind, reply.failure.message)
  const me = reply.value
  const known = readState(ledger)
  if (known && (known.server !== server || (known.user !== '' && known.user !== me.user)))
    throw new UserError(
      `This machine has already joined ${known.server} as ${known.user || 'an unknown user'}`,
      'Leave it first: recollect sync leave',
    )
  saveKey(files, key)
  writeSyncSettings(files.layout.config, { server, insecure: isInsecure })
  writeState(ledger, { ...(known ?? newState(server, me.user)), key: 'good', keyProblem: null, user: me.user })
  updateSpaces(context, me)
  for (const space of listSpaces(ledger)) enqueueDifferences(context, space)
  return me
}

function joinError(server: string, kind: string, message: string): UserError {
  if (kind === 'key' || kind === 'role')
    return new UserError(
      `${server} does not accept the key: ${message}`,
      'Ask the administrator of the server for a new one.',
      1,
    )
  if (kind === 'missing') return new UserError(`There is no Recollect server at ${server}`, 'Check the address.', 1)
  return new UserError(`Not joined: ${message}`, 'Check the address, and whether the server runs.', 3)
}

/**
 * Removes memories of teams and other users. Refuses while changes to them are unsent, unless
 * forced.
 */
export function leaveServer(context: SyncContext, files: JoinFiles, isForced: boolean): void {
  const { ledger } = context
  const waiting = [...countPending(ledger)].filter(([space]) => space !== ownSpace)
  const count = waiting.reduce((sum, [, more]) => sum + more, 0)
  if (count > 0 && !isForced)
    throw new UserError(
      `${plural(count, 'change')} in ${waiting.map(([space]) => space).join(', ')} not sent to the server yet`,
      'Send with "recollect sync", or discard with --force',
      1,
    )
  inSyncTransaction(context, (step) => {
    for (const { name } of listSpaces(ledger)) if (name !== ownSpace) leaveSpace(step, name, 'This machine has left.')
    forgetSpace(step, ownSpace)
    clearOutbox(ledger)
    forgetState(ledger)
  })
  writeSyncSettings(files.layout.config, {})
  deleteKey(files)
}

export function updateSpaces(context: SyncContext, { spaces }: AccountInfo): void {
  inSyncTransaction(context, (step) => {
    const { ledger } = step
    for (const known of listSpaces(ledger)) {
      const same = spaces.find(({ id }) => id === known.id)
      const isFree = !listSpaces(ledger).some(({ name }) => name === same?.name)
      if (!same || same.name === known.name || !isFree) continue
      renameSpace(ledger, known.name, same.name)
      renameNotesOfSpace(ledger, known.name, same.name)
    }
    for (const { name, id } of listSpaces(ledger)) {
      if (spaces.some((space) => space.name === name && space.id === id)) continue
      // A replaced own space is a new, empty one: everything is sent there again.
      if (name === ownSpace) forgetSpace(step, name)
      else leaveSpace(step, name, `You are no longer in ${name}.`)
    }
    for (const space of spaces) saveSpaceAccess(ledger, space)
  })
}

/**
 * Reports unsent changes as refused; their text stays in the history. Call inside a transaction.
 */
function leaveSpace(context: SyncContext, space: string, message: string): void {
  const { ledger } = context
  const waiting = [
    ...pendingItems(ledger, space, 0, Number.MAX_SAFE_INTEGER),
    ...refusedItems(ledger).filter((item) => item.space === space),
  ]
  for (const kind of syncedKinds) kind.removeSpace?.(context, space)
  clearOutbox(ledger, space)
  forgetSpace(context, space)
  const refusal: SyncRefusal = { reason: 'not allowed', message }
  for (const { id, kind } of waiting) markRefused(ledger, { space, id, kind, refusal: { ...refusal } })
}

/** Deletes all state of a space, since a later space of that name is unrelated. */
function forgetSpace({ ledger }: SyncContext, space: string): void {
  deleteSpace(ledger, space)
  deleteNotesOfSpace(ledger, space)
}

interface SyncSettings {
  /** Undefined removes the line. */
  server?: string | undefined
  insecure?: boolean | undefined
}

export function writeSyncSettings(path: string, { server, insecure }: SyncSettings): void {
  writeSettings(
    path,
    'sync',
    { server, insecure: insecure || undefined },
    ({ sync }) => sync.server === (server ?? '') && sync.insecure === (insecure ?? false),
  )
}
