// Captures the commit messages of the repositories that people work in, a third source beside
// transcripts and hooks. Each pass reads the new commits and then a part of the older history; the
// cursor moves in the same transaction as the commits.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { readTextOrEmpty } from '../core/files.ts'
import type { Machine } from '../core/paths.ts'
import { findRepository } from '../core/project/project.ts'
import type { Ledger } from '../store/ledger.ts'
import { type CommitCursor, commitCursor, saveCommitCursor, saveCommits } from '../store/sessions/commits.ts'
import { recentFolders } from '../store/sessions/projects.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import type { RedactTexts } from './context.ts'
import { gitHead, gitLog, type LoggedCommit } from './git-log.ts'

export interface CommitsContext {
  ledger: Ledger
  redact: RedactTexts
  env: Readonly<Record<string, string | undefined>>
  /** Commits per pass. */
  max: number
}

export interface CommitsReport {
  added: number
  /** Whether the whole history has been read. */
  isWhole: boolean
}

const timeoutMs = 300_000
const batchSize = 1000
/**
 * Longer messages are cut. A change of more files than this is no evidence about any one of them.
 */
const maxMessageLength = 8000
const maxFiles = 50

export async function captureCommits(context: CommitsContext, folder: string, project: string): Promise<CommitsReport> {
  const head = await gitHead(folder, context.env)
  if (head === undefined) return { added: 0, isWhole: true }
  const known = commitCursor(context.ledger, folder)
  if (known?.isComplete && known.head === head) return { added: 0, isWhole: true }
  const pass = { ...context, folder, project }
  const cursor = known ?? { head, base: head, readCount: 0, isComplete: false }
  const fresh = cursor.head === head ? 0 : await captureNew(pass, cursor, head)
  const current = commitCursor(context.ledger, folder) ?? cursor
  const back = current.isComplete ? 0 : await captureOlder(pass, current)
  return { added: fresh + back, isWhole: commitCursor(context.ledger, folder)?.isComplete ?? false }
}

interface CommitPass extends CommitsContext {
  folder: string
  project: string
}

/** Oldest first: a pass that is cut short leaves no gap. */
async function captureNew(pass: CommitPass, cursor: CommitCursor, head: string): Promise<number> {
  try {
    return await captureRange(
      pass,
      [head, `^${cursor.head}`, '--reverse', '--topo-order'],
      undefined,
      ({ last, isEnd }) => ({
        ...cursor,
        head: isEnd ? head : last,
      }),
    )
  } catch (error) {
    if (!/bad (?:object|revision)|unknown revision/i.test(String(error))) throw error
    // The known head is gone: history was rewritten and pruned. Read everything again; commits that
    // are known under another hash are recognised when they are saved.
    saveCommitCursor(pass.ledger, pass.folder, { head, base: head, readCount: 0, isComplete: false })
    return 0
  }
}

function captureOlder(pass: CommitPass, cursor: CommitCursor): Promise<number> {
  const range = [cursor.base, `--skip=${cursor.readCount}`, '--topo-order']
  return captureRange(pass, range, pass.max, ({ count, isEnd }) => ({
    ...cursor,
    readCount: cursor.readCount + count,
    isComplete: isEnd && count < pass.max,
  }))
}

interface RangeProgress {
  count: number
  last: string
  isEnd: boolean
}

async function captureRange(
  pass: CommitPass,
  range: string[],
  max: number | undefined,
  cursorAt: (taken: RangeProgress) => CommitCursor,
): Promise<number> {
  const { ledger, folder, project, env } = pass
  let waiting: LoggedCommit[] = []
  let count = 0
  let added = 0
  const store = (isEnd: boolean) => {
    const last = waiting.at(-1)?.hash ?? ''
    const commits = withoutNoise(waiting, pass)
    ledger.transaction(() => {
      added += saveCommits(ledger, project, commits)
      if (last !== '' || isEnd) saveCommitCursor(ledger, folder, cursorAt({ count, last, isEnd }))
    })
    waiting = []
  }
  for await (const commit of gitLog({ folder, range, ...(max === undefined ? {} : { max }), env, timeoutMs })) {
    waiting.push(commit)
    count++
    if (waiting.length === batchSize) store(false)
  }
  store(true)
  return added
}

/** Removes mail addresses, and merges without a message of their own. */
function withoutNoise(commits: LoggedCommit[], { redact }: CommitPass): LoggedCommit[] {
  const kept = commits
    .map((commit) => ({
      ...commit,
      message: withoutPeople(commit.message),
      files: commit.files.length > maxFiles ? [] : commit.files,
    }))
    .filter(
      ({ message }) => message !== '' && !/^Merge (?:branch|remote-tracking branch|tag|commit)\b[^\n]*$/.test(message),
    )
  const { texts } = redact(kept.map(({ message }) => message))
  return kept.map((commit, index) => ({ ...commit, message: texts[index]!.slice(0, maxMessageLength) }))
}

function withoutPeople(message: string): string {
  return message
    .replace(/^[A-Z][\w-]*-by: .*$/gim, '')
    .replace(/<[^<>\s]+@[^<>\s]+>/g, '')
    .trim()
}

interface RepositoriesContext {
  ledger: Ledger
  clock: Clock
  machine: Machine
  loadTools(): Promise<{ redact: RedactTexts }>
}

/** Repositories without a session for this long are not read. */
const recentMs = 60 * 86_400_000
/** Takes seconds; older history is read by the next sweeps. */
const maxAtOnce = 20_000

/**
 * Returns the number of new commits. A repository that cannot be read is reported and does not stop
 * the others.
 */
export async function captureRepositories(context: RepositoriesContext): Promise<number> {
  const { ledger, clock, machine } = context
  let added = 0
  const seen = new Set<string>()
  for (const { folder, project } of recentFolders(ledger, recentMs)) {
    const repository = existsSync(folder) ? findRepository(folder) : undefined
    if (!repository || seen.has(repository.root)) continue
    seen.add(repository.root)
    const cursor = commitCursor(ledger, repository.root)
    if (cursor?.isComplete && cursor.head === headIn(repository.gitFolder)) continue
    try {
      const { redact } = await context.loadTools()
      const pass = { ledger, redact, env: machine.env, max: maxAtOnce }
      added += (await captureCommits(pass, repository.root, project)).added
    } catch (error) {
      const seenAt = isoTime(clock.nowMs())
      reportProblem(ledger, { path: repository.gitFolder, offset: wholeFileOffset, reason: messageOf(error), seenAt })
    }
  }
  return added
}

/** Reads the files of git, so that a sweep that finds nothing new starts no process. */
function headIn(gitFolder: string): string | undefined {
  const head = readTextOrEmpty(join(gitFolder, 'HEAD')).trim()
  const name = /^ref: (\S+)$/.exec(head)?.[1]
  if (!name) return head || undefined
  const loose = readTextOrEmpty(join(gitFolder, name)).trim()
  if (loose) return loose
  const packed = readTextOrEmpty(join(gitFolder, 'packed-refs')).split('\n')
  return packed.find((line) => line.endsWith(` ${name}`))?.split(' ')[0]
}
