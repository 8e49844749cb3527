// Finds the sessions behind lines of a file. git names the commit; a session either made that
// commit (exact) or edited the file before it (near). Lines written by hand have no session.
import { isoTime } from '../core/clock.ts'
import { formatDuration } from '../core/units.ts'
import { tellName } from '../gate/evidence.ts'
import { tellLines } from '../gate/gate.ts'
import { sessionsActiveAt } from '../store/sessions/file-edits.ts'
import { findSessions } from '../store/sessions/sessions.ts'
import {
  type BlameContext,
  type BlamePrompt,
  type FileTouch,
  type FileWork,
  fileTouches,
  readFileWork,
  type SessionCommit,
  type SessionFileEdit,
  toldPrompt,
} from './blame-file.ts'
import {
  type CommittedLines,
  type GitCommit,
  type GitFolder,
  gitBlame,
  lastChangeMs,
  previousChangeMs,
} from './git-blame.ts'

export interface LineRange {
  from: number
  to: number
}

export interface BlamedLines extends LineRange {
  text: string[]
  commit: { hash: string; at: string; author: string; subject: string } | null
  sure: 'exact' | 'near' | 'none'
  /** The session that made the commit, then another one if that did not edit the file. */
  sessions: LineSession[]
}

export interface LineSession {
  sure: 'exact' | 'near'
  because: string
  session: string
  agent: string
  title: string | null
  at: string | null
  /** For `recollect show`: the exchange, or the session where its text was deleted. */
  id: string
  asked: string
  by: 'user' | 'agent' | null
}

/** Each commit costs a git call and reading several sessions. */
const maxCommits = 30

export function blameLines(
  context: BlameContext,
  touches: FileTouch[],
  { from, to }: LineRange,
): { lines: BlamedLines[]; notes: string[] } {
  const { file, env } = context
  const fileOnly = (reason: string) => ({ lines: [], notes: [`Lines cannot be attributed: ${reason}.`] })
  if (!file.hasGit || file.folder === null) return fileOnly('this is no git repository')
  const place = { folder: file.folder, env }
  const blamed = gitBlame(place, file.path, from, to)
  if (blamed.kind === 'nothing') return fileOnly(blamed.reason.replace(/^fatal: |\.$/g, ''))
  const search: LineSearch = { context, place, touches, works: new Map(), found: new Map() }
  const commits = new Set(blamed.groups.map(({ commit }) => commit))
  const shown = new Set([...commits].slice(0, maxCommits))
  const left = commits.size - shown.size
  return {
    lines: blamed.groups.filter(({ commit }) => shown.has(commit)).map((group) => blameGroup(search, group)),
    notes: left > 0 ? [`${left} more commits have a part in these lines: ask for fewer lines.`] : [],
  }
}

function blameGroup(search: LineSearch, group: CommittedLines): BlamedLines {
  const { commit, from, to, text } = group
  const sessions = commit ? sessionsOfCommit(search, group, commit) : sessionsOfUncommitted(search, group)
  const details = commit && {
    hash: commit.hash,
    at: isoTime(commit.authorMs),
    author: tellName(commit.author),
    subject: tellLines(commit.subject, 'agent'),
  }
  return { from, to, text, commit: details, sure: sessions[0]?.sure ?? 'none', sessions }
}

function sessionsOfUncommitted(search: LineSearch, { text }: CommittedLines): LineSession[] {
  const { place, context, touches } = search
  const since = cachedTime(search, 'not committed', () => lastChangeMs(place, context.file.path))
  const best = findBestEdit(search, touches, text, { sinceMs: since, untilMs: Number.POSITIVE_INFINITY })
  if (!best) return []
  const did = best.hasWritten ? 'it wrote these lines' : 'it was the last to edit the file'
  return [lineSession(search, best.touch.uid, 'near', `${did}; they are not committed yet`, best.edit)]
}

