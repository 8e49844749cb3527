// The same memories as tools of an agent (Model Context Protocol over streamable HTTP), with the same key.
import * as z from 'zod'
import { RequestProblem } from '../../request-problem.ts'
import { defineRoute, type Route, type RouteInput } from '../route.ts'

async function work(input: RouteInput<unknown, unknown, unknown>): Promise<Response> {
  // A hundred calls in one request would pass the limit of a key a hundred times; the protocol has dropped batches since.
  if (Array.isArray(input.body)) throw new RequestProblem(400, 'batch', 'One message at a time')
  // Loaded here: an instance that no agent asks never pays for the protocol.
  const { handleMcp: answerMcp } = await import('../../mcp/handler.ts')
  return answerMcp(input)
}

/** What was read as JSON is JSON: looking at every value once more takes longer than all of the rest. */
const message = z.unknown().meta({ type: 'object' })

const methods = [
  ['POST', 'mcp', 'A message of the protocol'],
  ['GET', 'mcpStream', 'Nothing is told unasked: always 405'],
  ['DELETE', 'mcpEnd', 'No session is kept: always 405'],
] as const

export const mcpRoutes = methods.map(
  ([method, name, summary]): Route =>
    defineRoute({
      method,
      path: '/mcp',
      name,
      summary,
      access: { kind: 'key' },
      ...(method === 'POST' ? { body: message } : { status: 405 }),
      response: z.json(),
      handle: work,
    }),
)
