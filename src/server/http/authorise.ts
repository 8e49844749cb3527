// Authentication by key and authorisation by role, before anything of a request is read.
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { checkKey, type ReadKey } from '../check-key.ts'
import type { Services } from '../context.ts'
import { type Caller, hasRole, type SpaceAccess } from '../context.ts'
import { RequestProblem } from '../request-problem.ts'
import { maxAcceptedKeys, type RateLimit, rejectedKeyRate } from './limits.ts'
import { count, type Metrics } from './metrics.ts'
import { createRateLimiter, type RateLimiter, secondsUntilToken, takeToken } from './rate-limit.ts'
import { RetryProblem } from './responses.ts'
import type { RouteAccess } from './route.ts'

export interface KeyLimits {
  keys: RateLimiter
  /** Rejected keys per address. */
  rejected: RateLimiter
  /**
   * Hashes of accepted keys: rejected keys of the same address, maybe a proxy, do not block them.
   */
  accepted: Set<string>
}

export function createKeyLimits(rate: RateLimit): KeyLimits {
  return { keys: createRateLimiter(rate), rejected: createRateLimiter(rejectedKeyRate), accepted: new Set() }
}

interface RequestCredentials {
  authorization: string | null
  address: string
}

export async function authenticate(
  { database, clock }: Services,
  { limits, metrics, readKey }: { limits: KeyLimits; metrics: Metrics; readKey: ReadKey },
  { authorization, address }: RequestCredentials,
): Promise<Caller> {
  const key = /^Bearer\s+(\S{1,200})\s*$/i.exec(authorization ?? '')?.[1]
  const mark = createHash('sha256')
    .update(key ?? '')
    .digest('base64url')
  const nowMs = clock.nowMs()
  const network = networkOf(address)
  if (!limits.accepted.has(mark)) checkRate(metrics, 'address', secondsUntilToken(limits.rejected, network, nowMs))
  const found = await checkKey(database, clock, key, readKey)
  if (found.kind !== 'known') {
    limits.accepted.delete(mark)
    // A missing key is no guess and caused no query.
    if (found.kind !== 'missing') takeToken(limits.rejected, network, nowMs)
    count(metrics, 'recollect_keys_refused_total', { reason: found.kind })
    throw keyProblems[found.kind]()
  }
  rememberAccepted(limits.accepted, mark)
  checkRate(metrics, 'key', takeToken(limits.keys, found.caller.keyId, nowMs))
  return found.caller
}

/** One IPv6 customer has 2^64 addresses, so count by the /64 network. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

const keyProblems = {
  missing: () => keyProblem('missing', 'Missing key', 'Send it as: Authorization: Bearer rk_…'),
  unknown: () => keyProblem('unknown', 'Unknown key', 'Create one: recollect server key create'),
  revoked: () => keyProblem('revoked', 'This key was revoked', 'Create a new one: recollect server key create'),
  expired: () => keyProblem('expired', 'This key has expired', 'Create a new one: recollect server key create'),
  disabled: () => keyProblem('disabled', 'The user of this key was disabled'),
}

function keyProblem(reason: string, message: string, hint?: string): RequestProblem {
  return new RequestProblem(401, `key_${reason}`, message, hint)
}

function checkRate(metrics: Metrics, by: string, waitSeconds: number): void {
  if (waitSeconds === 0) return
  count(metrics, 'recollect_rate_limited_total', { by })
  throw new RetryProblem(429, 'too_many_requests', 'Too many requests', waitSeconds)
}

function rememberAccepted(good: Set<string>, mark: string): void {
  good.delete(mark)
  good.add(mark)
  if (good.size > maxAcceptedKeys) good.delete(good.keys().next().value!)
}

/** Does not reveal whether a space without access exists. */
export function authorise(caller: Caller, space: string, need: RouteAccess & { kind: 'space' }): SpaceAccess {
  const access = caller.spaces.get(space)
  if (!access || (need.isTeamOnly && access.kind !== 'team'))
    throw new RequestProblem(404, 'unknown_space', 'There is no such space', 'List yours: GET /api/me')
  const role = need.isDecidedByItem && access.kind === 'shared' ? caller.role : access.role
  if (!hasRole(role, need.role))
    throw new RequestProblem(403, 'role', `This needs the role ${need.role} in this space`, 'See yours: GET /api/me')
  return access
}
