// What other users share with the user: lists it, and accepts or refuses it on the server.
import { UserError } from '../core/errors.ts'
import { type ServerConnection, type SyncFailure, sendRequest } from './client.ts'
import { type ReceivedShare, receivedSharesSchema, shareAnswerSchema } from './documents.ts'

export async function listReceivedShares(connection: ServerConnection): Promise<ReceivedShare[]> {
  const reply = await sendRequest(connection, { path: '/api/shares', schema: receivedSharesSchema })
  if (reply.kind === 'failed') throw failureError(connection, reply.failure)
  return reply.value.received
}

export async function answerReceivedShare(
  connection: ServerConnection,
  { from, id }: Pick<ReceivedShare, 'from' | 'id'>,
  answer: 'accept' | 'refuse',
): Promise<void> {
  const request = { method: 'POST' as const, path: '/api/shares/received', body: { from, id, answer } }
  const reply = await sendRequest(connection, { ...request, schema: shareAnswerSchema })
  if (reply.kind === 'failed') throw failureError(connection, reply.failure)
}

/**
 * Finds a share by its name as `receivedName` writes it, or by a unique part: the id is derived from
 * subject and receiver, so two users can share under the same id.
 */
export function receivedShareNamed(received: readonly ReceivedShare[], named: string): ReceivedShare {
  const found = received.filter((one) => [receivedName(one), shortId(one)].some((name) => name.startsWith(named)))
  if (found.length === 1) return found[0]!
  throw new UserError(
    found.length === 0 ? `Nobody shares ${named} with you` : `${named} matches ${found.length} shares`,
    found.length === 0 ? 'See: recollect share received' : found.map(receivedName).join(', '),
    1,
  )
}

/** `ann/s-3f2a`. */
export function receivedName(share: Pick<ReceivedShare, 'from' | 'id'>): string {
  return `${share.from}/${shortId(share)}`
}

function shortId({ id }: Pick<ReceivedShare, 'id'>): string {
  return id.replace(/^share:/, '')
}

function failureError({ server }: ServerConnection, { kind, message }: SyncFailure): UserError {
  if (kind === 'role') return new UserError(`${server}: ${message}`, 'Ask for a key with the role writer.', 1)
  if (kind === 'key') return new UserError(`${server} rejects the key: ${message}`, 'See: recollect sync --status', 1)
  return new UserError(`${server}: ${message}`, 'Nothing was changed. Try again later.', 3)
}
