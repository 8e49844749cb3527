// Who asks, and whether they may: checked before anything of a request is read or done.
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Access, type Caller, mayAct } from '../caller.ts'
import { identify } from '../identify.ts'
import { RequestProblem } from '../problem.ts'
import type { Services } from '../services.ts'
import { RetryProblem } from './answer.ts'
import { count, type Metrics } from './metrics.ts'
import { createLimiter, type Limiter, type Rate, take, waitFor } from './rate.ts'
import type { Need } from './route.ts'

export interface Guard {
  keys: Limiter
  /** Of addresses whose keys were refused. */
  refused: Limiter
  /** Hashes of keys that were good: bad ones from the same address, perhaps a proxy, do not lock these out. */
  good: Set<string>
}

export function createGuard(rate: Rate): Guard {
  return { keys: createLimiter(rate), refused: createLimiter({ perSecond: 1, burst: 30 }), good: new Set() }
}

export interface Asking {
  authorization: string | null
  address: string
}

export async function callerOf(
  { database, clock }: Services,
  { guard, metrics }: { guard: Guard; metrics: Metrics },
  { authorization, address }: Asking,
): Promise<Caller> {
  const key = /^Bearer\s+(\S{1,200})\s*$/i.exec(authorization ?? '')?.[1]
  const mark = createHash('sha256')
    .update(key ?? '')
    .digest('base64url')
  const nowMs = clock.nowMs()
  const network = networkOf(address)
  if (!guard.good.has(mark)) checkRate(metrics, 'address', waitFor(guard.refused, network, nowMs))
  const found = await identify(database, clock, key)
  if (found.kind !== 'known') {
    guard.good.delete(mark)
    // Without a key nothing was guessed, and the database was not asked.
    if (found.kind !== 'missing') take(guard.refused, network, nowMs)
    count(metrics, 'recollect_keys_refused_total', { reason: found.kind })
    throw refusals[found.kind]()
  }
  remember(guard.good, mark)
  checkRate(metrics, 'key', take(guard.keys, found.caller.keyId, nowMs))
  return found.caller
}

/** Whoever has one address of IPv6 has 2^64 of them. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

const refusals = {
  missing: () => refusal('missing', 'A key is needed', 'Send it as: Authorization: Bearer rk_…'),
  unknown: () => refusal('unknown', 'This key is not known here', 'recollect server key create makes one.'),
  revoked: () => refusal('revoked', 'This key was revoked', 'recollect server key create makes a new one.'),
  expired: () => refusal('expired', 'This key has expired', 'recollect server key create makes a new one.'),
  disabled: () => refusal('disabled', 'The user of this key was disabled'),
}

function refusal(reason: string, message: string, hint?: string): RequestProblem {
  return new RequestProblem(401, `key_${reason}`, message, hint)
}

function checkRate(metrics: Metrics, by: string, waitSeconds: number): void {
  if (waitSeconds === 0) return
  count(metrics, 'recollect_rate_limited_total', { by })
  throw new RetryProblem(429, 'too_many_requests', 'Too many requests', waitSeconds)
}

const maxGood = 10_000

function remember(good: Set<string>, mark: string): void {
  good.delete(mark)
  good.add(mark)
  if (good.size > maxGood) good.delete(good.keys().next().value!)
}

/** A space that is not there and one that others have are the same to who asks. */
export function accessOf(caller: Caller, space: string, need: Need & { kind: 'space' }): Access {
  const access = caller.spaces.get(space)
  if (!access || (need.isTeamOnly && access.kind !== 'team'))
    throw new RequestProblem(404, 'unknown_space', 'There is no such space', 'GET /api/me lists yours.')
  const role = need.isDecidedByItem && access.kind === 'shared' ? caller.role : access.role
  if (!mayAct(role, need.role))
    throw new RequestProblem(403, 'role', `This needs the role ${need.role} in this space`, 'GET /api/me says yours.')
  return access
}
