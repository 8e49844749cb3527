// The page as a function from a request to a response. Order: static files, first link, access,
// form token, view, frame.
import { Hono } from 'hono'
import type { App } from '../app.ts'
import { messageOf, UserError } from '../core/errors.ts'
import type { HookProgram } from '../hook/script.ts'
import { type Html, html } from '../html/html.ts'
import { accessCookie, hasFormToken, hasLinkToken, type PageAccess, refusalOf, securityHeaders } from './access.ts'
import { createActivityIndex } from './activity.ts'
import { assetAt } from './assets.ts'
import { plainPage, renderFrame, type Theme } from './frame.ts'
import { openLedgerFor } from './ledger.ts'
import { createLiveFeed } from './live.ts'
import { NotFoundError, type PageRequest, type PageResult, type PageRoute } from './request.ts'
import { routes } from './routes.ts'

export interface PageApp {
  fetch(request: Request): Promise<Response>
  close(): void
}

export interface PageAppOptions {
  app: App
  access: PageAccess
  program: HookProgram
  log(error: unknown): void
}

export function createPageApp({ app, access, program, log }: PageAppOptions): PageApp {
  const opened = openLedgerFor(app)
  const activity = createActivityIndex(app.zone)
  const live = createLiveFeed(activity, () => opened.ledger())
  const hono = new Hono()
  for (const route of routes)
    hono.on(route.method, route.path, async (context) => {
      const params = context.req.param() as Record<string, string>
      return respond(route, context.req.raw, params)
    })

  async function respond(route: PageRoute, raw: Request, params: Record<string, string>): Promise<Response> {
    const url = new URL(raw.url)
    const form = raw.method === 'POST' ? await readForm(raw) : new URLSearchParams()
    if (raw.method === 'POST' && !hasFormToken(form, raw.headers, access))
      return plain(403, 'The form is out of date. Go back, reload the page and try again.')
    const request: PageRequest = {
      app,
      ledger: opened.ledger(),
      activity,
      live,
      program,
      params,
      query: url.searchParams,
      form,
      path: url.pathname,
      isFragment: raw.headers.get('hx-request') === 'true' && raw.headers.get('hx-boosted') !== 'true',
      formToken: access.formToken,
      raw,
      signal: raw.signal,
    }
    return responseOf(await resultOf(route, request, log), request, themeIn(raw))
  }

  hono.notFound(() => plain(404, 'There is no such page.'))
  return {
    async fetch(request) {
      const response = await handle(request, access, hono, log)
      for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value)
      return response
    },
    close() {
      live.close()
      opened.close()
    },
  }
}

async function handle(
  request: Request,
  access: PageAccess,
  hono: Hono,
  log: (error: unknown) => void,
): Promise<Response> {
  const url = new URL(request.url)
  const isKnownHost = access.hosts.has((request.headers.get('host') ?? '').toLowerCase())
  if (request.method === 'GET' && isKnownHost && hasLinkToken(url, access)) return enter(url, access)
  const refusal = refusalOf(request, access)
  if (refusal) return plain(refusal.status, refusal.message)
  const asset = request.method === 'GET' ? assetAt(url.pathname) : undefined
  if (asset)
    return new Response(new Uint8Array(asset.content), {
      headers: { 'content-type': asset.type, 'cache-control': 'private, max-age=31536000, immutable' },
    })
  try {
    return await hono.fetch(request)
  } catch (error) {
    log(error)
    return plain(500, messageOf(error))
  }
}

/** Exchanges the token of the first link for a cookie, and removes it from the address. */
function enter(url: URL, access: PageAccess): Response {
  url.searchParams.delete('token')
  const search = url.searchParams.toString()
  const location = `${url.pathname}${search === '' ? '' : `?${search}`}`
  return new Response(null, { status: 303, headers: { location, 'set-cookie': accessCookie(access) } })
}

const maxFormBytes = 200_000

async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams()
  const text = await request.text()
  return new URLSearchParams(text.length > maxFormBytes ? '' : text)
}

async function resultOf(route: PageRoute, request: PageRequest, log: (error: unknown) => void): Promise<PageResult> {
  try {
    return await route.handle(request)
  } catch (error) {
    if (!(error instanceof UserError)) log(error)
    const status = error instanceof NotFoundError ? 404 : error instanceof UserError ? 400 : 500
    const hint = error instanceof UserError ? error.hint : 'The log has details: logs/page.log in the store.'
    const main = html`<div class="notice notice-error" role="alert"><p>${messageOf(error)}</p><p class="quiet">${hint}</p></div>`
    return { kind: 'page', title: 'Problem', section: 'overview', main, status }
  }
}

function responseOf(result: PageResult, request: PageRequest, theme: Theme): Response {
  const noStore = { 'cache-control': 'no-store' }
  switch (result.kind) {
    case 'page': {
      // A script of the page replaces only a part of it, whatever the view returned.
      const content = request.isFragment ? result.main : renderFrame(result, request, theme)
      return htmlResponse(content, result.status ?? 200)
    }
    case 'fragment':
      return htmlResponse(result.html, 200)
    case 'redirect': {
      // A script follows a redirect itself and would swap the whole page into a part of it.
      const headers = new Headers({ [request.isFragment ? 'hx-redirect' : 'location']: result.to })
      if (result.cookie !== undefined) headers.set('set-cookie', result.cookie)
      return new Response(null, { status: request.isFragment ? 200 : 303, headers })
    }
    case 'file':
      return new Response(result.content, {
        headers: {
          ...noStore,
          'content-type': result.type,
          'content-disposition': `attachment; filename="${result.name.replace(/[^\w.-]/g, '_')}"`,
        },
      })
    case 'stream':
      heldRequests.set(result.body, request.raw)
      return new Response(result.body, { headers: { ...noStore, 'content-type': 'text/event-stream' } })
    default:
      return result satisfies never
  }
}

/** A request that is collected does not tell any more that its client has gone. */
const heldRequests = new WeakMap<ReadableStream, Request>()

function htmlResponse(content: Html | string, status: number): Response {
  return new Response(content.toString(), {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', vary: 'hx-request' },
  })
}

function plain(status: number, message: string): Response {
  return htmlResponse(plainPage(message), status)
}

function themeIn({ headers }: Request): Theme {
  const chosen = /(?:^|;\s*)recollect-theme=(light|dark)(?:;|$)/.exec(headers.get('cookie') ?? '')?.[1]
  return chosen as Theme
}
