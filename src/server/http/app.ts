// The way of every request: how many there are, whose it is, whether they may, what they sent, the work, the answer, the log.
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { type Clock, isoTime } from '../../core/clock.ts'
import type { Caller } from '../caller.ts'
import { RequestProblem } from '../request-problem.ts'
import { createVectorIndexer } from '../search/vector-indexer.ts'
import type { Services } from '../services.ts'
import { authenticate, authorise, createKeyLimits, type KeyLimits } from './authorise.ts'
import { acquireSlot, type ConcurrencyLimit, createConcurrencyLimit, withKeySlot } from './concurrency-limit.ts'
import { count, createMetrics, instrumentDatabase, observe } from './metrics.ts'
import type { RateLimit } from './rate-limit.ts'
import { drainBody, parseInput, readJson } from './request-input.ts'
import { jsonResponse, problemOf, problemResponse } from './responses.ts'
import type { AppState, Route } from './route.ts'
import { routes } from './routes.ts'

export interface HttpAppOptions {
  log?: RequestLog
  /** Of one key. */
  rate?: RateLimit
  /** At the same time. */
  maxRequests?: number
}

export interface HttpApp {
  state: AppState
  fetch(request: Request, from?: { address?: string }): Promise<Response>
}

export const defaultRate: RateLimit = { perSecond: 50, burst: 200 }

interface RequestDeps {
  services: Services
  state: AppState
  keyLimits: KeyLimits
  concurrency: ConcurrencyLimit
  log: RequestLog
}

type RequestContext = Context<{ Bindings: RequestInfo }>

export function createHttpApp(given: Services, options: HttpAppOptions = {}): HttpApp {
  const { log = () => {}, rate = defaultRate, maxRequests = 500 } = options
  const metrics = createMetrics()
  const services = { ...given, database: instrumentDatabase(given.database, metrics) }
  const state: AppState = { metrics, vectors: createVectorIndexer(services), isClosing: false }
  const room: RequestDeps = {
    services,
    state,
    keyLimits: createKeyLimits(rate),
    concurrency: createConcurrencyLimit(maxRequests),
    log,
  }
  const hono = new Hono<{ Bindings: RequestInfo }>()
  for (const route of routes)
    hono.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), (asked) => handleRequest(room, route, asked))
  hono.notFound(() =>
    problemResponse(new RequestProblem(404, 'no_route', 'There is nothing here', 'See /openapi.json')),
  )

  const { gauges } = metrics
  return {
    state,
    async fetch(request, { address = '' } = {}) {
      const visit: RequestInfo = { id: randomUUID(), address, route: 'none', bytes: 0 }
      const begun = performance.now()
      gauges.recollect_requests_in_flight++
      try {
        const response = await hono.fetch(request, visit)
        response.headers.set('x-request-id', visit.id)
        if (!(await drainBody(request)) || state.isClosing) response.headers.set('connection', 'close')
        recordRequest(room, visit, { method: request.method, status: response.status, ms: performance.now() - begun })
        return response
      } finally {
        gauges.recollect_requests_in_flight--
      }
    },
  }
}

async function handleRequest(room: RequestDeps, route: Route, asked: RequestContext): Promise<Response> {
  const visit = asked.env
  visit.route = route.path
  try {
    const result = await admitRequest(room, route, asked)
    return result instanceof Response ? result : jsonResponse(result, route.status)
  } catch (error) {
    const problem = problemOf(error, visit.id)
    if (!(error instanceof RequestProblem)) room.log(errorEntry(room.services.clock, visit.id, error))
    return problemResponse(problem)
  }
}

/** Whether an instance lives is told even when it is full. */
async function admitRequest(room: RequestDeps, route: Route, asked: RequestContext): Promise<unknown> {
  // Open routes have no caller, and those without a space no access: their work does not look at them.
  if (route.access.kind === 'open') return runRoute(room, route, asked, undefined as unknown as Caller)
  const { services, state, keyLimits: guard, concurrency: crowd } = room
  const { metrics } = state
  const { req, env: visit } = asked
  const leave = acquireSlot(crowd, metrics)
  try {
    const asking = { authorization: req.header('authorization') ?? null, address: visit.address }
    const caller = await authenticate(services, { guard, metrics }, asking)
    visit.userId = caller.userId
    visit.keyId = caller.keyId
    return await withKeySlot(crowd, metrics, caller.keyId, () => runRoute(room, route, asked, caller))
  } finally {
    leave()
  }
}

async function runRoute(
  room: RequestDeps,
  route: Route,
  { req, env: visit }: RequestContext,
  caller: Caller,
): Promise<unknown> {
  const { services, state } = room
  const { access: need } = route
  const named = req.param() as Record<string, string>
  const access = need.kind === 'space' ? authorise(caller, named.space!, need) : (undefined as never)
  const params = parseInput(route.params, named, 'path')
  const query = parseInput(route.query, req.query(), 'query')
  const request = req.raw
  let body: unknown
  if (route.body) {
    const read = await readJson(request, route.maxBodyBytes ?? defaultMaxBodyBytes)
    visit.bytes = read.bytes
    body = parseInput(route.body, read.value, 'body')
  }
  return route.handle({ services, state, request, caller, access, params, query, body })
}

const defaultMaxBodyBytes = 256_000

function recordRequest(
  { services, state, log }: RequestDeps,
  visit: RequestInfo,
  done: { method: string; status: number; ms: number },
): void {
  const { route } = visit
  count(state.metrics, 'recollect_requests_total', {
    route,
    method: methodLabel(done.method),
    status: String(done.status),
  })
  observe(state.metrics, route, done.ms / 1000)
  log(requestEntry(services.clock, visit, done))
}

/** A method can be any word. */
function methodLabel(method: string): string {
  return ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'].includes(method) ? method : 'other'
}

// One line of JSON per request: which route, how it went, how long it took. No content, no ids of memories, no names, no queries.

interface RequestInfo {
  id: string
  address: string
  /** The template of the path; what was really asked may hold anything. */
  route: string
  userId?: number
  keyId?: string
  bytes: number
}

export type RequestLog = (entry: Record<string, unknown>) => void

function requestEntry(
  clock: Clock,
  visit: RequestInfo,
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
function errorEntry(clock: Clock, id: string, error: unknown): Record<string, unknown> {
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
