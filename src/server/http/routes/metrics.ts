import { plainHeaders } from '../answer.ts'
import { metricsText } from '../metrics.ts'
import { route } from '../route.ts'

export const metricsRoutes = [
  route({
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    summary: 'What happened on this instance, in numbers, as Prometheus reads it',
    need: { kind: 'key' },
    answerType: 'text/plain',
    work: async ({ state }) =>
      new Response(metricsText(state.metrics, { recollect_vector_failures_total: state.vectors.failures() }), {
        headers: { ...plainHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  }),
]
