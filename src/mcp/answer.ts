// What every tool does around its work: the ledger is opened and closed, and what goes wrong is told to the agent.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type App, createApp } from '../app.ts'
import { hintOf, messageOf, UserError } from '../core/errors.ts'
import type { Ledger } from '../store/ledger.ts'

export function answer(use: (app: App, ledger: Ledger) => string): CallToolResult {
  try {
    const app = createApp()
    const ledger = app.existingLedger()
    try {
      return { content: [{ type: 'text', text: use(app, ledger) }] }
    } finally {
      ledger.close()
    }
  } catch (error) {
    return { content: [{ type: 'text', text: problemText(error) }], isError: true }
  }
}

function problemText(error: unknown): string {
  const hint = error instanceof UserError ? error.hint : (hintOf(error) ?? 'Run: recollect doctor')
  return `${messageOf(error)}\n${hint}`
}
