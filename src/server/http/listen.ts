// Serves the HTTP app on a port, and shuts down gracefully: running requests are finished, new ones
// are refused.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenOn, serveRequest } from '../../core/http.ts'
import type { HttpApp } from './app.ts'
import { networkOf } from './authorise.ts'
import { clientAddress, isTrustedProxy, type TrustedProxies } from './client-address.ts'
import {
  defaultIdleTimeoutMs,
  defaultMaxConnections,
  defaultMaxConnectionsOfAddress,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestTimeoutMs,
} from './limits.ts'
import { count } from './metrics.ts'

export interface HttpListener {
  address: AddressInfo
  /** Refuses new connections at once; running requests get this long to finish. */
  close(timeoutMs: number): Promise<void>
}

interface ListenOptions {
  host: string
  port: number
  /** Proxies whose X-Forwarded-For is trusted. */
  proxies?: TrustedProxies | undefined
  maxConnections?: number
  maxConnectionsOfAddress?: number
  /** Idle time after which a connection is closed. */
  idleTimeoutMs?: number
}

export async function listen(app: HttpApp, options: ListenOptions): Promise<HttpListener> {
  const { host, port, proxies } = options
  const server = createServer({ connectionsCheckingInterval: 5000 }, (incoming, outgoing) => {
    const address = addressOf(incoming, proxies)
    // Only the connection itself fails here, so no client can receive an answer.
    serveRequest(incoming, outgoing, (request) => app.fetch(request, { address })).catch(() => outgoing.destroy())
  })
  server.maxConnections = options.maxConnections ?? defaultMaxConnections
  server.on('drop', () => count(app.state.metrics, 'recollect_connections_refused_total', { by: 'instance' }))
  limitConnections(app, server, { proxies, max: options.maxConnectionsOfAddress ?? defaultMaxConnectionsOfAddress })
  server.setTimeout(options.idleTimeoutMs ?? defaultIdleTimeoutMs)
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

/**
 * Closes connections above the limit of an address, so that one client with idle connections does
 * not shut out all others. Proxies are exempt: their connections are those of many clients.
 */
function limitConnections(
  { state }: HttpApp,
  server: Server,
  { proxies, max }: { proxies: TrustedProxies | undefined; max: number },
): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const network = networkOf(clientAddress(socket.remoteAddress ?? '', '', undefined))
    if (proxies && isTrustedProxy(proxies, network)) return
    const before = open.get(network) ?? 0
    if (before >= max) {
      count(state.metrics, 'recollect_connections_refused_total', { by: 'address' })
      socket.destroy()
      return
    }
    open.set(network, before + 1)
    socket.once('close', () => {
      const left = open.get(network)! - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

function addressOf(incoming: IncomingMessage, proxies: TrustedProxies | undefined): string {
  const forwarded = incoming.headersDistinct['x-forwarded-for']?.join(',') ?? ''
  return clientAddress(incoming.socket.remoteAddress ?? '', forwarded, proxies)
}

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const end = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await end
  clearTimeout(timer)
}
