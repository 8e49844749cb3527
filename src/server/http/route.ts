// The contract of a route. The table of all routes (routes.ts) is what the router, the OpenAPI document and the test of who may do
// what are made from: a route that is not in it does not exist, and none can forget to say who may use it.
import type * as z from 'zod'
import type { Role } from '../../sync/protocol.ts'
import type { Access, Caller } from '../caller.ts'
import type { VectorWork } from '../search/keep-vectors.ts'
import type { Services } from '../services.ts'
import type { Metrics } from './metrics.ts'

/** Anybody; anybody with a key; or who has at least a role in the space that the path names (`{space}`). */
export type Need =
  | { kind: 'open' }
  | { kind: 'key' }
  | {
      kind: 'space'
      role: Role
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
  need: Need
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  maxBodyBytes?: number
  answer?: z.ZodType
  /** What it answers with, where that is not JSON. */
  answerType?: string
  /** Besides 200 (or `status`) and what every route of its kind can answer. */
  also?: readonly number[]
  status?: number
  /** What becomes JSON, or a whole answer. */
  work(input: Input<Params, Query, Body>): Promise<unknown>
}

export interface Input<Params, Query, Body> {
  services: Services
  state: DoorState
  request: Request
  /** Undefined on open routes. */
  caller: Caller
  /** On routes of a space. */
  access: Access
  params: Params
  query: Query
  body: Body
}

/** What one instance knows of itself. */
export interface DoorState {
  metrics: Metrics
  /** Makes what a search by meaning needs, where one is set up. */
  vectors: VectorWork
  isClosing: boolean
  /** Whether the database answers, while somebody asks. */
  readiness?: Promise<boolean> | undefined
  /** Of the routes, once somebody has asked for it. */
  description?: Promise<unknown>
}

/** So that the types of a route follow from its schemas. */
export function route<Params = unknown, Query = unknown, Body = unknown>(
  definition: Route<Params, Query, Body>,
): Route {
  return definition as Route
}
