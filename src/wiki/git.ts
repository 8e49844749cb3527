// Commits the wiki to git before and after a build, if git is installed. Uses only a repository of
// our own: a repository that a person keeps in or around the vault is never committed to.
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gitArgs, gitEnv, runProgram } from '../core/shell/run-program.ts'

interface GitContext {
  vault: string
  env: Readonly<Record<string, string | undefined>>
}

type CommitResult = 'committed' | 'nothing new' | 'no git' | 'not ours'

const ownRepositoryKey = 'recollect.vault'
/** Works with git on every system. */
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

export function isOwnRepository(context: GitContext): boolean {
  return git(context, ['config', '--local', '--get', ownRepositoryKey]).out.trim() === 'true'
}

/** Forgets all earlier versions of the wiki. Only for a repository of our own. */
export function restartHistory(context: GitContext): void {
  rmSync(join(context.vault, '.git'), { recursive: true, force: true })
  commitWikiFiles(context, 'Start of the history')
}

function repositoryIn(context: GitContext): 'ours' | 'no git' | 'not ours' {
  if (!existsSync(join(context.vault, 'wiki'))) return 'not ours'
  if (existsSync(join(context.vault, '.git'))) return isOwnRepository(context) ? 'ours' : 'not ours'
  if (isInside(realpathSync(context.vault))) return 'not ours'
  // Other users may be able to read the folder of the vault.
  if (git(context, ['init', '--quiet', '--shared=0600']).code !== 0) return 'no git'
  git(context, ['config', '--local', ownRepositoryKey, 'true'])
  return 'ours'
}

/** Looks for `.git` itself: git refuses repositories of other users. */
function isInside(folder: string): boolean {
  const above = dirname(folder)
  return above !== folder && (existsSync(join(above, '.git')) || isInside(above))
}

/**
 * Ignores the user's git configuration and environment: both could redirect commits or run hooks.
 */
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
