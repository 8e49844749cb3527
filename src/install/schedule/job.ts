// What the scheduler is to run. It starts programs without the variables of a shell, so those that say where things lie are
// brought along: without them the worker would look in other folders than the user's own commands do.
import { resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { UserError } from '../../core/errors.ts'
import type { Machine } from '../../core/paths.ts'
import { checkLasting } from '../lasting.ts'
import { forShell, forWindows } from './quote.ts'
import type { Job } from './scheduler.ts'

export function jobOf(machine: Machine, agents: readonly Agent[], program: { node: string; cli: string }): Job {
  const home = machine.env.RECOLLECT_HOME
  return { ...program, env: { ...(home ? { RECOLLECT_HOME: resolve(home) } : {}), ...variablesOf(machine, agents) } }
}

/** What the agents ask for when they say where their transcripts are, and is set. */
function variablesOf(machine: Machine, agents: readonly Agent[]): Record<string, string> {
  const asked = new Map<string, string>()
  const env = new Proxy(machine.env, {
    get(values, name: string) {
      const value = values[name]
      if (value) asked.set(name, value)
      return value
    },
  })
  for (const agent of agents) agent.roots({ ...machine, env })
  asked.delete('APPDATA') // Windows gives it to every program
  return Object.fromEntries([...asked].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function checkJob({ node, cli, env }: Job): void {
  checkLasting(cli)
  const broken = [node, cli, ...Object.values(env)].find((text) => /[\r\n]/.test(text))
  if (broken) throw new UserError('A path with a line break in it cannot be scheduled', JSON.stringify(broken))
}

/** The line for those who have a scheduler that we do not know. */
export function lineByHand({ node, cli, env }: Job, { platform }: Machine): string {
  if (platform === 'win32') return `${forWindows(node)} ${forWindows(cli)} work`
  const variables = Object.entries(env).map(([name, value]) => `${name}=${forShell(value)}`)
  return [...variables, 'nice -n 10', forShell(node), forShell(cli), 'work'].join(' ')
}
