// Claude Code, hooks as seen in 2.1.197 and 2.1.325. Only names that every version with these hooks knows: before 2.1.78 an
// unknown one (StopFailure) makes it skip the whole settings.json. A turn that failed is told by the next event instead.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Hooks } from '../agent.ts'
import {
  hookEntries,
  hookGroup,
  hookTimeoutSeconds,
  promptHook,
  promptTimeoutSeconds,
  sessionStartAnswer,
} from '../hook-groups.ts'

export const claudeCodeHooks: Hooks = {
  events: { SessionStart: 'start', Stop: 'turn', PreCompact: 'compact', SessionEnd: 'end' },
  brief: sessionStartAnswer,
  prompt: promptHook('UserPromptSubmit', promptTimeoutSeconds),
  home: (machine) => configuredHomes(machine)[0] ?? join(machine.home, '.claude'),
  files(machine, command) {
    // Without a timeout of its own, a SessionEnd hook is killed after 1.5 s.
    const entries = hookEntries(claudeCodeHooks.events, (event) => hookGroup(command(event), hookTimeoutSeconds))
    return [{ kind: 'json', path: join(claudeCodeHooks.home(machine), 'settings.json'), entries }]
  },
  // It asks for no trust, but can be told to run no hooks at all.
  isTrusted(machine) {
    try {
      const settings = readFileSync(join(claudeCodeHooks.home(machine), 'settings.json'), 'utf8')
      return /"disableAllHooks"\s*:\s*true/.test(settings) ? false : undefined
    } catch {
      return undefined
    }
  },
}

export function configuredHomes({ env }: Machine): string[] {
  const paths = env.CLAUDE_CONFIG_DIR?.split(',').map((path) => path.trim()) ?? []
  return paths.filter((path) => path !== '')
}
