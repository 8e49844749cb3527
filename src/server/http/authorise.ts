// Who asks, and whether they may: checked before anything of a request is read or done.
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Caller, hasRole, type SpaceAccess } from '../caller.ts'
import { checkKey } from '../check-key.ts'
import { RequestProblem } from '../request-problem.ts'
import type { Services } from '../services.ts'
import { count, type Metrics } from './metrics.ts'
import { createRateLimiter, type RateLimit, type RateLimiter, secondsUntilToken, takeToken } from './rate-limit.ts'
import { RetryProblem } from './responses.ts'
import type { RouteAccess } from './route.ts'

export interface KeyLimits {
  keys: RateLimiter
  /** Of addresses whose keys were refused. */
  refused: RateLimiter
  /** Hashes of keys that were good: bad ones from the same address, perhaps a proxy, do not lock these out. */
  accepted: Set<string>
}

export function createKeyLimits(rate: RateLimit): KeyLimits {
  return { keys: createRateLimiter(rate), refused: createRateLimiter({ perSecond: 1, burst: 30 }), accepted: new Set() }
}

export interface RequestCredentials {
  authorization: string | null
  address: string
}

export async function authenticate(
  { database, clock }: Services,
  { guard, metrics }: { guard: KeyLimits; metrics: Metrics },
  { authorization, address }: RequestCredentials,
): Promise<Caller> {
  const key = /^Bearer\s+(\S{1,200})\s*$/i.exec(authorization ?? '')?.[1]
  const mark = createHash('sha256')
    .update(key ?? '')
    .digest('base64url')
  const nowMs = clock.nowMs()
  const network = networkOf(address)
  if (!guard.accepted.has(mark)) checkRate(metrics, 'address', secondsUntilToken(guard.refused, network, nowMs))
  const found = await checkKey(database, clock, key)
  if (found.kind !== 'known') {
    guard.accepted.delete(mark)
    // Without a key nothing was guessed, and the database was not asked.
    if (found.kind !== 'missing') takeToken(guard.refused, network, nowMs)
    count(metrics, 'recollect_keys_refused_total', { reason: found.kind })
    throw keyProblems[found.kind]()
  }
  rememberAccepted(guard.accepted, mark)
  checkRate(metrics, 'key', takeToken(guard.keys, found.caller.keyId, nowMs))
  return found.caller
}

/** Whoever has one address of IPv6 has 2^64 of them. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

const keyProblems = {
  missing: () => keyProblem('missing', 'A key is needed', 'Send it as: Authorization: Bearer rk_…'),
  unknown: () => keyProblem('unknown', 'This key is not known here', 'recollect server key create makes one.'),
  revoked: () => keyProblem('revoked', 'This key was revoked', 'recollect server key create makes a new one.'),
  expired: () => keyProblem('expired', 'This key has expired', 'recollect server key create makes a new one.'),
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

const maxAcceptedKeys = 10_000

function rememberAccepted(good: Set<string>, mark: string): void {
  good.delete(mark)
  good.add(mark)
  if (good.size > maxAcceptedKeys) good.delete(good.keys().next().value!)
}

/** A space that is not there and one that others have are the same to who asks. */
export function authorise(caller: Caller, space: string, need: RouteAccess & { kind: 'space' }): SpaceAccess {
  const access = caller.spaces.get(space)
  if (!access || (need.isTeamOnly && access.kind !== 'team'))
    throw new RequestProblem(404, 'unknown_space', 'There is no such space', 'GET /api/me lists yours.')
  const role = need.isDecidedByItem && access.kind === 'shared' ? caller.role : access.role
  if (!hasRole(role, need.role))
    throw new RequestProblem(403, 'role', `This needs the role ${need.role} in this space`, 'GET /api/me says yours.')
  return access
}
