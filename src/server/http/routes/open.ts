// What anybody may ask: whether this instance lives, whether it can be sent requests, and what it understands.
import * as z from 'zod'
import { identify } from '../../identify.ts'
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
      try {
        // The question that every other request begins with; only a database that was migrated can answer it.
        await identify(services.database, services.clock, nobodysKey)
      } catch {
        throw new RetryProblem(503, 'database_away', 'The database does not answer', 5)
      }
      return { status: 'ok' }
    },
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    summary: 'This description',
    need: { kind: 'open' },
    answer: z.looseObject({ openapi: z.string() }),
    async work({ services }) {
      const [{ openapiOf }, { routes }] = await Promise.all([import('../openapi.ts'), import('../routes.ts')])
      return openapiOf(routes, services.version)
    },
  }),
]

const nobodysKey = `rk_${'0'.repeat(12)}_${'0'.repeat(43)}`
