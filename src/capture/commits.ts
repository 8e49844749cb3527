// Takes the commit messages of a repository: what is new since the last time, then a piece more of what lies further back,
// until the whole history is there. A cursor moves only with what was stored.

import type { Ledger } from '../store/ledger.ts'
import { type CommitCursor, commitCursor, saveCommitCursor, saveCommits } from '../store/sessions/commits.ts'
import type { Redact } from './border.ts'
import { gitHead, gitLog, type LoggedCommit } from './git-log.ts'

export interface CommitsContext {
  ledger: Ledger
  redact: Redact
  env: Readonly<Record<string, string | undefined>>
  /** How many commits one pass may read. */
  max: number
}

export interface CommitsReport {
  added: number
  /** Whether there is more to read further back. */
  isWhole: boolean
}

const timeoutMs = 300_000
const batch = 1000
/** What is read of one commit: a change of more files is no statement about any of them. */
const longestMessage = 8000
const maxFiles = 50

export async function captureCommits(context: CommitsContext, folder: string, project: string): Promise<CommitsReport> {
  const head = await gitHead(folder, context.env)
  if (head === undefined) return { added: 0, isWhole: true }
  const known = commitCursor(context.ledger, folder)
  if (known?.isComplete && known.head === head) return { added: 0, isWhole: true }
  const pass = { ...context, folder, project }
  const cursor = known ?? { head, base: head, readCount: 0, isComplete: false }
  const fresh = cursor.head === head ? 0 : await takeNew(pass, cursor, head)
  const current = commitCursor(context.ledger, folder) ?? cursor
  const back = current.isComplete ? 0 : await takeBack(pass, current)
  return { added: fresh + back, isWhole: commitCursor(context.ledger, folder)?.isComplete ?? false }
}

interface Pass extends CommitsContext {
  folder: string
  project: string
}

/** Oldest first, so that what is stored when a pass is cut short has no gap. */
async function takeNew(pass: Pass, cursor: CommitCursor, head: string): Promise<number> {
  try {
    return await take(pass, [head, `^${cursor.head}`, '--reverse', '--topo-order'], undefined, ({ last, isEnd }) => ({
      ...cursor,
      head: isEnd ? head : last,
    }))
  } catch (error) {
    if (!/bad (?:object|revision)|unknown revision/i.test(String(error))) throw error
    // What was read before is not there any more: rewritten and cleaned up. All of it is read again, known ones under their new name.
    saveCommitCursor(pass.ledger, pass.folder, { head, base: head, readCount: 0, isComplete: false })
    return 0
  }
}

function takeBack(pass: Pass, cursor: CommitCursor): Promise<number> {
  const range = [cursor.base, `--skip=${cursor.readCount}`, '--topo-order']
  return take(pass, range, pass.max, ({ count, isEnd }) => ({
    ...cursor,
    readCount: cursor.readCount + count,
    isComplete: isEnd && count < pass.max,
  }))
}

interface Taken {
  count: number
  last: string
  isEnd: boolean
}

async function take(
  pass: Pass,
  range: string[],
  max: number | undefined,
  cursorAt: (taken: Taken) => CommitCursor,
): Promise<number> {
  const { ledger, folder, project, env } = pass
  let waiting: LoggedCommit[] = []
  let count = 0
  let added = 0
  const store = (isEnd: boolean) => {
    const last = waiting.at(-1)?.hash ?? ''
    const commits = cleaned(waiting, pass)
    ledger.transaction(() => {
      added += saveCommits(ledger, project, commits)
      if (last !== '' || isEnd) saveCommitCursor(ledger, folder, cursorAt({ count, last, isEnd }))
    })
    waiting = []
  }
  for await (const commit of gitLog({ folder, range, ...(max === undefined ? {} : { max }), env, timeoutMs })) {
    waiting.push(commit)
    count++
    if (waiting.length === batch) store(false)
  }
  store(true)
  return added
}

/** Without mail addresses, and without merges that say nothing but that they are one. */
function cleaned(commits: LoggedCommit[], { redact }: Pass): LoggedCommit[] {
  const told = commits
    .map((commit) => ({
      ...commit,
      message: withoutPeople(commit.message),
      files: commit.files.length > maxFiles ? [] : commit.files,
    }))
    .filter(
      ({ message }) => message !== '' && !/^Merge (?:branch|remote-tracking branch|tag|commit)\b[^\n]*$/.test(message),
    )
  const { texts } = redact(told.map(({ message }) => message))
  return told.map((commit, index) => ({ ...commit, message: texts[index]!.slice(0, longestMessage) }))
}

function withoutPeople(message: string): string {
  return message
    .replace(/^[A-Z][\w-]*-by: .*$/gim, '')
    .replace(/<[^<>\s]+@[^<>\s]+>/g, '')
    .trim()
}
