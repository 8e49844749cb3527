// Who may use the page. It listens on loopback, but any site in the same browser can reach that
// too, so Host, Origin, a cookie and a form token are checked.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export interface PageAccess {
  /** In the first link, which is printed. */
  token: string
  cookieName: string
  cookieValue: string
  formToken: string
  /** Accepted values of the Host header. */
  hosts: ReadonlySet<string>
  /** Accepted values of the Origin header. */
  origins: ReadonlySet<string>
  isSecure: boolean
}

export interface AccessOptions {
  host: string
  port: number
  /** How the browser reaches the page, if not directly (port forwarding). */
  publicUrl?: URL | undefined
}

/** Everything is random for each start. Cookies do not distinguish ports, so the name contains it. */
export function createAccess({ host, port, publicUrl }: AccessOptions): PageAccess {
  const secret = randomBytes(32)
  const derive = (purpose: string) => createHmac('sha256', secret).update(purpose).digest('base64url')
  const names = ['127.0.0.1', 'localhost', '[::1]', ...(isLoopback(host) ? [] : [bracketed(host)])]
  const hosts = names.map((name) => `${name}:${port}`)
  const origins = hosts.map((each) => `http://${each}`)
  return {
    token: derive('link'),
    cookieName: `recollect-${port}`,
    cookieValue: derive('cookie'),
    formToken: derive('form'),
    hosts: new Set(publicUrl ? [...hosts, publicUrl.host] : hosts),
    origins: new Set(publicUrl ? [...origins, publicUrl.origin] : origins),
    isSecure: publicUrl?.protocol === 'https:',
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

export type AccessRefusal = { status: 400 | 401 | 403; message: string }

/** Undefined if the request may be handled. */
export function refusalOf(request: Request, access: PageAccess): AccessRefusal | undefined {
  const { headers, method } = request
  if (!access.hosts.has((headers.get('host') ?? '').toLowerCase()))
    return { status: 403, message: 'This name of the server is not accepted. With port forwarding, use --public-url.' }
  const origin = headers.get('origin')
  if (origin !== null && !access.origins.has(origin))
    return { status: 403, message: 'Requests from other sites are not accepted.' }
  if (!hasCookie(headers.get('cookie'), access))
    return { status: 401, message: 'Open the link that "recollect serve" printed; it is valid until it ends.' }
  if (method !== 'GET' && method !== 'HEAD' && origin === null && headers.get('sec-fetch-site') !== 'same-origin')
    return { status: 403, message: 'The request does not say where it comes from.' }
  return undefined
}

/** The token of the first link. */
export function hasLinkToken(url: URL, { token }: PageAccess): boolean {
  const given = url.searchParams.get('token')
  return given !== null && isSame(given, token)
}

export function hasFormToken(form: URLSearchParams, headers: Headers, { formToken }: PageAccess): boolean {
  const given = form.get('_token') ?? headers.get('x-recollect-token')
  return given !== null && isSame(given, formToken)
}

function hasCookie(cookies: string | null, { cookieName, cookieValue }: PageAccess): boolean {
  const values = (cookies ?? '').split(/;\s*/).flatMap((pair) => {
    const at = pair.indexOf('=')
    return pair.slice(0, at) === cookieName ? [pair.slice(at + 1)] : []
  })
  return values.some((value) => isSame(value, cookieValue))
}

export function accessCookie({ cookieName, cookieValue, isSecure }: PageAccess): string {
  return `${cookieName}=${cookieValue}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** No inline script or style, nothing from elsewhere, in no frame. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With no-referrer, browsers say "null" as the origin of a form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
