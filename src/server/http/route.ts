// The contract of a route. The table of all routes (routes.ts) is what the router, the OpenAPI document and the test of who may do
// what are made from: a route that is not in it does not exist, and none can forget to say who may use it.
import * as z from 'zod'
import { type AccessRole, itemId, spaceName } from '../../sync/protocol.ts'
import type { Caller, SpaceAccess } from '../caller.ts'
import type { VectorIndexer } from '../search/vector-indexer.ts'
import type { Services } from '../services.ts'
import type { Metrics } from './metrics.ts'

/** Anybody; anybody with a key; or who has at least a role in the space that the path names (`{space}`). */
export type RouteAccess =
  | { kind: 'open' }
  | { kind: 'key' }
  | {
      kind: 'space'
      role: AccessRole
      /** Only teams have it. */
      isTeamOnly?: true
      /** In `shared` nobody is a writer, and an item that is shared for writing can be written: there the item decides. */
      isDecidedByItem?: true
    }

export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As OpenAPI writes it: `/api/spaces/{space}/memories/{id}`. */
  path: string
  name: string
  summary: string
  access: RouteAccess
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  maxBodyBytes?: number
  response?: z.ZodType
  /** What it answers with, where that is not JSON. */
  responseType?: string
  /** Besides 200 (or `status`) and what every route of its kind can answer. */
  otherStatuses?: readonly number[]
  status?: number
  /** What becomes JSON, or a whole answer. */
  handle(input: RouteInput<Params, Query, Body>): Promise<unknown>
}

export interface RouteInput<Params, Query, Body> {
  services: Services
  state: AppState
  request: Request
  /** Undefined on open routes. */
  caller: Caller
  /** On routes of a space. */
  access: SpaceAccess
  params: Params
  query: Query
  body: Body
}

/** What one instance knows of itself. */
export interface AppState {
  metrics: Metrics
  /** Makes what a search by meaning needs, where one is set up. */
  vectors: VectorIndexer
  isClosing: boolean
  /** Whether the database answers, while somebody asks. */
  readiness?: Promise<boolean> | undefined
  /** Of the routes, once somebody has asked for it. */
  description?: Promise<unknown>
}

/** So that the types of a route follow from its schemas. */
export function defineRoute<Params = unknown, Query = unknown, Body = unknown>(
  definition: Route<Params, Query, Body>,
): Route {
  return definition as Route
}

// What paths and queries are made of.

/** Whoever may use a space is checked before, so any text can stand here. */
export const spaceParams = z.object({ space: spaceName })
export const itemParams = z.object({ space: spaceName, id: itemId })

export const nameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not a name')

/** A number in a query. */
export function wholeNumber(least: number, max: number): z.ZodType<number> {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().min(least).max(max))
}

export const nameCountSchema = z.object({ name: z.string(), items: z.int() })
