// wiki: what changed since the last build, compiled into articles. First by rules, from memories and the journal: every statement
// with its source. Then, where a model may be asked, by a model from what was added to the journal: the prose. Whatever fails
// leaves the wiki as it was, and the next build does what is left.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { type Owner, tryLock } from '../core/lock.ts'
import type { Machine } from '../core/machine.ts'
import type { Zone } from '../core/units.ts'
import type { Answer, Question } from '../models/model.ts'
import { articleRows } from '../store/articles.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectsWithMemories } from '../store/memories.ts'
import { newestChange } from '../store/memory-files.ts'
import { forgetNote, readNote, writeNote } from '../store/notes.ts'
import { projectsJournaled, projectsOfChanges, projectsOfDays, projectsSaidIn } from '../store/wiki-changes.ts'
import { type Compiled, lastCompiled, noteCompiled } from './due.ts'
import { checkpoint } from './git.ts'
import { recoverBuild } from './in-flight.ts'
import { indexPath, writeIndex } from './index-file.ts'
import { appendToLog } from './log-file.ts'
import { changedDays, type DayChange, lookAtArticles, settleDay } from './look.ts'
import type { ModelReport } from './model/compile.ts'
import { fileOf, type Written, writeArticles } from './write.ts'

export interface BuildContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  machine: Machine
  /** Given where models may be asked. */
  ask?<T>(question: Question<T>): Promise<Answer<T>>
}

export interface BuildOptions {
  /** Everything anew, also what a person has deleted. */
  isAll?: boolean
  /** What was said or journaled since then, whether or not it was compiled before. */
  sinceMs?: number | undefined
  isDryRun?: boolean
  /** A model is asked only about this day and later ones. */
  askSinceDay?: string
  onProgress?(done: number, of: number): void
}

export interface BuildReport extends Written {
  /** Days of the journal that were not compiled before. */
  days: string[]
  /** Projects that were compiled; null for what holds everywhere. */
  projects: (string | null)[]
  /** What came of asking a model; null where none was asked. */
  model: ModelReport | null
}

export type Build = { kind: 'done'; report: BuildReport } | { kind: 'busy'; owner: Owner | undefined }

export async function buildWiki(context: BuildContext, options: BuildOptions = {}): Promise<Build> {
  const { ledger, clock } = context
  const locking = tryLock(join(ledger.layout.run, 'wiki.lock'), 'wiki build', clock)
  if (locking.kind === 'busy') return locking
  try {
    return { kind: 'done', report: await build(context, options) }
  } finally {
    locking.release()
  }
}

const unfinishedNote = 'wiki index is due'

async function build(context: BuildContext, wish: BuildOptions): Promise<BuildReport> {
  const { ledger, clock } = context
  // Who removed the whole wiki wants another one.
  const options = { ...wish, isAll: wish.isAll || !existsSync(join(ledger.layout.vault, fileOf(indexPath))) }
  const atMs = clock.nowMs()
  const isAgain = recoverBuild(ledger)
  const people = options.isDryRun ? { changed: 0 } : await lookAtArticles(ledger)
  const change = newestChange(ledger)
  const days = changedDays(ledger, { isAll: options.isAll, since: sinceDay(context, options) })
  const projects = projectsToCompile(context, options, days)
  const report = nothing(days, projects)
  const isIndexDue = isAgain || people.changed > 0 || readNote(ledger, unfinishedNote) !== undefined
  if (projects.length > 0 && !options.isDryRun) checkpointNow(context, 'What people wrote')
  for (const [done, project] of projects.entries()) {
    add(report, await compileOne(context, project, options))
    options.onProgress?.(done + 1, projects.length)
  }
  if (options.isDryRun) return report
  settle(context, days, { change, at: atMs })
  await askModel(context, options, report)
  if (isChanged(report) || isIndexDue) finish(context, report, atMs)
  return report
}

