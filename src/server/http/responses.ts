// Answers, and what becomes of errors. Nothing of what was sent is repeated, and what was not expected is told to the log alone.
import type { ProblemBody } from '../../sync/protocol.ts'
import { errorCodeOf } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'

export function jsonResponse(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: baseHeaders })
}

export const baseHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** What a refused request has besides the words. */
export class RetryProblem extends RequestProblem {
  readonly retryAfterSeconds: number

  constructor(status: 429 | 503, code: string, message: string, retryAfterSeconds: number) {
    super(status, code, message)
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds))
  }
}

export function problemResponse(problem: RequestProblem): Response {
  const { code, message, hint } = problem
  const answer = jsonResponse(
    { error: { code, message, ...(hint ? { hint } : {}) } } satisfies ProblemBody,
    problem.status,
  )
  if (problem instanceof RetryProblem) answer.headers.set('retry-after', String(problem.retryAfterSeconds))
  if (problem.status === 401) answer.headers.set('www-authenticate', 'Bearer realm="recollect"')
  return answer
}

/** `id` is what the log has it under. */
export function problemOf(error: unknown, id: string): RequestProblem {
  if (error instanceof RequestProblem) return error
  const code = errorCodeOf(error) ?? ''
  if (unstorableCodes.test(code)) return new RequestProblem(422, 'invalid', 'It has characters that cannot be stored')
  if (busyCodes.test(code)) return new RetryProblem(503, 'busy', 'The database is busy', 2)
  if (unavailableCodes.test(code)) return new RetryProblem(503, 'database_away', 'The database does not answer', 5)
  return new RequestProblem(500, 'internal', 'Something went wrong here', `The log of the server has it under ${id}.`)
}

/** NUL, which is in no text of PostgreSQL. */
const unstorableCodes = /^(?:22021|22P05)$/

/** Waited too long for a lock or an answer (also in the middle of a transaction), or met others again and again. */
const busyCodes = /^(?:55P03|57014|25P03|40001|40P01)$/

/**
 * Class 08 and 57P0x are connections that broke or a server that stops, 53 one that has no room, 25006 one that has become a
 * standby, 28 and 3D000 one that is being set up anew; the others are the system's and the driver's.
 */
const unavailableCodes =
  /^(?:08...|57P0\d|53\d00|25006|28...|3D000|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|CONNECTION_\w+)$/
