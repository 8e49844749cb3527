// Sends requests to the server with limits on time and size, and validates the responses.

import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod'
import type { Clock } from '../core/clock.ts'
import { causeOf } from '../core/errors.ts'
import { parseForeignJson } from '../core/foreign-json.ts'
import { problemSchema } from './protocol.ts'

export interface ServerConnection {
  /** Without a trailing slash. */
  server: string
  key: string
  clock: Clock
  /** Per request. */
  timeoutMs: number
  /** Aborts all running requests. */
  signal?: AbortSignal | undefined
  fetch: typeof fetch
}

type ServerReply<T> = { kind: 'answered'; value: T } | { kind: 'failed'; failure: SyncFailure }

/**
 * `key`: rejected key. `role`: not allowed with this key. `missing`: no such resource. `too large`
 * and `invalid`: rejected for good. `unavailable`: try again later.
 */
export interface SyncFailure {
  kind: 'key' | 'role' | 'missing' | 'too large' | 'invalid' | 'unavailable'
  /** One line for the user; never contains the request. */
  message: string
  retryAfterMs?: number
}

export async function sendRequest<T>(connection: ServerConnection, request: ServerRequest<T>): Promise<ServerReply<T>> {
  for (let tries = 1; ; tries++) {
    const reply = await sendOnce(connection, request)
    const waitMs = reply.kind === 'failed' ? reply.failure.retryAfterMs : undefined
    if (waitMs === undefined || waitMs > maxPauseMs || tries >= maxTries) return reply
    await sleep(waitMs, undefined, connection.signal ? { signal: connection.signal } : {}).catch(() => {})
    if (connection.signal?.aborted) return reply
  }
}

/** Shorter Retry-After delays are waited for. */
const maxPauseMs = 5000
const maxTries = 5

interface ServerRequest<T> {
  method?: 'GET' | 'POST'
  /** Starting with `/api`. */
  path: string
  body?: unknown
  schema: z.ZodType<T>
}

async function sendOnce<T>(
  connection: ServerConnection,
  { method = 'GET', path, body, schema }: ServerRequest<T>,
): Promise<ServerReply<T>> {
  const timeout = AbortSignal.timeout(connection.timeoutMs)
  const signal = connection.signal ? AbortSignal.any([timeout, connection.signal]) : timeout
  let response: Response
  let text: string
  try {
    response = await connection.fetch(`${connection.server}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${connection.key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect must not receive the key.
      redirect: 'manual',
      signal,
    })
    text = await readText(response)
  } catch (error) {
    return unavailable(
      signal.aborted ? `${connection.server} did not answer in time` : `${connection.server}: ${causeOf(error)}`,
    )
  }
  if (!response.ok) return failureOf(connection, response, text)
  const value = schema.safeParse(parseJson(text))
  if (value.success) return { kind: 'answered', value: value.data }
  return unavailable(`${connection.server} does not answer like a Recollect server (${contentTypeOf(response)})`)
}

/** A page has at most 500 items of 64 kB, or a hundred parts of sessions. */
const maxResponseBytes = 50_000_000

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxResponseBytes) throw new Error('the response is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function failureOf(
  { server, clock }: ServerConnection,
  response: Response,
  text: string,
): { kind: 'failed'; failure: SyncFailure } {
  const { status } = response
  const problem = problemSchema.safeParse(parseJson(text)).data?.error
  const message = problem?.message ?? `${server} answered ${status} (${contentTypeOf(response)})`
  const failed = (kind: SyncFailure['kind']) => ({ kind: 'failed' as const, failure: { kind, message } })
  if (status === 401) return failed('key')
  if (status === 403) return failed('role')
  if (status === 413) return failed('too large')
  // Without a problem body the address may be that of another site.
  if (status === 404 && problem) return failed('missing')
  if ((status === 400 || status === 422) && problem) return failed('invalid')
  if (status >= 300 && status < 400)
    return unavailable(
      `${server} leads to ${response.headers.get('location') ?? 'elsewhere'}: join that address instead`,
    )
  return unavailable(message, retryAfter(response, clock))
}

function unavailable(message: string, retryAfterMs?: number): { kind: 'failed'; failure: SyncFailure } {
  return {
    kind: 'failed',
    failure: { kind: 'unavailable', message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  }
}

/** Retry-After is a number of seconds or a date. */
function retryAfter(response: Response, clock: Clock): number | undefined {
  const text = response.headers.get('retry-after')
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.nowMs()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), 24 * 3_600_000)
}

function contentTypeOf(response: Response): string {
  return response.headers.get('content-type')?.split(';')[0] ?? 'no type'
}

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text).value
  } catch {
    return undefined
  }
}
