// The way of every request: how many there are, whose it is, whether they may, what they sent, the work, the answer, the log.
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Caller } from '../caller.ts'
import { RequestProblem } from '../problem.ts'
import { keepVectors } from '../search/keep-vectors.ts'
import type { Services } from '../services.ts'
import { jsonAnswer, problemAnswer, problemOf } from './answer.ts'
import { accessOf, callerOf, createGuard, type Guard } from './authorise.ts'
import { drain, readJson } from './body.ts'
import { countedDatabase } from './counted-database.ts'
import { type Crowd, createCrowd, enter, enterWith } from './crowd.ts'
import { parse } from './input.ts'
import { errorEntry, type Log, requestEntry, type Visit } from './log.ts'
import { count, createMetrics, observe } from './metrics.ts'
import type { Rate } from './rate.ts'
import type { DoorState, Route } from './route.ts'
import { routes } from './routes.ts'

export interface DoorOptions {
  log?: Log
  /** Of one key. */
  rate?: Rate
  /** At the same time. */
  maxRequests?: number
}

export interface HttpDoor {
  state: DoorState
  fetch(request: Request, from?: { address?: string }): Promise<Response>
}

export const defaultRate: Rate = { perSecond: 50, burst: 200 }

interface Room {
  services: Services
  state: DoorState
  guard: Guard
  crowd: Crowd
  log: Log
}

type Asked = Context<{ Bindings: Visit }>

export function createDoor(given: Services, options: DoorOptions = {}): HttpDoor {
  const { log = () => {}, rate = defaultRate, maxRequests = 500 } = options
  const metrics = createMetrics()
  const services = { ...given, database: countedDatabase(given.database, metrics) }
  const state: DoorState = { metrics, vectors: keepVectors(services), isClosing: false }
  const room: Room = { services, state, guard: createGuard(rate), crowd: createCrowd(maxRequests), log }
  const hono = new Hono<{ Bindings: Visit }>()
  for (const route of routes)
    hono.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), (asked) => answer(room, route, asked))
  hono.notFound(() => problemAnswer(new RequestProblem(404, 'no_route', 'There is nothing here', 'See /openapi.json')))

  const { gauges } = metrics
  return {
    state,
    async fetch(request, { address = '' } = {}) {
      const visit: Visit = { id: randomUUID(), address, route: 'none', bytes: 0 }
      const begun = performance.now()
      gauges.recollect_requests_in_flight++
      try {
        const response = await hono.fetch(request, visit)
        response.headers.set('x-request-id', visit.id)
        if (!(await drain(request)) || state.isClosing) response.headers.set('connection', 'close')
        record(room, visit, { method: request.method, status: response.status, ms: performance.now() - begun })
        return response
      } finally {
        gauges.recollect_requests_in_flight--
      }
    },
  }
}

async function answer(room: Room, route: Route, asked: Asked): Promise<Response> {
  const visit = asked.env
  visit.route = route.path
  try {
    const result = await inRoom(room, route, asked)
    return result instanceof Response ? result : jsonAnswer(result, route.status)
  } catch (error) {
    const problem = problemOf(error, visit.id)
    if (!(error instanceof RequestProblem)) room.log(errorEntry(room.services.clock, visit.id, error))
    return problemAnswer(problem)
  }
}

/** Whether an instance lives is told even when it is full. */
async function inRoom(room: Room, route: Route, asked: Asked): Promise<unknown> {
  // Open routes have no caller, and those without a space no access: their work does not look at them.
  if (route.need.kind === 'open') return workOf(room, route, asked, undefined as unknown as Caller)
  const { services, state, guard, crowd } = room
  const { metrics } = state
  const { req, env: visit } = asked
  const leave = enter(crowd, metrics)
  try {
    const asking = { authorization: req.header('authorization') ?? null, address: visit.address }
    const caller = await callerOf(services, { guard, metrics }, asking)
    visit.userId = caller.userId
    visit.keyId = caller.keyId
    return await enterWith(crowd, metrics, caller.keyId, () => workOf(room, route, asked, caller))
  } finally {
    leave()
  }
}

async function workOf(room: Room, route: Route, { req, env: visit }: Asked, caller: Caller): Promise<unknown> {
  const { services, state } = room
  const { need } = route
  const named = req.param() as Record<string, string>
  const access = need.kind === 'space' ? accessOf(caller, named.space!, need) : (undefined as never)
  const params = parse(route.params, named, 'path')
  const query = parse(route.query, req.query(), 'query')
  const request = req.raw
  let body: unknown
  if (route.body) {
    const read = await readJson(request, route.maxBodyBytes ?? usualBodyBytes)
    visit.bytes = read.bytes
    body = parse(route.body, read.value, 'body')
  }
  return route.work({ services, state, request, caller, access, params, query, body })
}

const usualBodyBytes = 256_000

function record(
  { services, state, log }: Room,
  visit: Visit,
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
