// Verifies an installation: runs the hook as the agent will run it and reads the spooled event
// back.
import type { App } from '../app.ts'
import { type HookEvent, readSpool, removeFromSpool } from '../capture/spool.ts'
import { type HookLocation, hookCommand } from '../core/hook-command.ts'
import { runProgram } from '../core/run-program.ts'
import { spoolContext } from '../work.ts'
import type { HookedAgent } from './targets.ts'

/** Clears the variables of an agent that runs the installation itself. */
const neutralEnv = { GROK_SESSION_ID: '', CLAUDE_INVOKED_BY: '', RECOLLECT_INTERNAL: '' }

/** Returns an error message, or undefined if the event arrived. */
export function verifyHook(app: App, place: HookLocation, { id, hooks }: HookedAgent): string | undefined {
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
