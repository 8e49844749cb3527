// The context that every MCP tool gets.
import type { Caller, Services } from '../context.ts'
import type { AppState } from '../http/route.ts'

export interface McpCall {
  services: Services
  state: AppState
  caller: Caller
  /** An unexpected error of a tool; the HTTP handler logs it and answers with a problem. */
  failure?: { error: unknown }
}
