// The commits of a session, updated as they are made, amended and taken back.
import type { PromptNote } from './prompt-notes.ts'
import type { PublishedWork, TakenBack } from './published-work.ts'

interface LoggedCommit {
  subject: string
  /** Empty if it is not known. */
  hash: string
  /** Place of the event. Missing in a state of an earlier version. */
  seq?: number
}

/** The part of a digest's state that is about commits. Missing in a state of an earlier version. */
export interface CommitLog {
  /** Subjects of the commits, without those that were taken back. */
  commits?: string[]
  /** The latest commits with their hashes, to find those that are taken back. */
  commitLog?: LoggedCommit[]
  /** Subjects of commits of this session that a later one reverts. */
  reverted?: string[]
  prompts?: PromptNote[]
  signals: { commit: number | null; undo?: number | null }
}

const maxLogged = 60
const maxSubjects = 12
/** Of many subjects the first ones and the latest are kept. */
const firstSubjects = 4

export function addCommit(log: CommitLog, { subject, hash = '', isAmended }: PublishedWork, seq: number): void {
  if ((subject === '' && hash === '') || !log.commits) return
  if (isAmended) remove(log, (log.commitLog ?? []).slice(-1))
  log.reverted = log.reverted?.filter((other) => other !== subject)
  if (log.reverted?.some((other) => subject === `Revert "${other}"`)) return
  log.commitLog = [...(log.commitLog ?? []).slice(1 - maxLogged), { subject, hash, seq }]
  if (subject === '' || log.commits.includes(subject)) return
  if (log.commits.length >= maxSubjects) log.commits.splice(firstSubjects, 1)
  log.commits.push(subject)
}

/**
 * Removes commits that were taken back: they are no evidence of success. A revert is a commit itself.
 */
export function takeBack(log: CommitLog, taken: TakenBack, seq: number): void {
  const commits = commitsOf(log.commitLog ?? [], taken)
  remove(log, commits)
  if (taken.kind === 'revert') {
    log.reverted = [...(log.reverted ?? []), ...commits.map(({ subject }) => subject)]
    return
  }
  const { signals, prompts = [] } = log
  if (taken.kind === 'undo') signals.undo = seq
  for (const note of prompts) if (commits.some(({ subject }) => subject === note.commit)) delete note.commit
  if (commits.some((commit) => commit.seq === signals.commit)) signals.commit = log.commitLog?.at(-1)?.seq ?? null
}

function commitsOf(log: readonly LoggedCommit[], taken: TakenBack): LoggedCommit[] {
  switch (taken.kind) {
    case 'revert':
      return log.filter(
        ({ hash, subject }, at) =>
          taken.subjects.includes(subject) ||
          taken.hashes.some((other) => isSame(hash, other)) ||
          (taken.isLast && at === log.length - 1),
      )
    case 'reset':
      return log.slice(-taken.steps)
    case 'reset to': {
      const place = log.findLastIndex(({ hash }) => isSame(hash, taken.hash))
      return place < 0 ? [] : log.slice(place + 1)
    }
    case 'undo':
      return log.filter(({ hash }) => isSame(hash, taken.hash))
    default:
      return taken satisfies never
  }
}

function remove(log: CommitLog, commits: readonly LoggedCommit[]): void {
  const kept = (log.commitLog ?? []).filter((commit) => !commits.includes(commit))
  const isGone = (subject: string) =>
    commits.some((commit) => commit.subject === subject) && !kept.some((commit) => commit.subject === subject)
  log.commitLog = kept
  log.commits = log.commits?.filter((subject) => !isGone(subject))
}

/** Hashes may be shortened to different lengths. */
function isSame(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))
}
