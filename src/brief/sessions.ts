// Sections of a brief with recent sessions: where the last one stopped, what waits or is unfinished,
// and which files keep changing. A line stands here only if it can change what the agent does next.
import { shortId } from '../core/session.ts'
import { plural, type Zone } from '../core/units.ts'
import { gistOfReply } from '../digest/reply-end.ts'
import { tellName } from '../gate/evidence.ts'
import { leftOut, tellLines, tellWords } from '../gate/gate.ts'
import { notesOfProject } from '../store/fixes/session-notes.ts'
import type { Ledger } from '../store/ledger.ts'
import { leftOffIn } from '../store/sessions/summaries.ts'
import { ellipsizeSentence } from '../text/truncate.ts'
import type { BriefSection } from './budget.ts'
import { type ChangedFile, chooseSessions, daysBetween, type RecentSession } from './recent-sessions.ts'
import { shortLine } from './short-line.ts'

const inMotionDays = 30
const maxUncommitted = 4

export function whereWeLeftOff(ledger: Ledger, zone: Zone, recent: readonly RecentSession[]): BriefSection {
  const section = { title: 'Where we left off', share: 0.27 }
  const chosen = chooseSessions(recent)
  if (!chosen) return { ...section, items: [] }
  const { last, others } = chosen
  const items = recent
    .filter((one) => one === last || others.includes(one))
    .map((one) => {
      const line = summaryLine(one, zone)
      const lines = one === last ? sessionLines(ledger, zone, one) : [line, ...(one.isOpen ? openEnds(one) : [])]
      return { text: lines.join('\n'), short: line, session: one.session.id }
    })
  return { ...section, items }
}

/** A session in detail: when, what and how it ended, then where it was left off. */
export function sessionLines(ledger: Ledger, zone: Zone, one: RecentSession): string[] {
  return [summaryLine(one, zone), ...details(ledger, one)]
}

function summaryLine(one: RecentSession, zone: Zone): string {
  const { session } = one
  const when = session.ended ? zone.minute(session.ended) : 'undated'
  const branch =
    session.branch && session.branch !== 'HEAD' ? `, branch ${shortLine(tellName(session.branch), 60)}` : ''
  return `- ${when}, ${session.agent}${branch}: ${titleOf(one)} (${endingOf(one)}) [${shortId(session.id)}]`
}

/** A short prompt may give no title; then the prompt itself is one. */
function titleOf({ session, digest }: RecentSession): string {
  const said = [digest.goal, ...digest.thread.map(({ text }) => text)]
  const isPersons = said.some((text) => text.startsWith((session.title ?? digest.title).replace(/…$/, '')))
  const [title] = [
    tellWords(session.title ?? digest.title, isPersons ? 'person' : 'agent'),
    tellWords(digest.goal, 'person'),
    tellWords(digest.thread[0]?.text ?? '', 'person'),
    tellWords(digest.commits[0] ?? '', 'agent'),
  ]
    .map((one) => ('told' in one ? shortLine(one.told, 100) : ''))
    .filter((text) => text !== '')
  return title ?? 'no title'
}

/** How a session ended, in words. */
function endingOf(one: RecentSession): string {
  const { outcome, because, kind } = one.digest
  switch (outcome) {
    case 'success':
      return doneText(one)
    case 'waiting':
      return one.isOpen ? 'waits for the user' : 'work went on later'
    case 'open':
      return one.isOpen ? `unfinished: ${because}` : 'work went on later'
    case 'fail':
      return one.isOpen ? `failed: ${because}` : `${because}; work went on later`
    case 'abandoned':
      return because
    case 'unknown':
      return kind === 'work' && one.files.length > 0 ? unverifiedText(one) : 'answered'
    default:
      return outcome satisfies never
  }
}

function doneText({ digest: { because, commits }, files }: RecentSession): string {
  const isUncommitted = files.some((file) => file.isUncommitted)
  if (commits.length === 0) return `done: ${because}`
  if (!isUncommitted) return 'done, committed'
  return because === 'ended with a commit' ? 'committed, then changed again' : `done: ${because}; not all committed`
}

/** A failed run before the last request is still the latest result. */
function unverifiedText({ signals: { test, check, commit }, digest: { tests } }: RecentSession): string {
  const isAfterCommit = (run: { seq: number } | null | undefined) => (run?.seq ?? -1) > (commit ?? -1)
  if (test?.isOk === false && isAfterCommit(test))
    return tests.lastFailed > 0
      ? `not verified: ${plural(tests.lastFailed, 'test')} failed in the last run`
      : 'not verified: the last test run failed'
  if (check?.isOk === false && isAfterCommit(check)) return 'not verified: the last build or check failed'
  return 'not verified'
}

