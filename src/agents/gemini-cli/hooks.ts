// Gemini CLI, hooks as seen in 0.61. Not its PreCompress: that comes before every call of the model, compaction or not.
// SessionEnd comes twice when the terminal is left with /quit.
import { join } from 'node:path'
import { groupedHooks, hookTimeoutSeconds, promptHook, promptTimeoutSeconds } from '../hook-groups.ts'

export const geminiCliHooks = groupedHooks({
  events: { SessionStart: 'start', AfterAgent: 'turn', SessionEnd: 'end' },
  prompt: promptHook('BeforeAgent', promptTimeoutSeconds * 1000),
  // The variable names the folder around `.gemini`.
  home: ({ home, env }) => join(env.GEMINI_CLI_HOME || home, '.gemini'),
  file: 'settings.json',
  timeoutOf: () => hookTimeoutSeconds * 1000, // milliseconds
})
