// Serves Streamable HTTP on loopback, for clients that cannot start a process. Web pages can reach
// loopback as well, so Host and Origin are checked and a token is required.
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { appendLog } from '../core/files.ts'
import { listenOn, serveRequest } from '../core/http.ts'
import { finishSyncs } from './background-sync.ts'
import type { ServeOptions } from './server.ts'
import { createServer } from './server.ts'
import { hasToken, readOrCreateToken } from './token.ts'

export const defaultPort = 7717

const maxBodyBytes = 1_000_000

/** Serves until SIGTERM or SIGINT. Port 0 selects any free port. */
export async function serveOnHttp(
  { version, layout, clock }: ServeOptions,
  port: number,
  say: (text: string) => void,
): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const token = readOrCreateToken(layout)
  const log = (error: unknown) => appendLog(layout.logs, 'mcp', clock, String(error))
  const handler = createMcpHandler(
    ({ requestInfo }) => createServer(version, { kind: 'http', project: projectIn(requestInfo) }),
    { maxRequestBodySize: maxBodyBytes, onerror: log },
  )
  const serve = async (request: Request) => refusal(request, token.value) ?? handler.fetch(request)
  const server = createHttpServer((incoming, outgoing) => {
    serveRequest(incoming, outgoing, serve).catch((error) => {
      log(error)
      outgoing.destroy()
    })
  })
  const address = await listenOn(server, { host: '127.0.0.1', port })
  say(
    `Serving on http://127.0.0.1:${address.port}/mcp. To select a project: ?project=<name or folder>. To stop: Ctrl-C`,
  )
  say(token.isNew ? `Authorization: Bearer ${token.value}\n(stored in ${token.path})` : `The token is in ${token.path}`)
  await stopped
  server.close()
  server.closeAllConnections()
  await handler.close()
  await finishSyncs(5000)
}

function refusal(request: Request, token: string): Response | undefined {
  const outside =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins())
  if (outside) return outside
  if (new URL(request.url).pathname !== '/mcp') return problem(404, 'Not found: the only path is /mcp.')
  if (!hasToken(request.headers.get('authorization'), token))
    return problem(401, 'Missing or wrong token; "recollect mcp --http" prints where it is stored.')
  return undefined
}

function problem(status: number, message: string): Response {
  const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer realm="recollect"' } : {}
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status, headers })
}

function projectIn(request: Request | undefined): string | undefined {
  return (request && new URL(request.url).searchParams.get('project')) || undefined
}
