// Gemini CLI, hooks as seen in 0.61. Not its PreCompress: that comes before every call of the model, compaction or not.
// SessionEnd comes twice when the terminal is left with /quit.
import { join } from 'node:path'
import type { Hooks } from '../agent.ts'
import {
  hookEntries,
  hookGroup,
  hookTimeoutSeconds,
  promptHook,
  promptTimeoutSeconds,
  sessionStartAnswer,
} from '../hook-groups.ts'

export const geminiCliHooks: Hooks = {
  events: { SessionStart: 'start', AfterAgent: 'turn', SessionEnd: 'end' },
  brief: sessionStartAnswer,
  prompt: promptHook('BeforeAgent', promptTimeoutSeconds * 1000),
  // The variable names the folder around `.gemini`.
  home: ({ home, env }) => join(env.GEMINI_CLI_HOME || home, '.gemini'),
  files(machine, command) {
    const entries = hookEntries(geminiCliHooks.events, (event) => hookGroup(command(event), hookTimeoutSeconds * 1000)) // milliseconds
    return [{ kind: 'json', path: join(geminiCliHooks.home(machine), 'settings.json'), entries }]
  },
}
