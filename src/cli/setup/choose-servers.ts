// Asks whether the MCP server is registered with agents. Without a terminal only `--mcp` registers
// it; a registration that is there is kept up to date.
import type { App } from '../../app.ts'
import type { HookProgram } from '../../hook/script.ts'
import { type McpState, mcpState } from '../../install/hooks.ts'
import { type InstallTarget, mcpTargets } from '../../install/targets.ts'
import { askYesNo, isInteractive } from '../prompts.ts'
import { type Terminal, wrapText } from '../terminal.ts'

export const mcpOptions = {
  register: ['--mcp', 'Register the MCP server: lets agents search your memory themselves'],
  leave: ['--no-mcp', 'Do not register the MCP server, and do not ask'],
} as const

export interface McpOptions {
  /** Undefined without an option. */
  mcp?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

export interface ServerChoice {
  servers: InstallTarget[]
  /** Lines that say how to register it later. */
  hint: string[]
}

/** The servers to register with the agents whose hooks are installed. */
export async function chooseServers(
  { say, columns }: Terminal,
  app: App,
  program: HookProgram,
  hooks: readonly InstallTarget[],
  options: McpOptions,
): Promise<ServerChoice> {
  const offered = mcpTargets(app, program)
    .filter(({ serves }) => hooks.some(({ agent }) => agent === serves))
    .map((target) => ({ target, state: mcpState(app, target) }))
  const among = (states: McpState[]) =>
    offered.filter(({ state }) => states.includes(state)).map(({ target }) => target)
  const missing = among(['missing'])
  const unchanged = { servers: among(['registered', 'outdated']), hint: [] }
  const everywhere = { servers: among(['registered', 'outdated', 'missing', 'by hand']), hint: [] }
  if (options.mcp) return everywhere
  if (missing.length === 0 || options.mcp === false || options.json) return unchanged

  const names = missing.map(({ name }) => name).join(', ')
  const offer = wrapText(
    `The MCP server lets an agent search your memory itself. Not registered with: ${names}.`,
    columns,
  )
  if (options.yes || options.dryRun || !isInteractive())
    return { ...unchanged, hint: [...offer, 'To register it: recollect install --mcp'] }
  for (const line of offer) say(line)
  return (await askYesNo('Register it with them?')) ? everywhere : unchanged
}
