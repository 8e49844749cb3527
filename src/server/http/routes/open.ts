// What anybody may ask: whether this instance lives, whether it can be sent requests, and what it understands. Nobody is counted here,
// so none of it may cost much however often it is asked.
import * as z from 'zod'
import { identify } from '../../identify.ts'
import type { Services } from '../../services.ts'
import { RetryProblem } from '../answer.ts'
import { route } from '../route.ts'

const status = z.object({ status: z.literal('ok') })

export const openRoutes = [
  route({
    method: 'GET',
    path: '/health',
    name: 'health',
    summary: 'Whether the process lives',
    need: { kind: 'open' },
    answer: status,
    work: async () => ({ status: 'ok' }),
  }),
  route({
    method: 'GET',
    path: '/ready',
    name: 'ready',
    summary:
      'Whether requests can be answered: the database is there and migrated, and this instance is not shutting down',
    need: { kind: 'open' },
    answer: status,
    also: [503],
    async work({ services, state }) {
      if (state.isClosing) throw new RetryProblem(503, 'closing', 'This instance is shutting down', 5)
      // Those who ask meanwhile get the same answer.
      state.readiness ??= isDatabaseThere(services).finally(() => {
        state.readiness = undefined
      })
      if (await state.readiness) return { status: 'ok' }
      throw new RetryProblem(503, 'database_away', 'The database does not answer', 5)
    },
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    summary: 'This description',
    need: { kind: 'open' },
    answer: z.looseObject({ openapi: z.string() }),
    async work({ services, state }) {
      state.description ??= describe(services.version)
      return state.description
    },
  }),
]

const nobodysKey = `rk_${'0'.repeat(12)}_${'0'.repeat(43)}`
const patienceMs = 5000

/** A connection that nothing comes back on tells nobody that it is dead. */
async function isDatabaseThere({ database, clock }: Services): Promise<boolean> {
  const patience = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => patience.resolve(false), patienceMs)
  // The question that every other request begins with; only a database that was migrated can answer it.
  const answer = identify(database, clock, nobodysKey).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, patience.promise]).finally(() => clearTimeout(timer))
}

async function describe(version: string): Promise<unknown> {
  const [{ openapiOf }, { routes }] = await Promise.all([import('../openapi.ts'), import('../routes.ts')])
  return openapiOf(routes, version)
}
