// Sections of a brief with recent sessions: where the last one stopped, what waits or is unfinished,
// and which files keep changing. A line stands here only if it can change what the agent does next.
import { pathInside } from '../core/paths.ts'
import { shortId } from '../core/session.ts'
import { plural, type Zone } from '../core/units.ts'
import { type Digest, digestOf } from '../digest/digest.ts'
import type { DigestState, Signals } from '../digest/digest-state.ts'
import { gistOfReply } from '../digest/reply-end.ts'
import { excluded } from '../memory/exclusions.ts'
import type { Ledger } from '../store/ledger.ts'
import { digestStateOf } from '../store/sessions/digests.ts'
import { listSessions, type SessionView } from '../store/sessions/sessions.ts'
import { leftOffIn } from '../store/sessions/summaries.ts'
import { ellipsizeSentence } from '../text/truncate.ts'
import type { BriefSection } from './budget.ts'
import { shortLine } from './short-line.ts'

export interface RecentSession {
  session: SessionView
  digest: Digest
  signals: Signals
}

/** Sessions that are read. */
const maxSessions = 30
/** Finished sessions in a line each, besides the last session. */
const maxFinished = 2
const maxUnfinished = 4
const dayMs = 86_400_000
/** Unfinished work that is older than this, seen from the last session, was probably dropped. */
const unfinishedDays = 14
/** What the user stopped themselves is only picked up again soon. */
const abandonedDays = 5
const inMotionDays = 30

/** Latest first. Where there is other work, single questions with an answer are left out. */
export function recentSessions(ledger: Ledger, project: string): RecentSession[] {
  const recent = listSessions(ledger, { project, isConversation: true, limit: maxSessions }).flatMap((session) => {
    const state = digestStateOf<DigestState>(ledger, session.id)
    return state ? [{ session, digest: digestOf(state), signals: state.signals }] : []
  })
  const work = recent.filter((one) => one.digest.kind === 'work' || one.session.counts.prompts > 1 || isUnfinished(one))
  return work.length > 0 ? work : recent
}

export function whereWeLeftOff(ledger: Ledger, zone: Zone, recent: readonly RecentSession[]): BriefSection {
  const [last, ...earlier] = recent
  if (!last) return { title: 'Where we left off', share: 0.27, items: [] }
  const unfinished = earlier.filter((one) => isUnfinished(one) && daysBetween(one, last) <= maxDaysOf(one))
  const finished = earlier.filter((one) => !isUnfinished(one))
  const listed = new Set([...unfinished.slice(0, maxUnfinished), ...finished.slice(0, maxFinished)])
  const line = summaryLine(last, zone)
  return {
    title: 'Where we left off',
    share: 0.27,
    items: [
      { text: [line, ...details(ledger, last)].join('\n'), short: line, session: last.session.id },
      ...earlier
        .filter((one) => listed.has(one))
        .map((one) => ({
          text: [summaryLine(one, zone), ...(isUnfinished(one) ? openEnds(one) : [])].join('\n'),
          short: summaryLine(one, zone),
          session: one.session.id,
        })),
    ],
  }
}

function isUnfinished({ digest }: Pick<RecentSession, 'digest'>): boolean {
  return ['waiting', 'open', 'fail', 'abandoned'].includes(digest.outcome)
}

function maxDaysOf({ digest }: RecentSession): number {
  return digest.outcome === 'abandoned' ? abandonedDays : unfinishedDays
}

function daysBetween(one: RecentSession, other: RecentSession): number {
  return Math.abs(Date.parse(other.session.ended ?? '') - Date.parse(one.session.ended ?? '')) / dayMs || 0
}

function summaryLine({ session, digest }: RecentSession, zone: Zone): string {
  const when = session.ended ? zone.minute(session.ended) : 'undated'
  const branch = session.branch && session.branch !== 'HEAD' ? `, branch ${shortLine(session.branch, 60)}` : ''
  const title = shortLine(session.title ?? digest.title, 100)
  return `- ${when}, ${session.agent}${branch}: ${title} (${endingOf(digest)}) [${shortId(session.id)}]`
}

