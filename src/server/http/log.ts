// One line of JSON per request: which route, how it went, how long it took. No content, no ids of memories, no names, no queries.
import { type Clock, isoTime } from '../../core/clock.ts'

export interface Visit {
  id: string
  address: string
  /** The template of the path; what was really asked may hold anything. */
  route: string
  userId?: number
  keyId?: string
  bytes: number
}

export type Log = (entry: Record<string, unknown>) => void

export function requestEntry(
  clock: Clock,
  visit: Visit,
  { method, status, ms }: { method: string; status: number; ms: number },
): Record<string, unknown> {
  const { id, route, userId, keyId, bytes } = visit
  return {
    time: isoTime(clock.nowMs()),
    id,
    method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    user: userId,
    key: keyId,
    bytes,
  }
}

/** An error by its kind and where it was thrown: its message may repeat what was sent, as those of databases do. */
export function errorEntry(clock: Clock, id: string, error: unknown): Record<string, unknown> {
  const { name, code, stack } = (error ?? {}) as { name?: string; code?: unknown; stack?: string }
  return {
    time: isoTime(clock.nowMs()),
    id,
    error: name ?? typeof error,
    code: typeof code === 'string' ? code : undefined,
    at: (stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
  }
}
