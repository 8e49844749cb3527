// From lines to the sessions behind them: git names the commit, and a session either made that commit (exact) or edited the file
// before it (near). What a person wrote by hand has no session, and none is guessed.
import { isoTime } from '../core/clock.ts'
import { formatDuration } from '../core/units.ts'
import { findSessions } from '../store/sessions/sessions.ts'
import { type Best, bestEdit, editOfMaker, makerAmong, makerAtWork, remembered, type Search } from './blame-search.ts'
import type { Asked } from './blame-session.ts'
import { type BlameContext, type FileTouch, touchesOf } from './blame-touches.ts'
import { type CommittedLines, type GitCommit, gitBlame, lastChangeMs, previousChangeMs } from './git-blame.ts'

export interface LineRange {
  from: number
  to: number
}

export interface BlamedLines extends LineRange {
  text: string[]
  commit: { hash: string; at: string; author: string; subject: string } | null
  sure: 'exact' | 'near' | 'none'
  /** The one that made the commit first; another where that one did not edit the file. */
  sessions: BehindLines[]
}

export interface BehindLines {
  sure: 'exact' | 'near'
  because: string
  session: string
  agent: string
  title: string | null
  at: string | null
  /** For `recollect show`: the exchange, or the session where its text is gone. */
  id: string
  asked: string
  by: 'user' | 'agent' | null
}

/** Each costs a look into git and into some sessions. */
const maxCommits = 30

export function blameLines(
  context: BlameContext,
  touches: FileTouch[],
  { from, to }: LineRange,
): { lines: BlamedLines[]; notes: string[] } {
  const { file, env } = context
  const fileOnly = (reason: string) => ({ lines: [], notes: [`Lines cannot be told apart: ${reason}.`] })
  if (!file.hasGit || file.folder === null) return fileOnly('this is no git repository')
  const place = { folder: file.folder, env }
  const blamed = gitBlame(place, file.path, from, to)
  if (blamed.kind === 'nothing') return fileOnly(blamed.reason.replace(/^fatal: |\.$/g, ''))
  const search: Search = { context, place, touches, works: new Map(), found: new Map() }
  const commits = new Set(blamed.groups.map(({ commit }) => commit))
  const told = new Set([...commits].slice(0, maxCommits))
  const left = commits.size - told.size
  return {
    lines: blamed.groups.filter(({ commit }) => told.has(commit)).map((group) => linesOf(search, group)),
    notes: left > 0 ? [`${left} more commits have a part in these lines: ask for fewer lines.`] : [],
  }
}

function linesOf(search: Search, group: CommittedLines): BlamedLines {
  const { commit, from, to, text } = group
  const sessions = commit ? behindCommit(search, group, commit) : behindUncommitted(search, group)
  const told = commit && {
    hash: commit.hash,
    at: isoTime(commit.authorMs),
    author: commit.author,
    subject: commit.subject,
  }
  return { from, to, text, commit: told, sure: sessions[0]?.sure ?? 'none', sessions }
}

function behindUncommitted(search: Search, { text }: CommittedLines): BehindLines[] {
  const { place, context, touches } = search
  const since = remembered(search, 'not committed', () => lastChangeMs(place, context.file.path))
  const best = bestEdit(search, touches, text, { sinceMs: since, untilMs: Number.POSITIVE_INFINITY })
  if (!best) return []
  const did = best.hasWritten ? 'it wrote these lines' : 'it was the last to edit the file'
  return [behind(search, best.touch.uid, 'near', `${did}; they are not committed yet`, best.edit)]
}

function behindCommit(search: Search, { text }: CommittedLines, commit: GitCommit): BehindLines[] {
  const { context, place } = search
  const isRenamed = commit.path !== context.file.path
  const touches = isRenamed
    ? touchesOf(context, { ...context.file, path: commit.path, absolute: null })
    : search.touches
  const maker = makerAmong(search, touches, commit) ?? makerAtWork(search, commit)
  const sinceMs = remembered(search, commit.hash, () => previousChangeMs(place, commit))
  const best = bestEdit(search, touches, text, { sinceMs, untilMs: commit.authorMs, laterMs: commit.committerMs })
  if (!maker) return best ? [behind(search, best.touch.uid, 'near', nearness(best, commit), best.edit)] : []
  const own = editOfMaker(maker, text)
  const made = behind(search, maker.uid, 'exact', maker.because, own ?? { asked: maker.made.asked, at: null })
  const isOwn = own !== undefined || best === undefined || best.touch.uid === maker.uid
  return isOwn ? [made] : [made, behind(search, best.touch.uid, 'near', nearness(best, commit), best.edit)]
}

function nearness({ edit, hasWritten }: Best, { authorMs }: GitCommit): string {
  const did = hasWritten ? 'it wrote these lines' : 'it edited the file'
  const ms = edit.at === null ? 0 : authorMs - Date.parse(edit.at)
  return ms < 1000 ? `${did} at the time of this commit` : `${did} ${formatDuration(ms)} before this commit`
}

function behind(
  { context }: Search,
  uid: string,
  sure: BehindLines['sure'],
  because: string,
  { asked, at }: { asked: Asked | null; at: string | null },
): BehindLines {
  const { agent, title, ended } = findSessions(context.ledger, uid)[0]!
  const id = asked ? `${uid}#${asked.seq}` : uid
  const why = { id, asked: asked?.text ?? '', by: asked?.by ?? null }
  return { sure, because, session: uid, agent, title, at: at ?? asked?.at ?? ended, ...why }
}
