// Sets our command as the status line of agents, unless the user has one.
import { createApp } from '../../app.ts'
import { installHooks, planInstalls } from '../../install/hooks.ts'
import { programOf } from '../../install/program.ts'
import { requireStablePath } from '../../install/stable-path.ts'
import { statusLineTargets } from '../../install/targets.ts'
import type { Terminal } from '../terminal.ts'
import { applyPlans, type PlanOptions } from './apply-plans.ts'

/** Returns the exit code. */
export async function installStatusline(terminal: Terminal, options: PlanOptions): Promise<0 | 1 | 2 | 3> {
  const app = createApp()
  const program = programOf(app)
  requireStablePath(program.cli)
  const plans = planInstalls(app, statusLineTargets(app, program))
  const changed = plans.filter(({ edits }) => edits.length > 0)
  const code = await applyPlans(terminal, app, plans, options, async (ready) => {
    const needed = ready.filter((plan) => changed.includes(plan))
    if (needed.length > 0) await installHooks(app, program, needed)
    return []
  })
  for (const { target, problem } of plans.filter((plan) => !changed.includes(plan)))
    if (!problem) terminal.say(`${target.files[0]!.path} has a status line already; it is left as it is.`)
  return code
}