function sessionsOfCommit(search: LineSearch, { text }: CommittedLines, commit: GitCommit): LineSession[] {
  const { context, place } = search
  const isRenamed = commit.path !== context.file.path
  const touches = isRenamed
    ? fileTouches(context, { ...context.file, path: commit.path, absolute: null })
    : search.touches
  const maker = findMaker(search, touches, commit) ?? findActiveMaker(search, commit)
  const sinceMs = cachedTime(search, commit.hash, () => previousChangeMs(place, commit))
  const best = findBestEdit(search, touches, text, { sinceMs, untilMs: commit.authorMs, laterMs: commit.committerMs })
  if (!maker) return best ? [lineSession(search, best.touch.uid, 'near', nearReason(best, commit), best.edit)] : []
  const own = makerEdit(maker, text)
  const made = lineSession(search, maker.uid, 'exact', maker.because, own ?? { asked: maker.made.asked, at: null })
  const isOwn = own !== undefined || best === undefined || best.touch.uid === maker.uid
  return isOwn ? [made] : [made, lineSession(search, best.touch.uid, 'near', nearReason(best, commit), best.edit)]
}

function nearReason({ edit, hasWritten }: EditMatch, { authorMs }: GitCommit): string {
  const did = hasWritten ? 'it wrote these lines' : 'it edited the file'
  const ms = edit.at === null ? 0 : authorMs - Date.parse(edit.at)
  return ms < 1000 ? `${did} at the time of this commit` : `${did} ${formatDuration(ms)} before this commit`
}

function lineSession(
  { context }: LineSearch,
  uid: string,
  sure: LineSession['sure'],
  because: string,
  { asked, at }: { asked: BlamePrompt | null; at: string | null },
): LineSession {
  const { agent, title, ended } = findSessions(context.ledger, uid)[0]!
  const id = asked ? `${uid}#${asked.seq}` : uid
  const why = { id, asked: toldPrompt(asked), by: asked?.by ?? null }
  return { sure, because, session: uid, agent, title: title && tellName(title), at: at ?? asked?.at ?? ended, ...why }
}

interface LineSearch {
  context: BlameContext
  place: GitFolder
  touches: FileTouch[]
  /** Cache by session and path. */
  works: Map<string, FileWork>
  /** Cache: time of the previous commit of the file, by commit. */
  found: Map<string, number | undefined>
}

/** Limit of sessions that are read for a commit, latest first. */
const maxSessions = 12
/** Maximum distance of a session from a commit that it made without editing the file. */
const withinMs = 15 * 60_000
/** git has a resolution of one second. */
const slackMs = 1500

interface CommitMaker {
  uid: string
  made: SessionCommit
  edits: SessionFileEdit[]
  because: string
}

function findMaker(search: LineSearch, touches: FileTouch[], commit: GitCommit): CommitMaker | undefined {
  return mostCertain(
    touchesBefore(touches, commit.authorMs).flatMap((touch) =>
      makersInWork(touch.uid, cachedWork(search, touch), commit),
    ),
  )
}

/** Sessions active at the time of the commit: one may commit the edits of another. */
function findActiveMaker({ context }: LineSearch, commit: GitCommit): CommitMaker | undefined {
  const { ledger, project } = context
  if (project === null) return undefined
  const moments = [...new Set([commit.authorMs, commit.committerMs])]
  const makers = moments.flatMap((ms) =>
    sessionsActiveAt(ledger, project, ms, withinMs).flatMap(({ session, uid, fromSeq }) => {
      const work = readFileWork(ledger, { session, uid, fromSeq, untilMs: ms + withinMs, isFile: () => false })
      return makersInWork(uid, work, commit)
    }),
  )
  return mostCertain(makers)
}

const byHash = 'it made this commit'
const byMoment = 'it ran git commit at that moment'

function makersInWork(uid: string, { commits, edits }: FileWork, commit: GitCommit): CommitMaker[] {
  return commits.flatMap((made) => {
    const isNamed = made.hash !== '' && commit.hash.startsWith(made.hash)
    if (!isNamed && !matchesTime(made, commit.authorMs)) return []
    return [{ uid, made, edits, because: isNamed ? byHash : byMoment }]
  })
}

