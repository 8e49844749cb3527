// Runs a tool with an open ledger and turns its text or error into a tool result. The ledger is
// opened for each call: a store that is missing or locked now may be available for the next call,
// and no lock is held between calls.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type App, createApp } from '../app.ts'
import { hintOf, systemMessage, UserError } from '../core/errors.ts'
import { isDamaged } from '../core/sqlite.ts'
import type { Ledger } from '../store/ledger.ts'
import { suspectDamage } from '../store/recovery/ledger-files.ts'
import { syncLater } from './background-sync.ts'
import type { CallSource } from './call-source.ts'
import type { ClientProject } from './client-project.ts'

export interface ToolCall {
  app: App
  ledger: Ledger
  clientProject: ClientProject
  source: CallSource
}

export type ToolCallOrigin = Pick<ToolCall, 'clientProject' | 'source'>
export type ToolHandler = (call: ToolCall) => string | Promise<string>

export async function toolResult(origin: ToolCallOrigin, handler: ToolHandler): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await runTool(origin, handler) }] }
  } catch (error) {
    return { content: [{ type: 'text', text: errorText(error) }], isError: true }
  }
}

export async function runTool(origin: ToolCallOrigin, handler: ToolHandler): Promise<string> {
  const app = createApp()
  const ledger = app.existingLedger()
  try {
    const text = await handler({ app, ledger, ...origin })
    syncLater(app, ledger)
    return text
  } catch (error) {
    if (isDamaged(error)) suspectDamage(app.layout, error)
    throw error
  } finally {
    ledger.close()
  }
}

export function errorText(error: unknown): string {
  if (error instanceof UserError) return `${error.message}\n${error.hint}`
  const { root } = createApp({ ignoresConfig: true }).layout
  return `${systemMessage(error, root)}\n${hintOf(error, root) ?? 'Run: recollect doctor'}`
}
