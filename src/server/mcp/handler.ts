// One server of the protocol per request: nothing is kept between two, so any instance can answer any of them.
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { Caller } from '../caller.ts'
import type { DoorState, Input } from '../http/route.ts'
import type { Services } from '../services.ts'
import { createServer } from './server.ts'

/** Who asks, with what. */
export interface Call {
  services: Services
  state: DoorState
  caller: Caller
  /** What a tool threw that is no answer to the caller. */
  failure?: { error: unknown }
}

/** Whole, although the protocol would let it begin before the tool is done: only so is a failure told, logged and counted like any other. */
export async function answerMcp(input: Input<unknown, unknown, unknown>): Promise<Response> {
  const { services, state, caller, request, body } = input
  const call: Call = { services, state, caller }
  // The key has been checked; the package wants to know of one.
  const authInfo = { token: '', clientId: caller.keyId, scopes: [], extra: { call } }
  const answer = await handler().fetch(request, { authInfo, ...(body === undefined ? {} : { parsedBody: body }) })
  const whole = answer.body ? await answer.arrayBuffer() : null
  if (call.failure) throw call.failure.error
  return new Response(whole, { status: answer.status, headers: answer.headers })
}

let made: McpHttpHandler | undefined

/** Nothing changes that anybody would have to be told of, so there is nothing to subscribe to. */
function handler(): McpHttpHandler {
  made ??= createMcpHandler(({ authInfo }) => createServer(authInfo!.extra!.call as Call), {
    maxSubscriptions: 0,
    onerror: () => {},
  })
  return made
}
