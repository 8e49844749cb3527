// Qwen Code, hooks as documented and read in 0.24.4: Claude's names, unknown ones are passed over. SessionEnd does not come
// when it runs without a terminal, nor StopFailure after an API error there.
import { join } from 'node:path'
import type { Hooks } from '../agent.ts'
import { hookEntries, hookGroup, hookTimeoutSeconds, sessionStartAnswer } from '../hook-groups.ts'

export const qwenCodeHooks: Hooks = {
  events: { SessionStart: 'start', Stop: 'turn', StopFailure: 'turn', PreCompact: 'compact', SessionEnd: 'end' },
  brief: sessionStartAnswer,
  home: ({ home, env }) => env.QWEN_HOME || join(home, '.qwen'),
  files(machine, command) {
    // Milliseconds: today's version takes a number below 1000 for seconds, the ones before it do not.
    const entries = hookEntries(qwenCodeHooks.events, (event) => hookGroup(command(event), hookTimeoutSeconds * 1000))
    return [{ kind: 'json', path: join(qwenCodeHooks.home(machine), 'settings.json'), entries }]
  },
}
