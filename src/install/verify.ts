// Verifies an installation: runs the hook as the agent will run it and reads the spooled event back,
// and has the MCP server answer a request.
import type { McpServerCommand } from '../agents/agent.ts'
import type { App } from '../app.ts'
import { type HookEvent, readSpool, removeFromSpool } from '../capture/spool.ts'
import { type HookLocation, hookCommand } from '../core/hook-command.ts'
import { runProgram } from '../core/shell/run-program.ts'
import type { HookProgram } from '../hook/script.ts'
import { spoolContext } from '../work.ts'
import { mcpState, type TargetPlan } from './hooks.ts'
import { serverCommand } from './server-entry.ts'
import type { HookedAgent, InstallTarget } from './targets.ts'

export interface Verification {
  target: InstallTarget
  /** What does not work. */
  problem: string | undefined
}

/** Checks the targets that could be installed. The MCP server is the same for all, and started once. */
export function verifyTargets(app: App, program: HookProgram, plans: readonly TargetPlan[]): Verification[] {
  const done = plans.filter(({ problem }) => !problem).map(({ target }) => target)
  const servers = done.filter((target) => target.serves && mcpState(app, target) !== 'by hand')
  const problem = servers.length > 0 ? verifyServer(app, serverCommand(program)) : undefined
  return done.flatMap((target) => {
    if (!target.serves) return { target, problem: target.agent && verifyHook(app, program, target.agent) }
    if (!servers.includes(target)) return []
    const isThere = mcpState(app, target) === 'registered'
    return { target, problem: isThere ? problem : `it is missing from ${target.files[0]!.path}` }
  })
}

/** Clears the variables of an agent that runs the installation itself. */
const neutralEnv = { GROK_SESSION_ID: '', CLAUDE_INVOKED_BY: '', RECOLLECT_INTERNAL: '' }

/** Returns an error message, or undefined if the event arrived. */
function verifyHook(app: App, place: HookLocation, { id, hooks }: HookedAgent): string | undefined {
  const event = Object.keys(hooks.events)[0]!
  const session = `recollect-probe-${process.pid}`
  const { status, error } = runProgram(hookCommand(place, id, event), [], {
    shell: true,
    cwd: app.layout.root,
    // The probe does not start a worker; everything else is as in an agent.
    env: { ...app.machine.env, ...neutralEnv, RECOLLECT_PROBE: '1' },
    input: JSON.stringify({ session_id: session, hook_event_name: event, cwd: app.layout.root }),
    timeout: 10_000,
    windowsHide: true,
  })
  if (error) return error.message
  if (status !== 0) return `the hook ended with ${status}`
  const isProbe = (one: HookEvent) => one.session === session
  const probes = readSpool(spoolContext(app)).filter(isProbe)
  removeFromSpool(
    app.layout.spool,
    probes.map(({ file }) => file),
  )
  return probes.some(({ agent }) => agent === id) ? undefined : `the hook wrote nothing into ${app.layout.spool}`
}

/** Returns an error message, or undefined if the MCP server answered. */
function verifyServer(app: App, { command, args, env }: McpServerCommand): string | undefined {
  const request = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'recollect', version: '1' } }
  const { status, error, stdout } = runProgram(command, args, {
    cwd: app.machine.home,
    env: { ...app.machine.env, ...env },
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: request })}\n`,
    encoding: 'utf8',
    timeout: 20_000,
    windowsHide: true,
  })
  if (error) return error.message
  if (/"serverInfo"/.test(String(stdout))) return undefined
  return `the MCP server ended with ${status} and did not answer`
}
