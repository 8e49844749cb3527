// The contract of a route. The router, the OpenAPI document and the authorisation test are made
// from the table of all routes (routes.ts), so no route can exist without declaring who may use it.
import * as z from 'zod'
import { type AccessRole, itemId, spaceName } from '../../sync/protocol.ts'
import type { Caller, Services, SpaceAccess } from '../context.ts'
import type { PushQueue } from '../push/push-queue.ts'
import type { VectorIndexer } from '../search/vector-indexer.ts'
import type { Metrics } from './metrics.ts'

/** Everyone; every valid key; or at least a role in the space of the path (`{space}`). */
export type RouteAccess =
  | { kind: 'open' }
  | { kind: 'key' }
  | {
      kind: 'space'
      role: AccessRole
      /** For team spaces only. */
      isTeamOnly?: true
      /**
       * In `shared` the permission of the item decides, since no user is a writer of that space.
       */
      isDecidedByItem?: true
    }

export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** In OpenAPI syntax: `/api/spaces/{space}/memories/{id}`. */
  path: string
  name: string
  summary: string
  access: RouteAccess
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  maxBodyBytes?: number
  response?: z.ZodType
  /** The content type, if not JSON. */
  responseType?: string
  /** Statuses besides `status` (200) and those of all routes with the same access. */
  otherStatuses?: readonly number[]
  status?: number
  /** Returns a value for the JSON body, or a Response. */
  handle(input: RouteInput<Params, Query, Body>): Promise<unknown>
}

export interface RouteInput<Params, Query, Body> {
  services: Services
  state: AppState
  request: Request
  /** Undefined on open routes. */
  caller: Caller
  /** Undefined on routes without a space. */
  access: SpaceAccess
  params: Params
  query: Query
  body: Body
}

/** State of one instance. */
export interface AppState {
  metrics: Metrics
  /** Applies pushes of items. */
  pushes: PushQueue
  vectors: VectorIndexer
  isClosing: boolean
  /** The readiness check in progress, shared by concurrent requests. */
  readiness?: Promise<boolean> | undefined
  /** The OpenAPI document. */
  description(): Promise<unknown>
}

/** Infers the types of a route from its schemas. */
export function defineRoute<Params = unknown, Query = unknown, Body = unknown>(
  definition: Route<Params, Query, Body>,
): Route {
  return definition as Route
}

/** Access to the space is checked before. */
export const spaceParams = z.object({ space: spaceName })
export const itemParams = z.object({ space: spaceName, id: itemId })

export const nameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not a name')

/** A whole number in a query string. */
export function wholeNumber(min: number, max: number): z.ZodType<number> {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
}

export const nameCountSchema = z.object({ name: z.string(), items: z.int() })
