// Qwen Code, hooks as documented and read in 0.24.4: Claude's names, unknown ones are ignored.
// Without a terminal SessionEnd is not sent, nor StopFailure after an API error.
import { join } from 'node:path'
import { groupedHooks, hookTimeoutSeconds, sessionStartAnswer } from '../hook-groups.ts'

export const qwenCodeHooks = groupedHooks({
  events: { SessionStart: 'start', Stop: 'turn', StopFailure: 'turn', PreCompact: 'compact', SessionEnd: 'end' },
  brief: { ...sessionStartAnswer, onResume: true },
  home: ({ home, env }) => env.QWEN_HOME || join(home, '.qwen'),
  file: 'settings.json',
  rejects: ['trailing comma'],
  // Milliseconds: 0.24 reads a number below 1000 as seconds, earlier versions do not.
  timeoutOf: () => hookTimeoutSeconds * 1000,
})
