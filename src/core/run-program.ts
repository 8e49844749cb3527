import type { SpawnSyncOptions, SpawnSyncReturns } from 'node:child_process'

/** Runs a program and waits for it. The module is loaded here: it would cost every command a tenth of its start. */
export function runProgram(program: string, args: string[], options: SpawnSyncOptions): SpawnSyncReturns<Buffer> {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  return spawnSync(program, args, options) as SpawnSyncReturns<Buffer>
}

// How git is asked about somebody's repository: neither its configuration nor the environment may make git run anything, ask
// anybody, fetch, or look at another repository than the one in the folder.

type Environment = Readonly<Record<string, string | undefined>>

const settings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false', 'log.showSignature=false']

/** What comes before the command. */
export function gitArgs(folder: string, more: readonly string[] = []): string[] {
  return ['--no-pager', '-C', folder, ...[...settings, ...more].flatMap((setting) => ['-c', setting])]
}

/** Inside a git hook some of its variables name another repository than the folder does. */
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
