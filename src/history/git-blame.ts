// Runs `git blame` and `git log`. Where git is missing or fails, the reason is returned.
import { gitArgs, gitEnv, runProgram } from '../core/shell/run-program.ts'

/** Consecutive lines of the same commit. */
export interface CommittedLines {
  from: number
  to: number
  text: string[]
  /** null for uncommitted lines. */
  commit: GitCommit | null
}

export interface GitCommit {
  hash: string
  author: string
  /** Author time; a rebase keeps it. */
  authorMs: number
  committerMs: number
  subject: string
  /** Path of the file in that commit. */
  path: string
}

export type GitBlame = { kind: 'lines'; groups: CommittedLines[] } | { kind: 'nothing'; reason: string }

export interface GitFolder {
  folder: string
  env: Readonly<Record<string, string | undefined>>
}

export function gitBlame({ folder, env }: GitFolder, path: string, from: number, to: number): GitBlame {
  const run = runGit({ folder, env }, ['blame', '--porcelain', '-L', `${from},${to}`, '--', path])
  if (run.kind === 'failed') return { kind: 'nothing', reason: run.reason }
  return { kind: 'lines', groups: parsePorcelain(run.out) }
}

/** Time of the previous commit of the file; undefined for its first commit. */
export function previousChangeMs(place: GitFolder, { hash, path }: GitCommit): number | undefined {
  const run = runGit(place, ['log', '-2', '--format=%at', hash, '--', path])
  const [, previous] = run.kind === 'failed' ? [] : run.out.trim().split('\n')
  return previous ? Number(previous) * 1000 : undefined
}

export function lastChangeMs(place: GitFolder, path: string): number | undefined {
  const run = runGit(place, ['log', '-1', '--format=%at', '--', path])
  return run.kind === 'done' && run.out.trim() ? Number(run.out.trim()) * 1000 : undefined
}

type GitRun = { kind: 'done'; out: string } | { kind: 'failed'; reason: string }

function runGit({ folder, env }: GitFolder, args: string[]): GitRun {
  const { status, stdout, stderr, error } = runProgram('git', [...gitArgs(folder), '--literal-pathspecs', ...args], {
    env: gitEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    timeout: 60_000,
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    return { kind: 'failed', reason: 'git is not installed' }
  if (error) return { kind: 'failed', reason: error.message }
  if (status !== 0) return { kind: 'failed', reason: stderr.toString().trim().split('\n')[0] || 'git failed' }
  return { kind: 'done', out: stdout.toString() }
}

/** Format of git 2.39: a commit has headers only at its first occurrence. */
export function parsePorcelain(output: string): CommittedLines[] {
  const known = new Map<string, GitCommit>()
  const groups: CommittedLines[] = []
  let commit: GitCommit | undefined
  let line = 0
  for (const row of output.split('\n')) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row)
    if (row.startsWith('\t')) addLine(groups, commit!, line, row.slice(1))
    else if (head) {
      line = Number(head[2])
      commit = known.get(head[1]!) ?? emptyCommit(head[1]!)
      known.set(commit.hash, commit)
    } else if (commit) readHeader(commit, row)
  }
  return groups
}

function addLine(groups: CommittedLines[], commit: GitCommit, line: number, text: string): void {
  const named = /^0+$/.test(commit.hash) ? null : commit
  const last = groups.at(-1)
  if (last && last.commit === named && last.to === line - 1) {
    last.to = line
    last.text.push(text)
  } else groups.push({ from: line, to: line, text: [text], commit: named })
}

function emptyCommit(hash: string): GitCommit {
  return { hash, author: '', authorMs: 0, committerMs: 0, subject: '', path: '' }
}

function readHeader(commit: GitCommit, row: string): void {
  const space = row.indexOf(' ')
  const value = row.slice(space + 1)
  switch (row.slice(0, space)) {
    case 'author':
      commit.author = value
      return
    case 'author-time':
      commit.authorMs = Number(value) * 1000
      return
    case 'committer-time':
      commit.committerMs = Number(value) * 1000
      return
    case 'summary':
      commit.subject = value
      return
    case 'filename':
      commit.path = value
  }
}
