// Builds responses and maps errors to problems. Nothing of the request is repeated; unexpected
// errors are only logged.
import type { ProblemBody } from '../../sync/protocol.ts'
import { errorCodeOf, isUnavailable } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'

export function jsonResponse(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: baseHeaders })
}

export const baseHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** A problem with a Retry-After header. */
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

/** `id` is the request id in the log. */
export function problemOf(error: unknown, id: string): RequestProblem {
  if (error instanceof RequestProblem) return error
  const code = errorCodeOf(error) ?? ''
  if (unstorableCodes.test(code))
    return new RequestProblem(422, 'invalid', 'The request contains characters that cannot be stored')
  if (busyCodes.test(code)) return new RetryProblem(503, 'busy', 'The database is busy', 2)
  if (isUnavailable(error)) return new RetryProblem(503, 'database_away', 'The database is unavailable', 5)
  return new RequestProblem(500, 'internal', 'Internal error', `See the server log, request ${id}.`)
}

/** Text with NUL or an invalid encoding. */
const unstorableCodes = /^(?:22021|22P05)$/

/** Timeouts of locks and statements, serialisation failures and deadlocks. */
const busyCodes = /^(?:55P03|57014|25P03|40001|40P01)$/
