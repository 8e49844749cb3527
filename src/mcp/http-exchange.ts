// From Node's requests and responses to those of the fetch standard, which the protocol's handler speaks, and back.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

export async function exchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const response = await handle(requestOf(incoming, gone.signal))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  // A client that hangs up in the middle of an answer is no error of ours.
  if (response.body) await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {})
  else outgoing.end()
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  const method = incoming.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(pathOf(incoming), 'http://127.0.0.1'), {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as RequestInit['body'], duplex: 'half' } : {}),
  })
}

/** Only a path: `//evil.example/mcp` would be another host. */
function pathOf({ url }: IncomingMessage): string {
  return `/${(url ?? '/').replace(/^\/+/, '')}`
}