/** How a session ended, in words. */
function endingOf({ outcome, because, kind, commits, files }: Digest): string {
  switch (outcome) {
    case 'success':
      return commits.length > 0 ? 'done, committed' : `done: ${because}`
    case 'waiting':
      return 'waits for the user'
    case 'open':
      return `unfinished: ${because}`
    case 'fail':
      return `failed: ${because}`
    case 'abandoned':
      return because
    case 'unknown':
      return kind === 'work' && files.length > 0 ? 'not verified' : 'answered'
    default:
      return outcome satisfies never
  }
}

function details(ledger: Ledger, recent: RecentSession): string[] {
  const { session, digest, signals } = recent
  const leftOff = leftOffIn(ledger, session.id)
  // A model wrote it from what others said, so it is checked as a memory is.
  if (leftOff !== undefined && !excluded({ text: leftOff, trust: 'user said' }))
    return [`  left off: ${shortLine(leftOff, 320)}`, ...openEnds(recent), ...changedFiles(recent)]
  const first = digest.thread.find(({ part }) => part === 'first')?.text ?? digest.goal
  const last = digest.thread.find(({ part }) => part === 'last')?.text
  const isAnswered = (signals.reply ?? -1) > (signals.prompt?.seq ?? -1)
  const gist = isAnswered ? gistOfReply(digest.lastReply, digest.lastReplyEnd, 360) : ''
  const isInTitle = first.startsWith((session.title ?? digest.title).replace(/…$/, ''))
  const lines = [
    isInTitle && (last !== undefined || first.length < 100) ? '' : `  asked first: ${sentence(first, 240)}`,
    last === undefined ? '' : `  asked last: ${sentence(last, 240)}`,
    gist === '' ? '' : `  answered: ${shortLine(gist, 400)}`,
  ]
  return [...lines.filter((line) => line !== ''), ...openEnds(recent), ...changedFiles(recent)]
}

function sentence(text: string, max: number): string {
  return ellipsizeSentence(shortLine(text, text.length), max)
}

/** What waits for the user or for the agent. */
function openEnds({ digest, signals }: RecentSession): string[] {
  const { outcome, question, tests } = digest
  if (question !== '')
    return [`  ${outcome === 'waiting' ? 'waits for an answer to' : 'offered'}: ${sentence(question, 240)}`]
  const isFailing = signals.test !== null && !signals.test.isOk && outcome === 'open'
  if (isFailing && tests.lastFailed > 0) return [`  open: ${plural(tests.lastFailed, 'test')} failed in the last run`]
  if (outcome !== 'abandoned' || digest.thread.length === 0) return []
  const unanswered = signals.prompt && signals.prompt.seq > Math.max(signals.assistant ?? -1, signals.result?.seq ?? -1)
  return unanswered ? [`  open: no answer to "${sentence(digest.thread.at(-1)!.text, 160)}"`] : []
}

/** Edits that no commit followed. */
function changedFiles({ session, digest, signals }: RecentSession): string[] {
  if ((signals.edit ?? -1) < (signals.commit ?? -1)) return []
  const files = digest.files.flatMap(({ path }) => relativePath(path, session) ?? []).slice(-6)
  return files.length > 0 ? [`  changed, no commit seen: ${files.join(', ')}`] : []
}

/** Undefined for files outside of the session's folder: scratch files, notes, other projects. */
function relativePath(path: string, { cwd }: SessionView): string | undefined {
  const inside = cwd === null ? path : pathInside(cwd, path)
  return inside === undefined || inside.startsWith('../') ? undefined : shortLine(inside, 120)
}

/** Files that several recent sessions changed. */
export function filesInMotion(recent: readonly RecentSession[]): BriefSection {
  const counts = new Map<string, number>()
  const [last] = recent
  for (const one of recent.filter((each) => last && daysBetween(each, last) <= inMotionDays)) {
    const files = new Set(one.digest.files.flatMap(({ path }) => relativePath(path, one.session) ?? []))
    for (const path of files) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const items = [...counts]
    .filter(([path, sessions]) => sessions > 1 && !generated.test(path))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([path, sessions]) => ({ text: `- ${path} (changed in ${sessions} recent sessions)` }))
  return { title: 'Files in motion', share: 0.06, items }
}

const generated =
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|go\.sum|Cargo\.lock|poetry\.lock|uv\.lock|CHANGELOG\.md)$|(?:^|\/)(?:dist|build|node_modules|target)\//
