// One request to the server: with an end in time and in size, and an answer that is parsed before anybody looks at it.
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod'
import type { Clock } from '../core/clock.ts'
import { causeOf } from '../core/errors.ts'
import { problemSchema } from './protocol.ts'

export interface ServerConnection {
  /** Without a slash at its end. */
  server: string
  key: string
  clock: Clock
  /** For one request. */
  timeoutMs: number
  /** Ends everything that is under way. */
  signal?: AbortSignal | undefined
  fetch: typeof fetch
}

export type ServerReply<T> = { kind: 'answered'; value: T } | { kind: 'failed'; failure: SyncFailure }

/**
 * `key`: it is not taken. `role`: the key is taken, and this is not allowed. `missing`: there is no such thing. `too large` and
 * `invalid`: so it will never be taken. `away`: another time.
 */
export interface SyncFailure {
  kind: 'key' | 'role' | 'missing' | 'too large' | 'invalid' | 'away'
  /** One line for people; never what was sent. */
  message: string
  retryAfterMs?: number
}

export async function sendRequest<T>(line: ServerConnection, asked: ServerRequest<T>): Promise<ServerReply<T>> {
  for (let tries = 1; ; tries++) {
    const reply = await sendOnce(line, asked)
    const waitMs = reply.kind === 'failed' ? reply.failure.retryAfterMs : undefined
    if (waitMs === undefined || waitMs > maxPauseMs || tries >= maxTries) return reply
    await sleep(waitMs, undefined, line.signal ? { signal: line.signal } : {}).catch(() => {})
    if (line.signal?.aborted) return reply
  }
}

/** A server that says "in a second" is waited for. */
const maxPauseMs = 5000
const maxTries = 5

export interface ServerRequest<T> {
  method?: 'GET' | 'POST'
  /** From `/api` on. */
  path: string
  body?: unknown
  schema: z.ZodType<T>
}

async function sendOnce<T>(
  line: ServerConnection,
  { method = 'GET', path, body, schema }: ServerRequest<T>,
): Promise<ServerReply<T>> {
  const timeout = AbortSignal.timeout(line.timeoutMs)
  const signal = line.signal ? AbortSignal.any([timeout, line.signal]) : timeout
  let response: Response
  let text: string
  try {
    response = await line.fetch(`${line.server}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${line.key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Where it would lead to, the key has no business.
      redirect: 'manual',
      signal,
    })
    text = await readText(response)
  } catch (error) {
    return unavailable(signal.aborted ? `${line.server} did not answer in time` : `${line.server}: ${causeOf(error)}`)
  }
  if (!response.ok) return failureOf(line, response, text)
  const value = schema.safeParse(parseJson(text))
  if (value.success) return { kind: 'answered', value: value.data }
  return unavailable(`${line.server} does not answer like a Recollect server (${contentTypeOf(response)})`)
}

/** A page has at most 500 items of 64 KB, or a hundred parts of sessions. */
const maxResponseBytes = 50_000_000

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxResponseBytes) throw new Error('the answer has no end')
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
  // Anything could be at an address that is not a server's.
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
    failure: { kind: 'away', message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  }
}

/** In seconds, or as a date. */
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
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
