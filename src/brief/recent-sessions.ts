// Reads the recent sessions of a project and chooses those that a brief tells: the last work, heavy
// and recent work before it, and open ends that no later session has taken up.
import { pathInside } from '../core/paths.ts'
import { type Digest, digestOf } from '../digest/digest.ts'
import type { DigestState, Signals } from '../digest/digest-state.ts'
import type { Ledger } from '../store/ledger.ts'
import { digestStateOf } from '../store/sessions/digests.ts'
import { editsIn } from '../store/sessions/file-edits.ts'
import { listSessions, type SessionView } from '../store/sessions/sessions.ts'
import { contentWords } from '../text/content-words.ts'
import { jaccard, sharedCount } from '../text/similarity.ts'

export interface RecentSession {
  session: SessionView
  digest: Digest
  signals: Signals
  /** Files inside its folder, the latest change first. */
  files: ChangedFile[]
  /** Whether it ended with something to do that no later session has taken up. */
  isOpen: boolean
}

export interface ChangedFile {
  /** Relative to the folder of the session. */
  path: string
  times: number
  /** No commit was seen after its last change, in this session or a later one. */
  isUncommitted: boolean
}

/** Sessions that are read. */
const maxSessions = 40
const dayMs = 86_400_000
/** Unfinished work that is older than this, seen from the last session, was probably dropped. */
const unfinishedDays = 14
/** What the user stopped themselves is only picked up again soon. */
const abandonedDays = 5

/** Latest first. */
export function recentSessions(ledger: Ledger, project: string): RecentSession[] {
  const all: RecentSession[] = []
  for (const session of listSessions(ledger, { project, isConversation: true, limit: maxSessions })) {
    const one = recentSession(ledger, session, all)
    if (one) all.push(one)
  }
  return all
}

/** Undefined if it was not digested yet. `later` are the sessions of its project that ended after it. */
export function recentSession(
  ledger: Ledger,
  session: SessionView,
  later: readonly RecentSession[],
): RecentSession | undefined {
  const state = digestStateOf<DigestState>(ledger, session.id)
  if (!state) return undefined
  const one = { session, digest: digestOf(state), signals: state.signals }
  const files = changedFiles(ledger, one, later)
  return { ...one, files, isOpen: isUnfinished(one) && !isTakenUp({ ...one, files }, later) }
}

export interface ChosenSessions {
  /** The one that is told in detail. */
  last: RecentSession
  /** Others, latest first; one may be a question that was asked after the last work. */
  others: RecentSession[]
}

const maxOthers = 5

/** Undefined if there are none. Small tries are left out where there is other work. */
export function chooseSessions(recent: readonly RecentSession[]): ChosenSessions | undefined {
  const most = Math.max(0, ...recent.map(effortOf))
  const work = recent.filter((one) => !isTrivial(one, most))
  const last = work[0] ?? recent[0]
  if (!last) return undefined
  const later = recent
    .slice(0, recent.indexOf(last))
    .filter(({ digest }) => digest.kind === 'talk')
    .slice(0, 1)
  const earlier = work.filter((one) => one !== last && (one.isOpen || !isUnfinished(one) || isHeavy(one)))
  const listed = new Set(
    earlier
      .toSorted((a, b) => rank(b, last) - rank(a, last))
      .slice(0, maxOthers - later.length)
      .concat(later),
  )
  return { last, others: recent.filter((one) => listed.has(one)) }
}

/** Recent and heavy sessions first; what is open counts more. */
function rank(one: RecentSession, last: RecentSession): number {
  const days = daysBetween(one, last)
  const isDue = one.isOpen && days <= (one.digest.outcome === 'abandoned' ? abandonedDays : unfinishedDays)
  return (Math.log2(1 + effortOf(one)) * (isDue ? 1.3 : 1)) / (1 + days / 7)
}

/** How much was done: prompts, tool calls, files and commits. */
function effortOf({ session, digest, files }: Pick<RecentSession, 'session' | 'digest' | 'files'>): number {
  const { prompts, toolCalls } = session.counts
  return 2 * prompts + toolCalls + 3 * files.length + 5 * digest.commits.length
}

const trivialEffort = 14
const heavyEffort = 60

/** Beside other work: a try, a single question, or work that was stopped before it began. */
function isTrivial(one: RecentSession, most: number): boolean {
  const effort = effortOf(one)
  const isSmall = effort < trivialEffort && effort < most / 4
  return isSmall && one.digest.commits.length === 0 && !isFailingWork(one)
}

function isFailingWork({ digest, signals, files }: RecentSession): boolean {
  return files.length > 0 && digest.outcome === 'open' && signals.test?.isOk === false
}

function isHeavy(one: RecentSession): boolean {
  return effortOf(one) >= heavyEffort
}

export function isUnfinished({ digest }: Pick<RecentSession, 'digest'>): boolean {
  return ['waiting', 'open', 'fail', 'abandoned'].includes(digest.outcome)
}

export function daysBetween(one: RecentSession, other: RecentSession): number {
  return Math.abs(Date.parse(other.session.ended ?? '') - Date.parse(one.session.ended ?? '')) / dayMs || 0
}

/** Whether a later session went on with it: on its branch, with its files, or for the same request. */
function isTakenUp(one: Omit<RecentSession, 'isOpen'>, later: readonly RecentSession[]): boolean {
  const paths = new Set(one.files.map(({ path }) => path))
  const words = new Set(contentWords(one.digest.goal))
  return later.some((other) => {
    const isSameBranch = isTopicBranch(one.session.branch) && one.session.branch === other.session.branch
    if (isSameBranch && other.digest.kind === 'work') return true
    const shared = sharedCount(paths, new Set(other.files.map(({ path }) => path)))
    if (shared >= 2 || (shared > 0 && shared >= paths.size / 2)) return true
    return words.size >= 2 && jaccard(words, new Set(contentWords(other.digest.goal))) >= 0.6
  })
}

/** Branches that everything happens on say nothing about the work. */
function isTopicBranch(branch: string | null): boolean {
  return branch !== null && !/^(?:HEAD|main|master|trunk|dev|develop|development|next|staging)$/i.test(branch)
}

function changedFiles(
  ledger: Ledger,
  { session, signals }: Pick<RecentSession, 'session' | 'signals'>,
  later: readonly RecentSession[],
): ChangedFile[] {
  const committedLater = new Set(
    later.flatMap(({ files }) => files.filter(({ isUncommitted }) => !isUncommitted).map(({ path }) => path)),
  )
  return editsIn(ledger, session.id).flatMap(({ path, times, last }) => {
    const inside = relativePath(path, session)
    if (inside === undefined) return []
    const isCommitted = (last ?? signals.edit ?? -1) < (signals.commit ?? -1)
    return { path: inside, times, isUncommitted: !isCommitted && !committedLater.has(inside) }
  })
}

/** Undefined for files outside of the session's folder: scratch files, notes, other projects. */
function relativePath(path: string, { cwd }: SessionView): string | undefined {
  const inside = cwd === null ? path : pathInside(cwd, path)
  return inside === undefined || inside.startsWith('../') ? undefined : inside
}
