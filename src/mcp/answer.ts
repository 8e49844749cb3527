// What every tool does around its work: the ledger is opened and closed, and what goes wrong is told to the agent. Every call
// opens it anew: a store that is missing or busy now may be there for the next call, and nothing is held while the agent thinks.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type App, createApp } from '../app.ts'
import { hintOf, messageOf, UserError } from '../core/errors.ts'
import type { Ledger } from '../store/ledger.ts'
import type { Caller } from './caller.ts'
import type { Here } from './here.ts'

/** What a tool works with. */
export interface Visit {
  app: App
  ledger: Ledger
  here: Here
  caller: Caller
}

/** Who asks, from where. */
export type Asking = Pick<Visit, 'here' | 'caller'>
export type Work = (visit: Visit) => string | Promise<string>

export async function answer(asking: Asking, work: Work): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await visit(asking, work) }] }
  } catch (error) {
    return { content: [{ type: 'text', text: problemText(error) }], isError: true }
  }
}

export async function visit(asking: Asking, work: Work): Promise<string> {
  const app = createApp()
  const ledger = app.existingLedger()
  try {
    return await work({ app, ledger, ...asking })
  } finally {
    ledger.close()
  }
}

export function problemText(error: unknown): string {
  const hint = error instanceof UserError ? error.hint : (hintOf(error) ?? 'Run: recollect doctor')
  return `${messageOf(error)}\n${hint}`
}