async function compileOne(
  { ledger }: BuildContext,
  project: string | null,
  { isAll = false, isDryRun = false }: BuildOptions,
): Promise<Written> {
  const [{ compileProject }, { loadProject }] = await Promise.all([
    import('./compile/compile.ts'),
    import('./compile/load.ts'),
  ])
  const articles = compileProject(loadProject(ledger, ledger.layout, project))
  const wanted = new Set(articles.map(({ path }) => path))
  const vanished = articleRows(ledger, project)
    .filter(({ kind, topic, path }) => kind === 'concept' && topic !== null && !wanted.has(path))
    .map(({ path }) => path)
  return writeArticles({ ledger }, { articles, vanished, isAll, isDryRun, isByRules: true }, () =>
    writeNote(ledger, unfinishedNote, true),
  )
}

function projectsToCompile(
  { ledger }: BuildContext,
  options: BuildOptions,
  days: readonly DayChange[],
): (string | null)[] {
  if (options.isAll) return [...new Set([...projectsWithMemories(ledger), ...projectsJournaled(ledger)])]
  const changed = projectsOfChanges(ledger, lastCompiled(ledger)?.change ?? 0)
  const told = projectsOfDays(
    ledger,
    days.map(({ day }) => day),
  )
  const asked = options.sinceMs === undefined ? [] : projectsSaidIn(ledger, isoTime(options.sinceMs))
  return [...new Set([...changed, ...told, ...asked])]
}

function sinceDay({ zone }: BuildContext, { sinceMs }: BuildOptions): string | undefined {
  return sinceMs === undefined ? undefined : zone.day(isoTime(sinceMs))
}

function settle({ ledger }: BuildContext, days: readonly DayChange[], compiled: Compiled): void {
  ledger.transaction(() => {
    for (const day of days) settleDay(ledger, day)
    noteCompiled(ledger, compiled)
  })
}

/** What a model has not read yet, also of days that were compiled before there was one. */
async function askModel(context: BuildContext, { askSinceDay }: BuildOptions, report: BuildReport): Promise<void> {
  const { ask, ledger } = context
  if (!ask) return
  const { compileByModel, daysToAsk } = await import('./model/compile.ts')
  const days = daysToAsk(ledger, askSinceDay)
  if (days.length === 0) return
  report.model = await compileByModel(
    { ...context, ask },
    { days, write: async (articles, settle) => add(report, await writeArticles({ ledger }, { articles }, settle)) },
  )
}

/** The index and the log come last: who is killed before leaves a note that they are due. */
function finish(context: BuildContext, report: BuildReport, atMs: number): void {
  const { ledger } = context
  writeIndex({ ledger })
  const says = (['created', 'updated', 'removed'] as const).filter((name) => report[name].length > 0)
  if (says.length > 0)
    appendToLog(
      { ledger },
      { what: 'build', atMs, says: says.map((name) => [`${report[name].length} ${name}`, report[name]]) },
    )
  checkpointNow(context, `Build: ${says.map((name) => `${report[name].length} ${name}`).join(', ') || 'index'}`)
  forgetNote(ledger, unfinishedNote)
}

function checkpointNow({ ledger, machine }: BuildContext, message: string): void {
  checkpoint({ vault: ledger.layout.vault, env: machine.env }, message)
}

function nothing(days: readonly DayChange[], projects: (string | null)[]): BuildReport {
  return {
    created: [],
    updated: [],
    removed: [],
    problems: [],
    days: days.map(({ day }) => day),
    projects,
    model: null,
  }
}

/** What was created and then updated in one build was created. */
function add(report: BuildReport, { created, updated, removed, problems }: Written): void {
  report.created.push(...created)
  report.updated.push(...updated.filter((path) => !report.created.includes(path) && !report.updated.includes(path)))
  report.removed.push(...removed)
  report.problems.push(...problems)
}

function isChanged({ created, updated, removed }: BuildReport): boolean {
  return created.length + updated.length + removed.length > 0
}
