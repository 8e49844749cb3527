// Antigravity, hooks as documented for 1.1 and 1.2; not tried. `hooks.json` has a group per program
// at its top level, and a key `hooks` there makes it fail as a whole. Only the end of a turn is
// used. The brief is not given: PreInvocation comes before every call of the model, for subagents
// too, and its text lasts for one call or is kept as a prompt of the user. PreToolUse denies the
// call if nothing is printed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Hooks } from '../agent.ts'
import { hookTimeoutSeconds } from '../hook-groups.ts'

export const antigravityHooks: Hooks = {
  events: { Stop: 'turn' },
  // `.gemini` alone may belong to Gemini CLI.
  home: (machine) => dataFolders(machine).find((folder) => existsSync(folder)) ?? dataFolders(machine)[0]!,
  files(machine, command) {
    const item = (event: string) => ({ type: 'command', command: command(event), timeout: hookTimeoutSeconds })
    const entries = Object.keys(antigravityHooks.events).map((event) => ({
      at: ['recollect', event],
      item: item(event),
    }))
    return [{ kind: 'json', path: join(geminiFolder(machine), 'config', 'hooks.json'), entries }]
  },
}

/** Of the command line, of the application and older editors, and of newer editors. */
export function dataFolders(machine: Machine): string[] {
  return ['antigravity-cli', 'antigravity', 'antigravity-ide'].map((name) => join(geminiFolder(machine), name))
}

function geminiFolder({ home }: Machine): string {
  return join(home, '.gemini')
}
