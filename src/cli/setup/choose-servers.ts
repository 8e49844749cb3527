// Decides with which agents the MCP server is registered. At a terminal the person is asked, without
// one only `--mcp` registers it; a registration that is there is kept up to date.
import type { App } from '../../app.ts'
import type { HookProgram } from '../../hook/script.ts'
import { type McpState, mcpState } from '../../install/hooks.ts'
import { type InstallTarget, mcpTargets } from '../../install/targets.ts'
import { isInteractive } from '../prompts.ts'
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
  /** Those among them that the person has to be asked about. */
  offered: InstallTarget[]
  /** Lines that say how to register it later. */
  hint: string[]
}

/** The servers to register with the agents whose hooks are installed. */
export function chooseServers(
  { columns }: Terminal,
  app: App,
  program: HookProgram,
  hooks: readonly InstallTarget[],
  options: McpOptions,
): ServerChoice {
  const candidates = mcpTargets(app, program)
    .filter(({ serves }) => hooks.some(({ agent }) => agent === serves))
    .map((target) => ({ target, state: mcpState(app, target) }))
  const among = (states: McpState[]) =>
    candidates.filter(({ state }) => states.includes(state)).map(({ target }) => target)
  const missing = among(['missing'])
  const everywhere = among(['registered', 'outdated', 'missing', 'by hand'])
  const unchanged = { servers: among(['registered', 'outdated']), offered: [], hint: [] }
  if (options.mcp) return { servers: everywhere, offered: [], hint: [] }
  if (missing.length === 0 || options.mcp === false || options.json) return unchanged
  if (!options.yes && !options.dryRun && isInteractive()) return { servers: everywhere, offered: missing, hint: [] }
  const names = missing.map(({ name }) => name).join(', ')
  const offer = `The MCP server lets an agent search your memory itself. Not registered with: ${names}.`
  return { ...unchanged, hint: [...wrapText(offer, columns), 'To register it: recollect install --mcp'] }
}
