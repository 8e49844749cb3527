// Deletes sessions with everything derived from them. One transaction changes the ledger, after the
// archive is complete; files follow, and a run that was killed in between is finished by the next
// sweep.
import { removeCopies } from '../capture/copies/write-copy.ts'
import { type Clock, isoTime } from '../core/clock.ts'
import { plural } from '../core/units.ts'
import { openVault, readVaultBytes, statVaultFile } from '../core/vault/files.ts'
import { removeEntries } from '../journal/day-file.ts'
import { type DeletionFiles, saveDeletion, saveTombstone, sessionsWithTextOf } from '../store/deletion/deletions.ts'
import { removeFromHistory } from '../store/deletion/memory-history.ts'
import { overwriteDeleted } from '../store/deletion/scrub.ts'
import {
  deleteRowsOfSession,
  projectsOfSessions,
  rowsOfSession,
  type SessionToDelete,
} from '../store/deletion/session-rows.ts'
import type { Ledger } from '../store/ledger.ts'
import { beginChange, saveVersion } from '../store/memories/changes.ts'
import { filesOfMemories, requeueFile } from '../store/memories/files.ts'
import { memoryNumber, removeMemory, writeMemory } from '../store/memories/rows.ts'
import { deleteUnusedVectors } from '../store/search/vectors.ts'
import { commitsOfProject, deleteCommits } from '../store/sessions/commits.ts'
import { deleteUnusedProjects, markBriefsStale } from '../store/sessions/projects.ts'
import { type ArticleRow, articleRows, deleteArticle, deleteWikiDay } from '../store/wiki/articles.ts'
import { addProjectsToCompile } from '../store/wiki/projects-to-compile.ts'
import { logWork } from '../store/work-log.ts'
import { textOfPeople } from '../wiki/article-file.ts'
import { sessionMark } from '../wiki/ask/citations.ts'
import { makeWikiDue, markIndexDue } from '../wiki/due.ts'
import { fileOf } from '../wiki/write.ts'
import { archiveBody, createArchive, type DeletionArchive, removeArchive } from './archive.ts'
import type { DeletionPlan } from './plan.ts'

export interface DeletionContext {
  ledger: Ledger
  clock: Clock
}

/** Requires the sweep and the learn lock. Returns the number of the change, by which it is undone. */
export function deleteSessions({ ledger, clock }: DeletionContext, plan: DeletionPlan): number {
  overwriteDeleted(ledger)
  const atMs = clock.nowMs()
  return ledger.transaction(() => {
    const about = summaryText(plan)
    const change = beginChange(ledger, { at: isoTime(atMs), kind: 'deleted', about })
    const articles = answersToRemove(ledger, plan)
    const archive = createArchive(ledger.layout, change)
    ledger.onRollback(() => removeArchive(ledger.layout, change))
    archiveSessions(ledger, change, plan, archive)
    archiveFiles(ledger, plan, articles, archive)
    removeHistory(ledger, plan, archive)
    archive.close()
    for (const { id, uid, source } of plan.sessions) saveTombstone(ledger, { id, uid, source, change })
    for (const session of sessionsWithTextOf(ledger, change)) removeCopies(ledger, session)
    deleteMemories(ledger, change, plan)
    for (const key of plan.projects) deleteCommits(ledger, key, foldersOf(plan.sessions))
    for (const session of plan.sessions) deleteRowsOfSession(ledger, session)
    for (const { path } of articles) deleteArticle(ledger, path)
    if (articles.length > 0) markIndexDue(ledger)
    markDependents(ledger, plan)
    deleteUnusedProjects(ledger)
    deleteUnusedVectors(ledger)
    const { events, bytes, projects } = plan
    saveDeletion(ledger, {
      change,
      atMs,
      state: 'deleting',
      summary: { sessions: plan.sessions.length, events, bytes, memories: plan.removed.length, projects },
      files: { journal: entriesByDay(plan.sessions), ...filesOf(articles) },
    })
    logWork(ledger, { atMs, session: '', what: 'deleted', detail: about })
    return change
  })
}

function summaryText({ sessions, events, removed, projects }: DeletionPlan): string {
  const parts = [plural(sessions.length, 'session'), plural(events, 'event')]
  if (removed.length > 0) parts.push(plural(removed.length, 'memory', 'memories'))
  return `${parts.join(', ')}${projects.length > 0 ? ` of ${projects.join(', ')}` : ''}`
}

function foldersOf(sessions: readonly SessionToDelete[]): string[] {
  return [...new Set(sessions.flatMap(({ cwd }) => cwd ?? []))]
}

function entriesByDay(sessions: readonly SessionToDelete[]): Record<string, string[]> {
  const days = Map.groupBy(
    sessions.flatMap(({ uid, days }) => days.map((day) => ({ uid, day }))),
    ({ day }) => day,
  )
  return Object.fromEntries([...days].map(([day, ofDay]) => [day, ofDay.map(({ uid }) => uid)]))
}

