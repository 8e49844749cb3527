// Asking git about somebody's checkout. Its configuration must not make git run anything or ask anybody, and it has a limited time.
import { runProgram } from '../../core/processes.ts'

export interface GitPlace {
  folder: string
  env: Readonly<Record<string, string | undefined>>
  /** As `performance.now()` counts: nothing is asked after it. */
  untilMs: number
}

const longestMs = 10_000

/** What it prints; undefined where git is missing, fails, or takes too long. `fine` are exit codes that are answers, too. */
export function git(
  { folder, env, untilMs }: GitPlace,
  args: string[],
  input = '',
  fine: number[] = [],
): string | undefined {
  const timeout = Math.min(longestMs, Math.floor(untilMs - performance.now()))
  if (timeout <= 0) return undefined
  const safe = [
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.quotePath=false',
    'grep.fallbackToNoIndex=false',
    'grep.lineNumber=false',
    'grep.column=false',
    'log.follow=false',
    'log.showSignature=false',
  ]
  const { status, stdout, error } = runProgram(
    'git',
    ['--no-pager', '-C', folder, ...safe.flatMap((setting) => ['-c', setting]), ...args],
    { env: { ...withoutGit(env), ...quiet }, input, maxBuffer: 1 << 26, timeout, killSignal: 'SIGKILL' },
  )
  if (error || (status !== 0 && !fine.includes(status ?? -1))) return undefined
  return stdout.toString()
}

const quiet = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
}

/** Inside a git hook these name another repository than the folder does. */
function withoutGit(env: GitPlace['env']): GitPlace['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name)),
  )
}
