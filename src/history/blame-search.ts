// Which session is behind a commit: the one that made it, and the one whose edit of the file went into it.
import { sessionsActiveAt } from '../store/sessions/file-edits.ts'
import { type FileEdit, type MadeCommit, readWork, type SessionWork } from './blame-session.ts'
import type { BlameContext, FileTouch } from './blame-touches.ts'
import type { GitCommit, GitPlace } from './git-blame.ts'

export interface Search {
  context: BlameContext
  place: GitPlace
  touches: FileTouch[]
  /** What was read of a session, by the name that the file had. */
  works: Map<string, SessionWork>
  /** When the file was committed before a commit. */
  found: Map<string, number | undefined>
}

/** How many sessions are read for a commit, the last that touched the file before it. */
const maxSessions = 12
/** How far a session may be from a commit that it made without editing the file. */
const withinMs = 15 * 60_000
/** Git counts in seconds. */
const slackMs = 1500

export interface Maker {
  uid: string
  made: MadeCommit
  edits: FileEdit[]
  because: string
}

export function makerAmong(search: Search, touches: FileTouch[], commit: GitCommit): Maker | undefined {
  return surest(near(touches, commit.authorMs).flatMap((touch) => makersIn(touch.uid, workOf(search, touch), commit)))
}

/** A session may commit what another one wrote. */
export function makerAtWork({ context }: Search, commit: GitCommit): Maker | undefined {
  const { ledger, project } = context
  if (project === null) return undefined
  const moments = [...new Set([commit.authorMs, commit.committerMs])]
  const makers = moments.flatMap((ms) =>
    sessionsActiveAt(ledger, project, ms, withinMs).flatMap(({ session, uid, fromSeq }) => {
      const work = readWork(ledger, { session, uid, fromSeq, untilMs: ms + withinMs, isFile: () => false })
      return makersIn(uid, work, commit)
    }),
  )
  return surest(makers)
}

const byHash = 'it made this commit'
const byMoment = 'it ran git commit at that moment'

function makersIn(uid: string, { commits, edits }: SessionWork, commit: GitCommit): Maker[] {
  return commits.flatMap((made) => {
    const isNamed = made.hash !== '' && commit.hash.startsWith(made.hash)
    if (!isNamed && !isMoment(made, commit.authorMs)) return []
    return [{ uid, made, edits, because: isNamed ? byHash : byMoment }]
  })
}

/** After a rebase or an amendment the hash is another one, and the author's time the same. */
function isMoment({ fromAt, toAt }: MadeCommit, ms: number): boolean {
  if (fromAt === null || toAt === null) return false
  return ms >= Date.parse(fromAt) - slackMs && ms <= Date.parse(toAt) + slackMs
}

function surest(makers: Maker[]): Maker | undefined {
  return makers.find(({ because }) => because === byHash) ?? makers[0]
}

export function editOfMaker({ edits, made }: Maker, lines: readonly string[]): FileEdit | undefined {
  const before = edits.filter(({ seq }) => seq < made.seq)
  return before.findLast((edit) => hasWritten(edit, lines)) ?? before.at(-1)
}

export interface Best {
  touch: FileTouch
  edit: Pick<FileEdit, 'asked' | 'at'>
  hasWritten: boolean
}

interface Span {
  /** When the file was committed before. */
  sinceMs: number | undefined
  untilMs: number
  /** Until then it counts if it wrote the very lines: a commit that is amended keeps its author's time. */
  laterMs?: number
}

/** The last edit that is in the commit: after the one before it; an earlier one only if it wrote the very lines. */
export function bestEdit(search: Search, touches: FileTouch[], lines: readonly string[], span: Span): Best | undefined {
  const { sinceMs = Number.NEGATIVE_INFINITY, untilMs, laterMs = untilMs } = span
  let best: (Best & { rank: number; ms: number }) | undefined
  for (const touch of near(touches, Math.max(untilMs, laterMs))) {
    for (const edit of editsOf(workOf(search, touch), touch, untilMs)) {
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

/** Of a session whose text is gone the first and the last edit are known by their times. */
function editsOf({ edits, isTextGone }: SessionWork, { firstAt, lastAt }: FileTouch, untilMs: number): FileEdit[] {
  if (edits.length > 0 || !isTextGone) return edits
  const at = [lastAt, firstAt].find((one) => one !== null && Date.parse(one) <= untilMs + slackMs)
  return at ? [{ seq: 0, at, asked: null, added: 0, removed: 0, wrote: '' }] : []
}

/** Short lines such as `}` stand everywhere. */
function hasWritten({ wrote }: FileEdit, lines: readonly string[]): boolean {
  return lines.some((line) => line.trim().length > 5 && wrote.includes(line.trim()))
}

/** The sessions that had begun to touch the file by then, the last first. */
function near(touches: FileTouch[], ms: number): FileTouch[] {
  return touches.filter(({ firstAt }) => firstAt === null || Date.parse(firstAt) <= ms + slackMs).slice(0, maxSessions)
}

function workOf({ context, works }: Search, touch: FileTouch): SessionWork {
  const key = `${touch.uid} ${touch.path}`
  const { session, uid, first, isFile } = touch
  const work = works.get(key) ?? readWork(context.ledger, { session, uid, fromSeq: first ?? 0, isFile })
  works.set(key, work)
  return work
}

export function remembered({ found }: Search, key: string, find: () => number | undefined): number | undefined {
  if (!found.has(key)) found.set(key, find())
  return found.get(key)
}
