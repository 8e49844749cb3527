// Kimi Code, hooks as read in 0.10.0 and 2.1.0: the output of a SessionStart hook is ignored, so
// there is no brief. An unknown name or key makes it reject its whole configuration: hence no
// Interrupt, which 0.10.0 does not know. kimi-cli gets no hooks.
import { join } from 'node:path'
import { stringify } from 'smol-toml'
import type { Hooks } from '../agent.ts'
import { hookTimeoutSeconds } from '../hook-groups.ts'

export const kimiHooks: Hooks = {
  events: { SessionStart: 'start', Stop: 'turn', StopFailure: 'turn', PreCompact: 'compact', SessionEnd: 'end' },
  home: ({ home, env }) => env.KIMI_CODE_HOME || join(home, '.kimi-code'),
  files(machine, command) {
    const hooks = Object.keys(kimiHooks.events).map((event) => ({
      event,
      command: command(event),
      timeout: hookTimeoutSeconds,
    }))
    return [{ kind: 'toml', path: join(kimiHooks.home(machine), 'config.toml'), text: stringify({ hooks }) }]
  },
}
