// Requests to the page without a socket, with the cookie and the form token of its first link.
import type { App } from '../src/app.ts'
import { accessCookie, createAccess } from '../src/web/access.ts'
import { createPageApp } from '../src/web/page-app.ts'

export interface PageClient {
  get(path: string): Promise<PageAnswer>
  /** As a script of the page asks for a part of it. */
  part(path: string): Promise<PageAnswer>
  post(path: string, fields?: Record<string, string>): Promise<PageAnswer>
  close(): void
}

export interface PageAnswer {
  status: number
  /** Where a redirect leads to. */
  location: string | null
  html: string
}

const origin = 'http://127.0.0.1:7718'

export function pageClient(app: App): PageClient {
  const access = createAccess({ host: '127.0.0.1', port: 7718 })
  const page = createPageApp({
    app,
    access,
    program: { root: app.layout.root, platform: 'linux', node: process.execPath, cli: '/nowhere/cli.js' },
    log(error) {
      throw error
    },
  })
  const headers = { host: '127.0.0.1:7718', cookie: accessCookie(access).split(';')[0]!, origin }
  const send = async (path: string, init: RequestInit): Promise<PageAnswer> => {
    const response = await page.fetch(new Request(`${origin}${path}`, init))
    return { status: response.status, location: response.headers.get('location'), html: await response.text() }
  }
  return {
    get: (path) => send(path, { headers }),
    part: (path) => send(path, { headers: { ...headers, 'hx-request': 'true' } }),
    post: (path, fields = {}) =>
      send(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ _token: access.formToken, ...fields }).toString(),
      }),
    close: page.close,
  }
}
