// What anybody may ask: whether this instance lives, whether it can be sent requests, and what it understands. Nobody is counted here,
// so none of it may cost much however often it is asked.
import * as z from 'zod'
import { checkKey } from '../../check-key.ts'
import type { Services } from '../../services.ts'
import { metricsText } from '../metrics.ts'
import { baseHeaders, RetryProblem } from '../responses.ts'
import { defineRoute } from '../route.ts'

const status = z.object({ status: z.literal('ok') })

export const openRoutes = [
  defineRoute({
    method: 'GET',
    path: '/health',
    name: 'health',
    summary: 'Whether the process lives',
    access: { kind: 'open' },
    response: status,
    handle: async () => ({ status: 'ok' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/ready',
    name: 'ready',
    summary:
      'Whether requests can be answered: the database is there and migrated, and this instance is not shutting down',
    access: { kind: 'open' },
    response: status,
    otherStatuses: [503],
    async handle({ services, state }) {
      if (state.isClosing) throw new RetryProblem(503, 'closing', 'This instance is shutting down', 5)
      // Those who ask meanwhile get the same answer.
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
    summary: 'This description',
    access: { kind: 'open' },
    response: z.looseObject({ openapi: z.string() }),
    async handle({ services, state }) {
      state.description ??= describe(services.version)
      return state.description
    },
  }),
]

const probeKey = `rk_${'0'.repeat(12)}_${'0'.repeat(43)}`
const readyTimeoutMs = 5000

/** A connection that nothing comes back on tells nobody that it is dead. */
async function isDatabaseReady({ database, clock }: Services): Promise<boolean> {
  const patience = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => patience.resolve(false), readyTimeoutMs)
  // The question that every other request begins with; only a database that was migrated can answer it.
  const answer = checkKey(database, clock, probeKey).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, patience.promise]).finally(() => clearTimeout(timer))
}

async function describe(version: string): Promise<unknown> {
  const [{ openapiOf }, { routes }] = await Promise.all([import('../openapi.ts'), import('../routes.ts')])
  return openapiOf(routes, version)
}

export const metricsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    summary: 'What happened on this instance, in numbers, as Prometheus reads it',
    access: { kind: 'key' },
    responseType: 'text/plain',
    handle: async ({ state }) =>
      new Response(metricsText(state.metrics, { recollect_vector_failures_total: state.vectors.failures() }), {
        headers: { ...baseHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  }),
]
