// Adapts Node's HTTP server to Request and Response of the fetch standard, which routers and
// protocol libraries use.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { UserError } from './errors.ts'

export async function serveRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const response = await handle(requestOf(incoming, await bodyOf(incoming), gone.signal))
  // Answered before the body was read, as with an unknown key: the answer does not wait for it.
  if (!incoming.complete) outgoing.once('finish', () => discardRest(incoming))
  const headers = Object.fromEntries(response.headers)
  if (!headers['content-type']?.startsWith('text/event-stream')) {
    const body = response.body ? Buffer.from(await response.arrayBuffer()) : undefined
    outgoing.writeHead(response.status, { ...headers, 'content-length': body?.byteLength ?? 0 }).end(body)
    return
  }
  outgoing.writeHead(response.status, headers)
  // A client that disconnects during the response is not an error.
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {})
}

/** A client that is still sending may not read the answer; a slow one is not waited for. */
function discardRest(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.socket.destroy(), maxDiscardMs)
  incoming.once('close', () => clearTimeout(timer))
  incoming.removeAllListeners('data').resume()
}

const maxDiscardMs = 3000

/**
 * Bodies up to this size are read before the request is handled, because streams take twice the
 * time.
 */
const maxBufferedBodyBytes = 65_536

/** Longer ones are read by the handler, which may answer without them. */
const maxBufferingMs = 50

async function bodyOf(incoming: IncomingMessage): Promise<RequestInit['body'] | undefined> {
  const length = incoming.headers['content-length']
  if (length === undefined && incoming.headers['transfer-encoding'] === undefined) return undefined
  if (length === undefined || Number(length) > maxBufferedBodyBytes) return streamOf(incoming)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const collect = (chunk: Buffer) => chunks.push(chunk)
    const finish = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
    }
    const timer = setTimeout(() => {
      incoming.off('data', collect).off('end', finish).pause()
      if (chunks.length > 0) incoming.unshift(Buffer.concat(chunks))
      resolve(streamOf(incoming))
    }, maxBufferingMs)
    incoming
      .on('data', collect)
      .once('end', finish)
      .once('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
  })
}

function streamOf(incoming: IncomingMessage): RequestInit['body'] {
  return Readable.toWeb(incoming) as RequestInit['body']
}

function requestOf(incoming: IncomingMessage, body: RequestInit['body'] | undefined, signal: AbortSignal): Request {
  const headers = new Headers()
  const rawHeaders = incoming.rawHeaders
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  const method = incoming.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== undefined
  return new Request(new URL(pathOf(incoming), 'http://127.0.0.1'), {
    method,
    headers,
    signal,
    ...(hasBody ? { body, duplex: 'half' } : {}),
  })
}

/**
 * Keeps only the path: `//evil.example/mcp` and `/\\evil.example` would be read as another host.
 */
function pathOf({ url }: IncomingMessage): string {
  return `/${(url ?? '/').replace(/^[/\\]+/, '')}`
}

/** Port 0 selects a free port; the returned address has it. */
export async function listenOn(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new UserError(`Port ${port} is in use`, 'Choose another port: --port 0 selects a free one.')
    if (code === 'EACCES') throw new UserError(`Port ${port} needs administrator rights`, 'Choose a port above 1023.')
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UserError(
        `This machine has no address ${host}`,
        'Use --host 127.0.0.1, or --host 0.0.0.0 for all addresses.',
      )
    throw error
  }
  return server.address() as AddressInfo
}
