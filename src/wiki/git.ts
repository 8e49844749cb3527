// The history of the wiki in git, where there is git: what people wrote before a build, and what the build made of it. Only in a
// repository of our own: one that a person keeps in the vault, or around it, is theirs to commit to.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gitArgs, gitEnv, runProgram } from '../core/run-program.ts'

export interface GitContext {
  vault: string
  env: Readonly<Record<string, string | undefined>>
}

export type CommitResult = 'committed' | 'nothing new' | 'no git' | 'not ours'

const ownRepositoryKey = 'recollect.vault'
/** By this name git knows it on every system. */
const devNull = '/dev/null'
const timeoutMs = 60_000

const commitConfig = [
  'core.autocrlf=false',
  'commit.gpgSign=false',
  'gc.autoDetach=false',
  'user.name=Recollect',
  'user.email=recollect@localhost',
]

/** Commits the wiki as it is. */
export function commitWikiFiles(context: GitContext, message: string): CommitResult {
  const state = repositoryIn(context)
  if (state !== 'ours') return state
  const { code } = git(context, ['add', '--all', '--', 'wiki'])
  if (code !== 0) return 'nothing new'
  return git(context, ['commit', '--quiet', '--no-verify', '-m', message, '--', 'wiki']).code === 0
    ? 'committed'
    : 'nothing new'
}

function repositoryIn(context: GitContext): 'ours' | 'no git' | 'not ours' {
  if (!existsSync(join(context.vault, 'wiki'))) return 'not ours'
  if (existsSync(join(context.vault, '.git')))
    return git(context, ['config', '--local', '--get', ownRepositoryKey]).out.trim() === 'true' ? 'ours' : 'not ours'
  if (isInside(realpathSync(context.vault))) return 'not ours'
  // The vault may lie in a folder that others can read.
  if (git(context, ['init', '--quiet', '--shared=0600']).code !== 0) return 'no git'
  git(context, ['config', '--local', ownRepositoryKey, 'true'])
  return 'ours'
}

/** Told by the files: git itself says no of a repository that belongs to another user. */
function isInside(folder: string): boolean {
  const above = dirname(folder)
  return above !== folder && (existsSync(join(above, '.git')) || isInside(above))
}

/** Neither the person's configuration nor their environment decides what is committed where, by whom, and what is run. */
function git({ vault, env }: GitContext, args: string[]): { code: number | 'missing' | null; out: string } {
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !/^GIT_/i.test(name)))
  const done = runProgram('git', [...gitArgs(vault, commitConfig), ...args], {
    env: { ...gitEnv(rest), GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' },
    timeout: timeoutMs,
    windowsHide: true,
  })
  const isMissing = (done.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  return { code: isMissing ? 'missing' : done.status, out: done.stdout?.toString() ?? '' }
}
