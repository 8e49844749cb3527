// How the user's own `claude` is started as a judge; seen in Claude Code 2.1.325. The request that it makes begins with the very
// system prompt, tools and messages of its session, so that they come out of the cache: hence no other tools, no other model, no
// other settings than the few that the user's own do not outweigh.
import { join } from 'node:path'
import type { Machine } from '../../core/machine.ts'

export const maxTurns = 5

export function forkArguments({
  session,
  model,
  maxUsd,
}: {
  session: string
  model?: string
  maxUsd: number
}): string[] {
  return [
    '--print',
    ...['--resume', session, '--fork-session', '--no-session-persistence'],
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--permission-prompt-tool', 'stdio', '--permission-mode', 'default'],
    ...['--settings', JSON.stringify(settings)],
    // Servers of the user are not started. Their tools are named at the end of the request, so the cache does not notice.
    '--strict-mcp-config',
    ...['--max-turns', String(maxTurns), '--max-budget-usd', String(maxUsd)],
    ...(model ? ['--model', model] : []),
  ]
}

/**
 * No hook runs, neither ours nor the user's; those that are given over the control protocol stay. Asking outweighs whatever the
 * user has allowed for good, and whoever would be asked is our policy. Denying would do as well, but takes the tool away.
 */
const settings = {
  disableAllHooks: true,
  permissions: {
    ask: [
      ...['Bash', 'PowerShell', 'Write', 'Edit', 'NotebookEdit', 'Read', 'Glob', 'Grep'],
      ...['WebFetch', 'WebSearch', 'Agent', 'Skill'],
    ],
  },
}

/** `configDir` is Claude Code's folder where the session lies. */
export function forkEnvironment({ env, home }: Machine, configDir: string): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !ofAnotherSession.test(name))
  return {
    ...Object.fromEntries(kept),
    // Named although it is the usual one, it would mean another place for .claude.json.
    ...(configDir === join(home, '.claude') ? {} : { CLAUDE_CONFIG_DIR: configDir }),
    RECOLLECT_INTERNAL: '1', // our hooks end at once
    GIT_OPTIONAL_LOCKS: '0', // `git status` writes an index otherwise
    GIT_PAGER: 'cat',
  }
}

/** The worker may have been started by a hook, inside a session; its marks would make this one part of it. */
const ofAnotherSession =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+|AI_AGENT|CLAUDE_CONFIG_DIR|NODE_OPTIONS|GIT_EXTERNAL_DIFF|CLAUDE_CODE_(?:SESSION_ID|CHILD_SESSION|ENTRYPOINT|MESSAGING_\w+))$/
