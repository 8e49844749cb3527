// MCP over streamable HTTP, authenticated by the same keys as the API.
import * as z from 'zod'
import { RequestProblem } from '../../request-problem.ts'
import { defineRoute, type Route, type RouteInput } from '../route.ts'

async function work(input: RouteInput<unknown, unknown, unknown>): Promise<Response> {
  // A batch would bypass the rate limit of a key; the protocol has dropped batches since.
  if (Array.isArray(input.body))
    throw new RequestProblem(400, 'batch', 'Batches are not supported; send one message per request')
  // Loaded on demand, so that instances without MCP clients do not load the package.
  const { handleMcp } = await import('../../mcp/handler.ts')
  return handleMcp(input)
}

/** Accept any JSON: validating every value again dominated the cost of a request. */
const message = z.unknown().meta({ type: 'object' })

const methods = [
  ['POST', 'mcp', 'Handle one MCP message'],
  ['GET', 'mcpStream', 'Not supported, since the server sends no notifications: always 405'],
  ['DELETE', 'mcpEnd', 'Not supported, since the server keeps no MCP sessions: always 405'],
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