function archiveSessions(ledger: Ledger, change: number, plan: DeletionPlan, archive: DeletionArchive): void {
  const ids = plan.sessions.map(({ id }) => id)
  for (const project of projectsOfSessions(ledger, ids)) archive.add({ kind: 'project', project })
  for (const session of plan.sessions) {
    for (const row of rowsOfSession(ledger, session)) archive.add({ kind: 'row', ...row })
    if (!session.body) continue
    archiveBody(ledger.layout, change, session.body)
    archive.add({ kind: 'body', file: session.body, session: session.id, bytes: session.bytes })
  }
  for (const memory of plan.removed)
    archive.add({ kind: 'removed memory', memory, number: memoryNumber(ledger, memory.id) })
  for (const changed of plan.changed) archive.add({ kind: 'changed memory', ...changed })
  for (const project of plan.projects) {
    const commits = commitsOfProject(ledger, project)
    if (commits.length > 0) archive.add({ kind: 'commits', project, commits })
  }
}

function archiveFiles(
  ledger: Ledger,
  { sessions, removed }: DeletionPlan,
  articles: readonly CitingFile[],
  archive: DeletionArchive,
): void {
  const { layout } = ledger
  for (const [day, uids] of Object.entries(entriesByDay(sessions))) {
    const content = readIfFile(layout.vault, `journal/${day}.md`)
    if (!content) continue
    const { removed: entries } = removeEntries(content, new Set(uids))
    archive.add({ kind: 'journal', day, content: content.toString('base64'), entries })
  }
  const ids = removed.map(({ id }) => id)
  for (const file of filesOfMemories(ledger, ids).values()) {
    const content = readIfFile(layout.vault, file.path)
    if (content) archive.add({ kind: 'memory file', file: { ...file }, content: content.toString('base64') })
  }
  for (const { content, number: _, ...article } of articles)
    archive.add({ kind: 'article', article, content: content.toString('base64') })
}

function removeHistory(ledger: Ledger, { removed, sessions }: DeletionPlan, archive: DeletionArchive): void {
  removeFromHistory(ledger, { removed: removed.map(({ id }) => id), uids: sessions.map(({ uid }) => uid) }, (row) =>
    archive.add({ kind: 'row', ...row }),
  )
}

interface CitingFile extends ArticleRow {
  content: Buffer
}

/** Answers that cite what is deleted. Articles of topics are compiled again from what is left. */
function answersToRemove(ledger: Ledger, { sessions, removed }: DeletionPlan): CitingFile[] {
  const all = articleFiles(ledger)
  const marks = [...sessions.map(({ uid }) => sessionMark(uid)), ...removed.map(({ id }) => `\`${id}\``)]
  const citing = new Set(all.filter(({ content }) => marks.some((mark) => content.includes(mark))))
  // An answer may quote an article, or another answer, that cites it.
  for (let known = -1; known < citing.size; ) {
    known = citing.size
    const links = [...citing].flatMap(({ path }) => [`- [[${path}]]`, `- [[${path}|`])
    for (const file of all) if (file.topic === null && quotesArticle(file, links)) citing.add(file)
  }
  return [...citing].filter(({ topic }) => topic === null)
}

/** A source that is an article is a link with nothing behind it. */
function quotesArticle({ content }: CitingFile, links: readonly string[]): boolean {
  const lines = content.toString('utf8').split('\n')
  return lines.some((line) => /\]\]\s*$/.test(line) && links.some((link) => line.startsWith(link)))
}

/** Text of people in the file of an answer stays. */
function filesOf(answers: readonly CitingFile[]): Pick<DeletionFiles, 'articles' | 'emptied'> {
  const paths = Map.groupBy(answers, ({ content, title }) => textOfPeople(content, title) === undefined)
  const pathsOf = (isOurs: boolean) => (paths.get(isOurs) ?? []).map(({ path }) => path)
  return { articles: pathsOf(true), emptied: pathsOf(false) }
}

export function articlesCitingSessions(
  ledger: Ledger,
  sessions: readonly Pick<SessionToDelete, 'uid'>[],
): CitingFile[] {
  const marks = sessions.map(({ uid }) => sessionMark(uid))
  return articleFiles(ledger).filter(({ content }) => marks.some((mark) => content.includes(mark)))
}

function articleFiles(ledger: Ledger): CitingFile[] {
  return articleRows(ledger).flatMap((row) => {
    const content = readIfFile(ledger.layout.vault, fileOf(row.path))
    return content ? [{ ...row, content }] : []
  })
}

export function readIfFile(folder: string, path: string): Buffer | undefined {
  const vault = openVault(folder)
  return statVaultFile(vault, path).kind === 'file' ? readVaultBytes(vault, path) : undefined
}

/**
 * The version that is saved has no evidence of the deleted sessions, neither before nor after. The
 * memory file of a removed memory is removed by the stage that writes these files.
 */
function deleteMemories(ledger: Ledger, change: number, { removed, changed }: DeletionPlan): void {
  for (const memory of removed) {
    removeMemory(ledger, memory.id)
    requeueFile(ledger, memory)
  }
  for (const { before, after } of changed) {
    saveVersion(ledger, change, before.id, { ...before, evidence: after.evidence }, after)
    writeMemory(ledger, after)
  }
}

/** Briefs and articles of these projects, and the days of the journal that the wiki has read. */
function markDependents(ledger: Ledger, { sessions, removed, changed }: DeletionPlan): void {
  const keys = sessions.flatMap(({ project }) => project ?? [])
  const memories = [...removed, ...changed.map(({ after }) => after)].map(({ project }) => project)
  markBriefsStale(ledger, keys)
  addProjectsToCompile(ledger, [...new Set([...keys, ...memories])])
  for (const day of Object.keys(entriesByDay(sessions))) deleteWikiDay(ledger, day)
  makeWikiDue(ledger)
}
