// Joining a server, and leaving it. Whatever is one's own stays here in both cases.

import { existsSync, readFileSync } from 'node:fs'
import { defaultConfig, parseConfig } from '../core/config.ts'
import { UserError } from '../core/errors.ts'
import { writeAtomically } from '../core/files.ts'
import { plural } from '../core/units.ts'
import { clearOutbox, countPending, markRefused, ownSpace, pendingItems, refusedItems } from '../store/sync/outbox.ts'
import { deleteSpace, listSpaces, renameSpace, saveSpaceAccess } from '../store/sync/spaces.ts'
import { type ServerConnection, sendRequest } from './client.ts'
import { deleteKey, type KeyLocation, saveKey } from './credentials.ts'
import { inSyncTransaction } from './engine/engine.ts'
import { forgetAllSent, forgetAllUnknown, renameSent, renameUnknown } from './engine/item-notes.ts'
import { enqueueDifferences } from './engine/reconcile.ts'
import type { SyncContext, SyncRefusal } from './item-kind.ts'
import { syncedKinds } from './item-kinds.ts'
import { type AccountInfo, accountInfoSchema } from './protocol.ts'
import { forgetState, newState, readState, writeState } from './state.ts'

export interface JoinOptions {
  server: string
  key: string
  isInsecure: boolean
  fetch?: typeof fetch
}

export type JoinFiles = Pick<KeyLocation, 'layout'> & { layout: { config: string } }

/** Verified first: a wrong key or address changes nothing here. */
export async function joinServer(context: SyncContext, place: JoinFiles, joining: JoinOptions): Promise<AccountInfo> {
  const { ledger, clock } = context
  const { server, key, isInsecure } = joining
  const line: ServerConnection = { server, key, clock, timeoutMs: 30_000, fetch: joining.fetch ?? fetch }
  const reply = await sendRequest(line, { path: '/api/me', schema: accountInfoSchema })
  if (reply.kind === 'failed') throw joinError(server, reply.failure.kind, reply.failure.message)
  const me = reply.value
  const known = readState(ledger)
  if (known && (known.server !== server || (known.user !== '' && known.user !== me.user)))
    throw new UserError(
      `This machine has joined ${known.server} as ${known.user || 'somebody'}`,
      'Leave that first: recollect sync leave',
    )
  saveKey(place, key)
  writeSyncSettings(place.layout.config, { server, insecure: isInsecure })
  writeState(ledger, { ...(known ?? newState(server, me.user)), key: 'good', keyProblem: null, user: me.user })
  updateSpaces(context, me)
  for (const space of listSpaces(ledger)) enqueueDifferences(context, space)
  return me
}

function joinError(server: string, kind: string, message: string): UserError {
  if (kind === 'key' || kind === 'role')
    return new UserError(`${server} does not take the key: ${message}`, 'Ask whoever runs the server for a new one.', 1)
  if (kind === 'missing') return new UserError(`There is no Recollect server at ${server}`, 'Check the address.', 1)
  return new UserError(`Not joined: ${message}`, 'Check the address, and whether the server runs.', 3)
}

/** Memories of teams and of others go; what was not sent there would be lost, so it has to be said. */
export function leaveServer(context: SyncContext, place: JoinFiles, isForced: boolean): void {
  const { ledger } = context
  const waiting = [...countPending(ledger)].filter(([space]) => space !== ownSpace)
  const count = waiting.reduce((sum, [, more]) => sum + more, 0)
  if (count > 0 && !isForced)
    throw new UserError(
      `${plural(count, 'change')} of what is in ${waiting.map(([space]) => space).join(', ')} did not reach the server yet`,
      'Send them with "recollect sync", or give them up with --force',
      1,
    )
  inSyncTransaction(context, (step) => {
    for (const { name } of listSpaces(ledger)) if (name !== ownSpace) leaveSpace(step, name, 'This machine has left.')
    forgetSpace(step, ownSpace)
    clearOutbox(ledger)
    forgetState(ledger)
  })
  writeSyncSettings(place.layout.config, {})
  deleteKey(place)
}

// Which spaces there are, as the server says: new ones are read from their beginning, what lay in one that is gone leaves.

export function updateSpaces(context: SyncContext, { spaces }: AccountInfo): void {
  inSyncTransaction(context, (step) => {
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
function leaveSpace(context: SyncContext, space: string, message: string): void {
  const { ledger } = context
  const waiting = [
    ...pendingItems(ledger, space, 0, Number.MAX_SAFE_INTEGER),
    ...refusedItems(ledger).filter((item) => item.space === space),
  ]
  for (const traveller of syncedKinds) traveller.removeSpace?.(context, space)
  clearOutbox(ledger, space)
  forgetSpace(context, space)
  const refusal: SyncRefusal = { reason: 'not allowed', message }
  for (const { id, kind } of waiting) markRefused(ledger, { space, id, kind, refusal: { ...refusal } })
}

/** All that is known of it, also of what was sent there: another space of that name has nothing to do with it. */
function forgetSpace({ ledger }: SyncContext, space: string): void {
  deleteSpace(ledger, space)
  forgetAllSent(ledger, space)
  forgetAllUnknown(ledger, space)
}

// The lines of config.toml that joining and leaving write. The file is the user's: whatever else stands in it stays byte for byte.

interface SyncSettings {
  /** Undefined takes the line out. */
  server?: string | undefined
  insecure?: boolean | undefined
}

export function writeSyncSettings(path: string, { server, insecure }: SyncSettings): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : defaultConfig()
  const withServer = withLine(before, 'server', server === undefined ? undefined : JSON.stringify(server))
  const after = withLine(withServer, 'insecure', insecure ? 'true' : undefined)
  if (after === before) return
  const { sync } = parseConfig(after, path)
  if (sync.server !== (server ?? '') || sync.insecure !== (insecure ?? false))
    throw new UserError(
      `${path}: [sync] stands there in a way that cannot be changed from here`,
      server === undefined
        ? 'Take the line server = … out by hand.'
        : `Write under [sync]: server = ${JSON.stringify(server)}`,
    )
  writeAtomically(path, after)
}

/** In the place of the line that is there, else below the head of the table, else at the end. */
function withLine(text: string, key: string, value: string | undefined): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(/\r?\n/)
  const head = lines.findIndex((line) => /^\s*\[\s*sync\s*\]\s*(?:#.*)?$/.test(line))
  const next = lines.findIndex((line, index) => index > head && /^\s*\[/.test(line))
  const isInTable = (index: number) => head >= 0 && index > head && (next < 0 || index < next)
  const at = lines.findIndex((line, index) => isInTable(index) && new RegExp(`^\\s*${key}\\s*=`).test(line))
  if (value === undefined) return at < 0 ? text : lines.toSpliced(at, 1).join(end)
  const line = `${key} = ${value}`
  if (at >= 0) return lines.with(at, line).join(end)
  if (head >= 0) return lines.toSpliced(insertionIndex(lines, head, key), 0, line).join(end)
  return [...lines.slice(0, lines.at(-1) === '' ? -1 : undefined), '', '[sync]', line, ''].join(end)
}

/** Below the commented example of the same setting, where a reader looks for it. */
function insertionIndex(lines: readonly string[], head: number, key: string): number {
  const example = lines.findIndex((line, index) => index > head && line.startsWith(`# ${key} = `))
  return example < 0 ? head + 1 : example + 1
}
