// Asking git about somebody's checkout. Its configuration must not make git run anything or ask anybody, and it has a limited time.
import { gitArgs, gitEnv } from '../../core/git.ts'
import { runProgram } from '../../core/processes.ts'

export interface Checkout {
  folder: string
  env: Readonly<Record<string, string | undefined>>
  /** As `performance.now()` counts: nothing is asked after it. */
  untilMs: number
}

const longestMs = 10_000

/** What it prints; undefined where git is missing, fails, or takes too long. `fine` are exit codes that are answers, too. */
export function runGit(
  { folder, env, untilMs }: Checkout,
  args: string[],
  input = '',
  fine: number[] = [],
): string | undefined {
  const timeout = Math.min(longestMs, Math.floor(untilMs - performance.now()))
  if (timeout <= 0) return undefined
  const { status, stdout, error } = runProgram('git', [...gitArgs(folder, plain), ...args], {
    env: gitEnv(env),
    input,
    maxBuffer: 1 << 26,
    timeout,
    killSignal: 'SIGKILL',
  })
  if (error || (status !== 0 && !fine.includes(status ?? -1))) return undefined
  return stdout.toString()
}

/** What it prints does not depend on what somebody likes to see. */
const plain = ['grep.fallbackToNoIndex=false', 'grep.lineNumber=false', 'grep.column=false', 'log.follow=false']
