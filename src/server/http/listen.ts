// A door on a port, and how it closes: what has begun is answered, what has not is sent elsewhere.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenOn, serveRequest } from '../../core/http.ts'
import type { HttpApp } from './app.ts'

export interface HttpListener {
  address: AddressInfo
  /** New connections are refused at once; requests that have begun have this long to end. */
  close(patienceMs: number): Promise<void>
}

export interface ListenOptions {
  host: string
  port: number
  /** A proxy in front tells the address of who asks. */
  isBehindProxy?: boolean
  maxConnections?: number
  /** A connection on which nothing moves for so long goes. */
  silenceMs?: number
}

export async function listen(door: HttpApp, options: ListenOptions): Promise<HttpListener> {
  const { host, port, isBehindProxy = false, maxConnections = 5000, silenceMs = 150_000 } = options
  const server = createServer({ connectionsCheckingInterval: 5000 }, (incoming, outgoing) => {
    const address = addressOf(incoming, isBehindProxy)
    // What fails here is the connection itself: there is nobody left to be told.
    serveRequest(incoming, outgoing, (request) => door.fetch(request, { address })).catch(() => outgoing.destroy())
  })
  // Each takes memory and a place in the table of files, whether or not it ever asks for anything.
  server.maxConnections = maxConnections
  // Also whoever does not take their answer.
  server.setTimeout(silenceMs)
  server.headersTimeout = 10_000
  server.requestTimeout = 60_000
  // Longer than what proxies keep theirs, so that it is not us who close a connection on which a request is under way.
  server.keepAliveTimeout = 75_000
  server.maxRequestsPerSocket = 0
  const address = await listenOn(server, { host, port })
  return {
    address,
    async close(patienceMs) {
      door.state.isClosing = true
      await closeServer(server, patienceMs)
    },
  }
}

/** The last one is what the proxy itself has seen; those before it are what it was told. */
function addressOf(incoming: IncomingMessage, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy
    ? incoming.headersDistinct['x-forwarded-for']?.join(',').split(',').at(-1)?.trim()
    : ''
  return forwarded || (incoming.socket.remoteAddress ?? '')
}

async function closeServer(server: Server, patienceMs: number): Promise<void> {
  const end = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), patienceMs)
  await end
  clearTimeout(timer)
}
