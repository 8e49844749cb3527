// Gemini CLI, hooks as seen in 0.61. PreCompress is not used: it is sent before every call of the
// model. SessionEnd is sent twice after /quit.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import {
  groupedHooks,
  hookTimeoutSeconds,
  promptHook,
  promptTimeoutSeconds,
  sessionStartAnswer,
} from '../hook-groups.ts'

export const geminiCliHooks = groupedHooks({
  events: { SessionStart: 'start', AfterAgent: 'turn', SessionEnd: 'end' },
  brief: { ...sessionStartAnswer, onResume: true },
  prompt: promptHook('BeforeAgent', promptTimeoutSeconds * 1000),
  home,
  // The extension in our repository, which has the hooks and the MCP server.
  hasPlugin: (machine) => existsSync(join(home(machine), 'extensions', 'recollect', 'gemini-extension.json')),
  file: 'settings.json',
  rejects: ['trailing comma'],
  timeoutOf: () => hookTimeoutSeconds * 1000, // milliseconds
})

/** The variable names the folder around `.gemini`. */
function home({ home, env }: Machine): string {
  return join(env.GEMINI_CLI_HOME || home, '.gemini')
}
