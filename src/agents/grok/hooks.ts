// Grok Build, hooks as described in the manual of 1.0.41. The output of a SessionStart hook is
// ignored, so there is no brief. Each turn ends in one of three ways; after SessionEnd one more
// Stop is sent, with `reason` shutdown.
import { join } from 'node:path'
import type { Hooks } from '../agent.ts'
import { hookFileContent, hookGroup, hookTimeoutSeconds } from '../hook-groups.ts'

export const grokHooks: Hooks = {
  events: {
    SessionStart: 'start',
    Stop: 'turn',
    StopFailure: 'turn',
    StopCancelled: 'turn',
    PreCompact: 'compact',
    SessionEnd: 'end',
  },
  home: ({ home, env }) => env.GROK_HOME || join(home, '.grok'),
  files(machine, command) {
    const content = hookFileContent(grokHooks.events, (event) => hookGroup(command(event), hookTimeoutSeconds))
    return [{ kind: 'own', path: join(grokHooks.home(machine), 'hooks', 'recollect.json'), content }]
  },
  // Grok also runs the hooks of Claude Code and Cursor.
  sender: {
    variable: 'GROK_SESSION_ID',
    recognises: (fields) => fields.has('sessionId') && fields.has('hookEventName'),
  },
}
