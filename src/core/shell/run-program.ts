import type { SpawnSyncOptions, SpawnSyncReturns } from 'node:child_process'

/**
 * Runs a program and waits for it. Loads child_process on first use, because importing it would
 * cost every command a tenth of its start time.
 */
export function runProgram(program: string, args: string[], options: SpawnSyncOptions): SpawnSyncReturns<Buffer> {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  return spawnSync(program, args, options) as SpawnSyncReturns<Buffer>
}

// Git arguments for reading a user's repository. Neither its configuration nor the environment may
// make git run programs, prompt, fetch, or read another repository.

type Environment = Readonly<Record<string, string | undefined>>

const settings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false', 'log.showSignature=false']

/** Arguments before the git command. */
export function gitArgs(folder: string, more: readonly string[] = []): string[] {
  return ['--no-pager', '-C', folder, ...[...settings, ...more].flatMap((setting) => ['-c', setting])]
}

/** Inside a git hook, some variables name another repository than the folder. */
export function gitEnv(env: Environment): Environment {
  const own = Object.entries(env).filter(([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name))
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  }
}