function details(ledger: Ledger, recent: RecentSession): string[] {
  const { session, digest, signals } = recent
  const leftOff = leftOffIn(ledger, session.id)
  // A model wrote it from what others said.
  if (leftOff !== undefined && !tellLines(leftOff, 'agent').includes(leftOut))
    return [`  left off: ${shortLine(leftOff, 320)}`, ...openEnds(recent), ...fileLines(recent)]
  const first = digest.thread.find(({ part }) => part === 'first')?.text ?? digest.goal
  const last = digest.thread.find(({ part }) => part === 'last')?.text
  const isAnswered = (signals.reply ?? -1) > (signals.prompt?.seq ?? -1)
  const gist = isAnswered ? tellLines(gistOfReply(digest.lastReply, digest.lastReplyEnd, 360), 'agent') : ''
  const isInTitle = first.startsWith((session.title ?? digest.title).replace(/…$/, ''))
  const ends = openEnds(recent)
  const isOpenPrompt = last !== undefined && ends.some((line) => line.includes(sentence(last, 160)))
  const lines = [
    isInTitle && (last !== undefined || first.length < 100) ? '' : `  asked first: ${sentence(first, 240)}`,
    last === undefined || isOpenPrompt ? '' : `  asked last: ${sentence(last, 240)}`,
    gist === '' ? '' : `  answered: ${shortLine(gist, 400)}`,
  ]
  return [...lines.filter((line) => line !== ''), ...ends, ...fileLines(recent)]
}

function sentence(text: string, max: number): string {
  return ellipsizeSentence(shortLine(tellLines(text, 'person'), text.length), max)
}

/** What waits for the user or for the agent. */
function openEnds({ digest, signals }: RecentSession): string[] {
  const { outcome, question, tests } = digest
  if (question !== '')
    return [
      `  ${outcome === 'waiting' ? 'waits for an answer to' : 'offered'}: ${sentence(tellLines(question, 'agent'), 240)}`,
    ]
  const isFailing = signals.test !== null && !signals.test.isOk && outcome === 'open'
  if (isFailing && tests.lastFailed > 0) return [`  open: ${plural(tests.lastFailed, 'test')} failed in the last run`]
  if (outcome !== 'abandoned' || digest.thread.length === 0) return []
  const unanswered = signals.prompt && signals.prompt.seq > Math.max(signals.assistant ?? -1, signals.result?.seq ?? -1)
  return unanswered ? [`  open: no answer to "${sentence(digest.thread.at(-1)!.text, 160)}"`] : []
}

/** Edits that no commit followed, and a file that says how to go on. */
function fileLines({ files }: RecentSession): string[] {
  const uncommitted = files.filter(({ isUncommitted }) => isUncommitted)
  const notes = files.filter(({ path }) => isNotes.test(path)).slice(0, 2)
  return [
    notes.length > 0 ? `  notes on how to go on: ${pathList(notes)}` : '',
    uncommitted.length > 0 ? `  changed, no commit seen: ${pathList(uncommitted)}` : '',
  ].filter((line) => line !== '')
}

/** Files in which agents and people leave what is to be done. */
const isNotes =
  /(?:^|[/_.-])(?:wip|todos?|hand-?(?:off|over)|next-?steps|open-?(?:issues|questions))(?:[_.-][\w.-]*)?\.(?:md|mdx|txt|org|rst)$/i

function pathList(files: readonly ChangedFile[]): string {
  const named = files.slice(0, maxUncommitted).map(({ path }) => shortLine(tellName(path), 120))
  const more = files.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** By sessions, edits and recency, below their common folder, with names that were written into them. */
export function filesInMotion(ledger: Ledger, project: string, recent: readonly RecentSession[]): BriefSection {
  const last = chooseSessions(recent)?.last
  const files = new Map<string, { sessions: number; times: number; place: number }>()
  const near = recent.filter((each) => last && daysBetween(each, last) <= inMotionDays)
  for (const [place, one] of near.entries())
    for (const { path, times } of one.files) {
      const known = files.get(path) ?? { sessions: 0, times: 0, place }
      files.set(path, { sessions: known.sessions + 1, times: known.times + times, place: known.place })
    }
  const symbols = new Map(
    notesOfProject(ledger, project, 'symbols', 2000).map(({ name, text }) => [name, text.split(' ')]),
  )
  const namesIn = (path: string) =>
    [...symbols].filter(([name]) => name === path || name.endsWith(`/${path}`)).flatMap(([, names]) => names)
  const ranked = [...files]
    // A folder and a name may be an instruction together only.
    .filter(([path]) => !generated.test(path) && tellName(path) === path)
    .toSorted(([, a], [, b]) => rankOf(b) - rankOf(a))
    .slice(0, maxFiles)
  const folders = Map.groupBy(ranked, ([path]) => path.slice(0, path.lastIndexOf('/') + 1))
  const items = [...folders].map(([folder, own]) => {
    const named = own.map(([path]) => {
      const names = [...new Set(namesIn(path))].filter((name) => tellName(name) === name).slice(0, maxNames)
      return `${shortLine(path.slice(folder.length), 120)}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
    })
    return { text: `- ${folder === '' ? '' : `${shortLine(folder, 120)}: `}${named.join(', ')}` }
  })
  return { title: 'Files in motion', share: 0.17, items }
}

function rankOf({ sessions, times, place }: { sessions: number; times: number; place: number }): number {
  return sessions + 0.5 * Math.log2(1 + times) - place / 10
}

const maxFiles = 16
const maxNames = 3

const generated =
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|go\.sum|Cargo\.lock|poetry\.lock|uv\.lock|CHANGELOG\.md)$|(?:^|\/)(?:dist|build|node_modules|target)\//
