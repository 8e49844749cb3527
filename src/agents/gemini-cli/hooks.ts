// Gemini CLI, hooks as seen in 0.61. PreCompress is not used: it is sent before every call of the
// model. SessionEnd is sent twice after /quit.
import { join } from 'node:path'
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
  // The variable names the folder around `.gemini`.
  home: ({ home, env }) => join(env.GEMINI_CLI_HOME || home, '.gemini'),
  file: 'settings.json',
  rejects: ['trailing comma'],
  timeoutOf: () => hookTimeoutSeconds * 1000, // milliseconds
})