/** Rebase and amend change the hash but keep the author time. */
function matchesTime({ fromAt, toAt }: SessionCommit, ms: number): boolean {
  if (fromAt === null || toAt === null) return false
  return ms >= Date.parse(fromAt) - slackMs && ms <= Date.parse(toAt) + slackMs
}

function mostCertain(makers: CommitMaker[]): CommitMaker | undefined {
  return makers.find(({ because }) => because === byHash) ?? makers[0]
}

function makerEdit({ edits, made }: CommitMaker, lines: readonly string[]): SessionFileEdit | undefined {
  const before = edits.filter(({ seq }) => seq < made.seq)
  return before.findLast((edit) => hasWritten(edit, lines)) ?? before.at(-1)
}

interface EditMatch {
  touch: FileTouch
  edit: Pick<SessionFileEdit, 'asked' | 'at'>
  hasWritten: boolean
}

interface EditWindow {
  /** Time of the previous commit of the file. */
  sinceMs: number | undefined
  untilMs: number
  /** Until then an edit counts if it wrote these lines: an amended commit keeps its author time. */
  laterMs?: number
}

/** The last edit between two commits; an earlier one only if it wrote these lines. */
function findBestEdit(
  search: LineSearch,
  touches: FileTouch[],
  lines: readonly string[],
  span: EditWindow,
): EditMatch | undefined {
  const { sinceMs = Number.NEGATIVE_INFINITY, untilMs, laterMs = untilMs } = span
  let best: (EditMatch & { rank: number; ms: number }) | undefined
  for (const touch of touchesBefore(touches, Math.max(untilMs, laterMs))) {
    for (const edit of datedEdits(cachedWork(search, touch), touch, untilMs)) {
      const ms = edit.at === null ? Number.NaN : Date.parse(edit.at)
      const isIn = ms >= sinceMs && ms <= untilMs + slackMs
      const wrote = ms <= Math.max(untilMs, laterMs) + slackMs && hasWritten(edit, lines)
      const rank = (isIn ? 2 : 0) + (wrote ? (isIn ? 2 : 1) : 0)
      if (rank === 0 || (best && (rank < best.rank || (rank === best.rank && ms < best.ms)))) continue
      best = { touch, edit, hasWritten: wrote, rank, ms }
    }
  }
  return best
}

/** Where the text was deleted, only the times of the first and the last edit are known. */
function datedEdits(
  { edits, isTextGone }: FileWork,
  { firstAt, lastAt }: FileTouch,
  untilMs: number,
): SessionFileEdit[] {
  if (edits.length > 0 || !isTextGone) return edits
  const at = [lastAt, firstAt].find((one) => one !== null && Date.parse(one) <= untilMs + slackMs)
  return at ? [{ seq: 0, at, asked: null, added: 0, removed: 0, wrote: '' }] : []
}

/** Short lines such as `}` occur everywhere. */
function hasWritten({ wrote }: SessionFileEdit, lines: readonly string[]): boolean {
  return lines.some((line) => line.trim().length > 5 && wrote.includes(line.trim()))
}

/** Sessions whose first edit was before that time, latest first. */
function touchesBefore(touches: FileTouch[], ms: number): FileTouch[] {
  return touches.filter(({ firstAt }) => firstAt === null || Date.parse(firstAt) <= ms + slackMs).slice(0, maxSessions)
}

function cachedWork({ context, works }: LineSearch, touch: FileTouch): FileWork {
  const key = `${touch.uid} ${touch.path}`
  const { session, uid, first, isFile } = touch
  const work = works.get(key) ?? readFileWork(context.ledger, { session, uid, fromSeq: first ?? 0, isFile })
  works.set(key, work)
  return work
}

function cachedTime({ found }: LineSearch, key: string, find: () => number | undefined): number | undefined {
  if (!found.has(key)) found.set(key, find())
  return found.get(key)
}
