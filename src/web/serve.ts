// Serves the page on loopback until it is stopped.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { App } from '../app.ts'
import { appendLog } from '../core/files.ts'
import { listenOn, serveRequest } from '../core/http.ts'
import type { HookProgram } from '../hook/script.ts'
import { createAccess } from './access.ts'
import { createPageApp } from './page-app.ts'

export interface ServePageOptions {
  host: string
  port: number
  program: HookProgram
  publicUrl?: URL | undefined
  /** Ends the server. */
  signal?: AbortSignal
  /** Called with the link once the server listens. */
  onReady(link: string): void
}

export const defaultPagePort = 7718

export async function servePage(
  app: App,
  { host, port, program, publicUrl, signal, onReady }: ServePageOptions,
): Promise<void> {
  const stopped = signal ? once(signal, 'abort') : Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const log = (error: unknown) => appendLog(app.layout.logs, 'page', app.clock, detailOf(error))
  let handle: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 })
  const server = createServer((incoming, outgoing) => {
    serveRequest(incoming, outgoing, (request) => handle(request)).catch((error) => {
      log(error)
      outgoing.destroy()
    })
  })
  const address = await listenOn(server, { host, port })
  const access = createAccess({ host, port: address.port, publicUrl })
  const page = createPageApp({ app, access, program, log })
  handle = page.fetch
  const origin = publicUrl?.origin ?? `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
  onReady(`${origin}/?token=${access.token}`)
  await stopped
  server.close()
  server.closeAllConnections()
  page.close()
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
