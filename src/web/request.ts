// What a view gets and what it returns. A view is a function from a request to a result; cookies,
// headers and the frame of the page are added around it.
import type { App } from '../app.ts'
import { UserError } from '../core/errors.ts'
import type { HookProgram } from '../hook/script.ts'
import type { Html } from '../html/html.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ActivityIndex } from './activity.ts'
import type { LiveFeed } from './live.ts'

export interface PageRequest {
  app: App
  ledger: Ledger
  activity: ActivityIndex
  live: LiveFeed
  /** How this program is started. */
  program: HookProgram
  /** Named parts of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Fields of a POST request; empty for GET. */
  form: URLSearchParams
  path: string
  /** Asked by a script of the page, which replaces a part of it. */
  isFragment: boolean
  /** Must be sent with every POST, so that other sites cannot forge one. */
  formToken: string
  raw: Request
  /** Aborted when the client has gone. */
  signal: AbortSignal
}

export const sections = [
  'overview',
  'sessions',
  'search',
  'memories',
  'inbox',
  'journal',
  'wiki',
  'patterns',
  'cost',
  'files',
  'health',
] as const
export type Section = (typeof sections)[number]

export type PageResult =
  | { kind: 'page'; title: string; section: Section; main: Html; status?: number }
  /** A part of a page. */
  | { kind: 'fragment'; html: Html }
  | { kind: 'redirect'; to: string; cookie?: string }
  | { kind: 'file'; type: string; name: string; content: string }
  | { kind: 'stream'; body: ReadableStream<Uint8Array> }

export interface PageRoute {
  method: 'GET' | 'POST'
  /** As Hono has it: `/sessions/:id`. */
  path: string
  handle(request: PageRequest): PageResult | Promise<PageResult>
}

/** Shown as a page with status 404. */
export class NotFoundError extends UserError {
  constructor(message: string, hint: string) {
    super(message, hint, 1)
    this.name = 'NotFoundError'
  }
}

/**
 * Where a form leads back to, if that is on this page: another site otherwise. Browsers leave out tabs and
 * line breaks before they look where an address leads, as the parser does.
 */
export function ownAddress(back: string | null, otherwise: string): string {
  if (!back?.startsWith('/') || !URL.canParse(back, ownOrigin)) return otherwise
  const { origin, pathname, search, hash } = new URL(back, ownOrigin)
  return origin === ownOrigin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : otherwise
}

const ownOrigin = 'http://page.invalid'

/** The same address with other values; an empty or undefined value removes a parameter. */
export function urlWith(
  { path, query }: Pick<PageRequest, 'path' | 'query'>,
  changes: Readonly<Record<string, string | number | undefined>>,
): string {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, String(value))
  }
  const search = next.toString()
  return search === '' ? path : `${path}?${search}`
}

/** A positive whole number from the address; undefined if it is none. */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? Number.NaN)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

export function urlOfSession(id: string, seq?: number): string {
  const path = `/sessions/${encodeURIComponent(id)}`
  return seq === undefined ? path : `${path}?at=${seq}#e${seq}`
}
