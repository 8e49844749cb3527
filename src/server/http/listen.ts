// Serves the HTTP app on a port, and shuts down gracefully: running requests are finished, new ones
// are refused.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenOn, serveRequest } from '../../core/http.ts'
import type { HttpApp } from './app.ts'
import {
  defaultIdleTimeoutMs,
  defaultMaxConnections,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestTimeoutMs,
} from './limits.ts'

export interface HttpListener {
  address: AddressInfo
  /** Refuses new connections at once; running requests get this long to finish. */
  close(timeoutMs: number): Promise<void>
}

interface ListenOptions {
  host: string
  port: number
  /** Trust the client address in X-Forwarded-For. */
  isBehindProxy?: boolean
  maxConnections?: number
  /** Idle time after which a connection is closed. */
  idleTimeoutMs?: number
}

export async function listen(app: HttpApp, options: ListenOptions): Promise<HttpListener> {
  const {
    host,
    port,
    isBehindProxy = false,
    maxConnections = defaultMaxConnections,
    idleTimeoutMs = defaultIdleTimeoutMs,
  } = options
  const server = createServer({ connectionsCheckingInterval: 5000 }, (incoming, outgoing) => {
    const address = addressOf(incoming, isBehindProxy)
    // Only the connection itself fails here, so no client can receive an answer.
    serveRequest(incoming, outgoing, (request) => app.fetch(request, { address })).catch(() => outgoing.destroy())
  })
  server.maxConnections = maxConnections
  server.setTimeout(idleTimeoutMs)
  server.headersTimeout = headersTimeoutMs
  server.requestTimeout = requestTimeoutMs
  server.keepAliveTimeout = keepAliveTimeoutMs
  server.maxRequestsPerSocket = 0
  const address = await listenOn(server, { host, port })
  return {
    address,
    async close(timeoutMs) {
      app.state.isClosing = true
      await closeServer(server, timeoutMs)
    },
  }
}

/** The last entry comes from the proxy itself; clients can forge the others. */
function addressOf(incoming: IncomingMessage, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy
    ? incoming.headersDistinct['x-forwarded-for']?.join(',').split(',').at(-1)?.trim()
    : ''
  return forwarded || (incoming.socket.remoteAddress ?? '')
}

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const end = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await end
  clearTimeout(timer)
}
