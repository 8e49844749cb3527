// Health, readiness, API description and metrics. The open routes are not rate limited, so they
// have to be cheap.
import * as z from 'zod'
import { checkKey } from '../../check-key.ts'
import type { Services } from '../../context.ts'
import { metricsText } from '../metrics.ts'
import { baseHeaders, RetryProblem } from '../responses.ts'
import { defineRoute } from '../route.ts'

const status = z.object({ status: z.literal('ok') })

export const openRoutes = [
  defineRoute({
    method: 'GET',
    path: '/health',
    name: 'health',
    summary: 'Check that the process is alive',
    access: { kind: 'open' },
    response: status,
    handle: async () => ({ status: 'ok' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/ready',
    name: 'ready',
    summary: 'Check that the instance can handle requests: database reachable and migrated, not shutting down',
    access: { kind: 'open' },
    response: status,
    otherStatuses: [503],
    async handle({ services, state }) {
      if (state.isClosing) throw new RetryProblem(503, 'closing', 'This instance is shutting down', 5)
      // Concurrent requests share one check.
      state.readiness ??= isDatabaseReady(services).finally(() => {
        state.readiness = undefined
      })
      if (await state.readiness) return { status: 'ok' }
      throw new RetryProblem(503, 'database_away', 'The database does not answer', 5)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    summary: 'Get this OpenAPI document',
    access: { kind: 'open' },
    response: z.looseObject({ openapi: z.string() }),
    handle: ({ state }) => state.description(),
  }),
]

const probeKey = `rk_${'0'.repeat(12)}_${'0'.repeat(43)}`
const readyTimeoutMs = 5000

/** With a timeout, since a dead connection may never fail. */
async function isDatabaseReady({ database, clock }: Services): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => timeout.resolve(false), readyTimeoutMs)
  // The query that every request begins with; it fails on a database that is not migrated.
  const answer = checkKey(database, clock, probeKey).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}

export const metricsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    summary: 'Get metrics of this instance in the Prometheus text format',
    access: { kind: 'key' },
    responseType: 'text/plain',
    handle: async ({ state }) =>
      new Response(metricsText(state.metrics, { recollect_vector_failures_total: state.vectors.failures() }), {
        headers: { ...baseHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  }),
]
