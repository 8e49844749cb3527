// The HTTP app. Pipeline of a request: concurrency limit, authentication, authorisation,
// validation, handler, response, access log.
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { type Clock, isoTime } from '../../core/clock.ts'
import type { ReadKey } from '../check-key.ts'
import type { Caller, Services } from '../context.ts'
import { coalesceReads } from '../database/coalesce-reads.ts'
import { createPushQueue } from '../push/push-queue.ts'
import { RequestProblem } from '../request-problem.ts'
import { createVectorIndexer } from '../search/vector-indexer.ts'
import { readKeyRows } from '../store/keys.ts'
import { authenticate, authorise, createKeyLimits, type KeyLimits } from './authorise.ts'
import { acquireSlot, type ConcurrencyLimit, createConcurrencyLimit, withKeySlot } from './concurrency-limit.ts'
import { defaultKeyRate, defaultMaxBodyBytes, defaultMaxRequests, type RateLimit } from './limits.ts'
import { count, createMetrics, instrumentDatabase, observe } from './metrics.ts'
import { parseInput, readJson } from './request-input.ts'
import { jsonResponse, problemOf, problemResponse } from './responses.ts'
import type { AppState, Route } from './route.ts'
import { routes } from './routes.ts'

export interface HttpAppOptions {
  log?: RequestLog
  /** Per key. */
  rate?: RateLimit
  /** Requests handled at the same time. */
  maxRequests?: number
}

export interface HttpApp {
  state: AppState
  fetch(request: Request, from?: { address?: string }): Promise<Response>
}

interface RequestDeps {
  services: Services
  state: AppState
  keyLimits: KeyLimits
  readKey: ReadKey
  concurrency: ConcurrencyLimit
  log: RequestLog
}

type RequestContext = Context<{ Bindings: RequestInfo }>

export function createHttpApp(given: Services, options: HttpAppOptions = {}): HttpApp {
  const { log = () => {}, rate = defaultKeyRate, maxRequests = defaultMaxRequests } = options
  const metrics = createMetrics()
  const services = { ...given, database: instrumentDatabase(given.database, metrics) }
  const state: AppState = {
    metrics,
    pushes: createPushQueue(services),
    vectors: createVectorIndexer(services),
    isClosing: false,
    description: once(() => describeRoutes(given.version)),
  }
  const deps: RequestDeps = {
    services,
    state,
    keyLimits: createKeyLimits(rate),
    readKey: coalesceReads((ids) => readKeyRows(services.database, ids)),
    concurrency: createConcurrencyLimit(maxRequests),
    log,
  }
  const hono = new Hono<{ Bindings: RequestInfo }>()
  for (const route of routes)
    hono.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), (context) => handleRequest(deps, route, context))
  hono.notFound(() =>
    problemResponse(new RequestProblem(404, 'no_route', 'There is nothing here', 'See /openapi.json')),
  )

  const { gauges } = metrics
  return {
    state,
    async fetch(request, { address = '' } = {}) {
      const info: RequestInfo = { id: randomUUID(), address, route: 'none', bytes: 0 }
      const begun = performance.now()
      gauges.recollect_requests_in_flight++
      try {
        const response = await hono.fetch(request, info)
        response.headers.set('x-request-id', info.id)
        if (state.isClosing) response.headers.set('connection', 'close')
        recordRequest(deps, info, { method: request.method, status: response.status, ms: performance.now() - begun })
        return response
      } finally {
        gauges.recollect_requests_in_flight--
      }
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Loaded on the first request for it. */
async function describeRoutes(version: string): Promise<unknown> {
  const { openapiOf } = await import('./openapi.ts')
  return openapiOf(routes, version)
}

async function handleRequest(deps: RequestDeps, route: Route, context: RequestContext): Promise<Response> {
  const info = context.env
  info.route = route.path
  try {
    const result = await admitRequest(deps, route, context)
    return result instanceof Response ? result : jsonResponse(result, route.status)
  } catch (error) {
    const problem = problemOf(error, info.id)
    count(deps.state.metrics, 'recollect_problems_total', { code: problem.code })
    if (!(error instanceof RequestProblem)) deps.log(errorEntry(deps.services.clock, info.id, error))
    return problemResponse(problem)
  }
}

/** Open routes, such as health checks, bypass the concurrency limit. */
async function admitRequest(deps: RequestDeps, route: Route, context: RequestContext): Promise<unknown> {
  // Open routes have no caller, and routes without a space no access; their handlers do not read
  // them.
  if (route.access.kind === 'open') return runRoute(deps, route, context, undefined as unknown as Caller)
  const { services, state, keyLimits: limits, readKey, concurrency } = deps
  const { metrics } = state
  const { req, env: info } = context
  const releaseSlot = acquireSlot(concurrency, metrics)
  try {
    const asking = { authorization: req.header('authorization') ?? null, address: info.address }
    const caller = await authenticate(services, { limits, metrics, readKey }, asking)
    info.userId = caller.userId
    info.keyId = caller.keyId
    return await withKeySlot(concurrency, metrics, caller.keyId, () => runRoute(deps, route, context, caller))
  } finally {
    releaseSlot()
  }
}

async function runRoute(
  deps: RequestDeps,
  route: Route,
  { req, env: info }: RequestContext,
  caller: Caller,
): Promise<unknown> {
  const { services, state } = deps
  const { access: need } = route
  const named = req.param() as Record<string, string>
  const access = need.kind === 'space' ? authorise(caller, named.space!, need) : (undefined as never)
  const params = parseInput(route.params, named, 'path')
  const query = parseInput(route.query, req.query(), 'query')
  const request = req.raw
  let body: unknown
  if (route.body) {
    const read = await readJson(request, route.maxBodyBytes ?? defaultMaxBodyBytes)
    info.bytes = read.bytes
    body = parseInput(route.body, read.value, 'body')
  }
  return route.handle({ services, state, request, caller, access, params, query, body })
}

function recordRequest(
  { services, state, log }: RequestDeps,
  info: RequestInfo,
  done: { method: string; status: number; ms: number },
): void {
  const { route } = info
  count(state.metrics, 'recollect_requests_total', {
    route,
    method: methodLabel(done.method),
    status: String(done.status),
  })
  observe(state.metrics, route, done.ms / 1000)
  log(requestEntry(services.clock, info, done))
}

/** Clients can send any method; unknown ones share one label. */
function methodLabel(method: string): string {
  return ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'].includes(method) ? method : 'other'
}

interface RequestInfo {
  id: string
  address: string
  /** The path template; the actual path may contain anything. */
  route: string
  userId?: number
  keyId?: string
  bytes: number
}

/** The access log: one entry per request, without content, memory ids, names or queries. */
export type RequestLog = (entry: Record<string, unknown>) => void

function requestEntry(
  clock: Clock,
  info: RequestInfo,
  { method, status, ms }: { method: string; status: number; ms: number },
): Record<string, unknown> {
  const { id, route, userId, keyId, bytes } = info
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

/** Logs an error without its message, which may repeat the request, as database errors do. */
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
