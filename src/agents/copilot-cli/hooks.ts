// GitHub Copilot CLI, hooks as seen in 1.0.102: every *.json in a folder is read. Event names in
// camelCase produce a payload in camelCase that does not name the event. 1.0.8 still ignored the
// answer to sessionStart.
import { join } from 'node:path'
import type { Json } from '../../core/session.ts'
import type { Hooks } from '../agent.ts'
import { hookFileContent, hookTimeoutSeconds } from '../hook-groups.ts'

export const copilotCliHooks: Hooks = {
  events: {
    sessionStart: 'start',
    agentStop: 'turn',
    errorOccurred: 'turn',
    preCompact: 'compact',
    sessionEnd: 'end',
  },
  brief: { before: '{"additionalContext":', after: '}', onResume: true },
  home: ({ home, env }) => env.COPILOT_HOME || join(home, '.copilot'),
  files(machine, command) {
    // PowerShell treats a quoted program as a string unless `&` calls it.
    const run = (event: string): Record<string, Json> =>
      machine.platform === 'win32' ? { powershell: `& ${command(event)}` } : { bash: command(event) }
    const content = hookFileContent(
      copilotCliHooks.events,
      (event) => ({ type: 'command', ...run(event), timeoutSec: hookTimeoutSeconds }),
      { version: 1 },
    )
    return [{ kind: 'own', path: join(copilotCliHooks.home(machine), 'hooks', 'recollect.json'), content }]
  },
  sender: {
    payloadFields: ['sessionId'],
    recognises: (fields) =>
      fields.has('sessionId') && !fields.has('hookEventName') && /^\d+$/.test(fields.get('timestamp') ?? ''),
  },
}
