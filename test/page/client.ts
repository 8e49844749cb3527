// Requests to the page without a socket, with the cookie and the form token of its first link.
import { join } from 'node:path'
import type { App } from '../../src/app.ts'
import { createAccess, type PageAccess } from '../../src/web/access.ts'
import { createPageApp, type PageApp } from '../../src/web/page-app.ts'

export interface TestPage {
  access: PageAccess
  page: PageApp
  /** What was logged. */
  errors: unknown[]
  get(path: string, headers?: Record<string, string>): Promise<Response>
  text(path: string): Promise<string>
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  close(): void
}

const port = 7718
export const origin = `http://127.0.0.1:${port}`

export function testPage(app: App): TestPage {
  const access = createAccess({ host: '127.0.0.1', port })
  const errors: unknown[] = []
  const program = {
    root: app.layout.root,
    platform: app.machine.platform,
    node: process.execPath,
    cli: join(import.meta.dirname, '..', '..', 'dist', 'cli.js'),
  }
  const page = createPageApp({ app, access, program, log: (error) => errors.push(error) })
  const own = { host: `127.0.0.1:${port}`, cookie: `${access.cookieName}=${access.cookieValue}` }
  const get = (path: string, headers: Record<string, string> = {}) =>
    page.fetch(new Request(`${origin}${path}`, { headers: { ...own, ...headers } }))
  return {
    access,
    page,
    errors,
    get,
    text: async (path) => (await get(path)).text(),
    post: (path, fields = {}, headers = {}) =>
      page.fetch(
        new Request(`${origin}${path}`, {
          method: 'POST',
          headers: { ...own, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams({ _token: access.formToken, ...fields }).toString(),
        }),
      ),
    close: () => page.close(),
  }
}

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

/** Reads each answer; an error that was logged fails the test. */
export function pageClient(app: App): PageClient {
  const { get, post, close, errors } = testPage(app)
  const answerOf = async (response: Response): Promise<PageAnswer> => {
    if (errors.length > 0) throw errors[0]
    return { status: response.status, location: response.headers.get('location'), html: await response.text() }
  }
  return {
    get: async (path) => answerOf(await get(path)),
    part: async (path) => answerOf(await get(path, { 'hx-request': 'true' })),
    post: async (path, fields) => answerOf(await post(path, fields)),
    close,
  }
}
