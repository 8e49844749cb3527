// Builds the wiki incrementally. A model, if one may be asked, groups and names the topics of
// projects with new memories; then memories are compiled into articles. A failure leaves the wiki
// unchanged, and the next build continues.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import { messageOf } from '../core/errors.ts'
import { type LockOwner, tryLock } from '../core/lock.ts'
import type { Machine } from '../core/paths.ts'
import type { Zone } from '../core/units.ts'
import { journalDays } from '../journal/read-day.ts'
import type { ModelQuestion, ModelResponse } from '../models/context.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastChangeId } from '../store/memories/files.ts'
import { projectsWithMemories } from '../store/memories/memories.ts'
import { clearProblemsBelow, reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { compiledArticles } from '../store/wiki/compile-inputs.ts'
import {
  addProjectsToCompile,
  projectsConfirmedSince,
  projectsOfChanges,
  projectsOfDays,
  projectsToCompile,
  projectsWithArticles,
  setProjectsToCompile,
} from '../store/wiki/projects-to-compile.ts'
import { saveTopicPlan } from '../store/wiki/topic-plans.ts'
import { articleFolders } from './article.ts'
import { recoverBuild } from './build-recovery.ts'
import { changedDays, type DayChange, saveDay } from './days.ts'
import { detectEdits } from './detect-edits.ts'
import { isIndexDue, lastCompiled, saveCompiled } from './due.ts'
import { commitWikiFiles } from './git.ts'
import { appendToLog, indexPath, writeIndex } from './index-and-log.ts'
import type { ModelReport } from './model/plan-topics.ts'
import { fileOf, type WriteReport, writeArticles } from './write.ts'

export interface BuildContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  machine: Machine
  /** Undefined if no model may be asked. */
  ask?<T>(question: ModelQuestion<T>): Promise<ModelResponse<T>>
}

interface BuildOptions {
  /** Rebuild everything, including articles that a person has deleted. */
  isAll?: boolean
  /** Also recompile what was learned or journaled since then. */
  sinceMs?: number | undefined
  isDryRun?: boolean
  /** A model is asked only about projects with memories since this day. */
  askSinceDay?: string
  onProgress?(done: number, of: number): void
}

export interface BuildReport extends WriteReport {
  /** Days of the journal that were not compiled before. */
  days: string[]
  /** Projects that were compiled; null for global memories. */
  projects: (string | null)[]
  /** Null if no model was asked. */
  model: ModelReport | null
}

type BuildResult = { kind: 'done'; report: BuildReport } | { kind: 'busy'; owner: LockOwner | undefined }

export async function buildWiki(context: BuildContext, options: BuildOptions = {}): Promise<BuildResult> {
  const { ledger, clock } = context
  const locking = tryLock(join(ledger.layout.run, 'wiki.lock'), 'wiki build', clock)
  if (locking.kind === 'busy') return locking
  try {
    return { kind: 'done', report: await build(context, options) }
  } finally {
    locking.release()
  }
}

async function build(context: BuildContext, given: BuildOptions): Promise<BuildReport> {
  const { ledger, clock } = context
  const { vault } = ledger.layout
  const options = { ...given, isAll: given.isAll || isWikiDeleted(vault) }
  const atMs = clock.nowMs()
  const isRecovered = recoverBuild(ledger)
  if (!options.isDryRun) await detectEdits(ledger)
  const change = lastChangeId(ledger)
  const days = changedDays(ledger, { isAll: options.isAll, since: sinceDay(context, options) })
  const report = emptyReport(days)
  const projects = projectsToBuild(context, options, days)
  if (!options.isDryRun) projects.push(...(await askModel(context, options, report)))
  const failed = await compile(context, options, [...new Set(projects)], report)
  if (options.isDryRun) return report
  ledger.transaction(() => {
    for (const day of days) saveDay(ledger, day)
    saveCompiled(ledger, { change, at: atMs })
    // The next build retries what could not be written.
    setProjectsToCompile(ledger, failed)
  })
  if (report.removed.length > 0) {
    const { unlinkAnswers } = await import('./lint/fix.ts')
    await unlinkAnswers(ledger)
  }
  const isIndexThere = existsSync(join(vault, fileOf(indexPath)))
  if (isChanged(report) || isRecovered || isIndexDue(ledger) || !isIndexThere) finish(context, report, atMs)
  return report
}

/** A person who deletes the whole wiki wants it rebuilt. */
function isWikiDeleted(vault: string): boolean {
  const paths = [fileOf(indexPath), ...Object.values(articleFolders)]
  return paths.every((path) => !existsSync(join(vault, path)))
}

/** Returns the projects of which not everything could be written. */
async function compile(
  context: BuildContext,
  { isAll = false, isDryRun = false, onProgress }: BuildOptions,
  projects: readonly (string | null)[],
  report: BuildReport,
): Promise<(string | null)[]> {
  if (projects.length === 0) return []
  const { ledger, zone } = context
  const [{ compileProject }, { articlePathsIn, loadProjectInput }] = await Promise.all([
    import('./compile/compile.ts'),
    import('./compile/load-input.ts'),
  ])
  report.projects = [...projects]
  if (!isDryRun) {
    addProjectsToCompile(ledger, projects)
    commitWiki(context, 'What people wrote')
  }
  const rows = compiledArticles(ledger)
  const compiled = isAll ? rows.map((row) => ({ ...row, isDeleted: false })) : rows
  // The path of a deleted article stays reserved for its topic.
  const paths = new Set([...articlePathsIn(ledger.layout), ...rows.map(({ path }) => path)])
  const written = new Set(journalDays(ledger.layout))
  const failed: (string | null)[] = []
  for (const [done, project] of projects.entries()) {
    const input = loadProjectInput(ledger, project, { zone, written, compiled, paths })
    // Text about a memory that was forgotten or deleted must not stay in the ledger.
    if (!isDryRun) saveTopicPlan(ledger, project, input.plan)
    const articles = compileProject(input)
    for (const { path } of articles) paths.add(path)
    const wanted = new Set(articles.map(({ path }) => path))
    const vanished = input.articles.map(({ path }) => path).filter((path) => !wanted.has(path))
    const result = await writeArticles({ ledger }, { articles, vanished, isAll, isDryRun, keepsBacklinks: true })
    if (result.problems.length > 0) failed.push(project)
    addToReport(report, result)
    onProgress?.(done + 1, projects.length)
  }
  return failed
}

function projectsToBuild(
  { ledger }: BuildContext,
  options: BuildOptions,
  days: readonly DayChange[],
): (string | null)[] {
  const compiled = lastCompiled(ledger)
  // Including projects without memories: their articles are removed.
  if (options.isAll || !compiled)
    return [...new Set([...projectsWithMemories(ledger), ...projectsWithArticles(ledger)])]
  const changed = projectsOfChanges(ledger, compiled.change)
  const journaled = projectsOfDays(
    ledger,
    days.map(({ day }) => day),
  )
  const confirmed = options.sinceMs === undefined ? [] : projectsConfirmedSince(ledger, isoTime(options.sinceMs))
  return [...new Set([...projectsToCompile(ledger), ...changed, ...journaled, ...confirmed])]
}

function sinceDay({ zone }: BuildContext, { sinceMs }: BuildOptions): string | undefined {
  return sinceMs === undefined ? undefined : zone.day(isoTime(sinceMs))
}

/** Returns the projects whose topics a model has changed. */
async function askModel(
  context: BuildContext,
  { askSinceDay }: BuildOptions,
  report: BuildReport,
): Promise<(string | null)[]> {
  const { ask } = context
  if (!ask) return []
  const { planTopics } = await import('./model/plan-topics.ts')
  report.model = await planTopics({ ...context, ask }, { sinceDay: askSinceDay ?? '' })
  return report.model?.projects ?? []
}

/** Writes the index last: after a kill, it is still marked as due. */
function finish(context: BuildContext, report: BuildReport, atMs: number): void {
  const { ledger } = context
  writeIndex({ ledger })
  const says = (['created', 'updated', 'removed'] as const).filter((name) => report[name].length > 0)
  if (says.length > 0)
    appendToLog(
      { ledger },
      { what: 'build', atMs, says: says.map((name) => [`${report[name].length} ${name}`, report[name]]) },
    )
  commitWiki(context, `Build: ${says.map((name) => `${report[name].length} ${name}`).join(', ') || 'index'}`)
}

function commitWiki({ ledger, machine }: BuildContext, message: string): void {
  commitWikiFiles({ vault: ledger.layout.vault, env: machine.env }, message)
}

function emptyReport(days: readonly DayChange[]): BuildReport {
  return {
    created: [],
    updated: [],
    removed: [],
    problems: [],
    days: days.map(({ day }) => day),
    projects: [],
    model: null,
  }
}

/** An article that was created and then updated in one build counts as created. */
function addToReport(report: BuildReport, { created, updated, removed, problems }: WriteReport): void {
  report.created.push(...created)
  report.updated.push(...updated.filter((path) => !report.created.includes(path) && !report.updated.includes(path)))
  report.removed.push(...removed)
  report.problems.push(...problems)
}

function isChanged({ created, updated, removed }: BuildReport): boolean {
  return created.length + updated.length + removed.length > 0
}

/**
 * Builds as a stage of a sweep: asks a model only about recent days, and reports what cannot be
 * written instead of ending the sweep. Returns how many articles were written or removed.
 */
export async function buildInSweep(context: BuildContext & { config: Config }): Promise<number> {
  const { ledger, clock, zone, config } = context
  const path = join(ledger.layout.vault, 'wiki')
  const askSinceDay = zone.day(isoTime(clock.nowMs() - config.learn.freshDays * 86_400_000))
  try {
    const build = await buildWiki(context, { askSinceDay })
    if (build.kind === 'busy') return 0
    const { created, updated, removed, problems } = build.report
    clearProblemsBelow(ledger, path)
    for (const problem of problems)
      reportBuildProblem(context, join(ledger.layout.vault, `${problem.path}.md`), problem.reason)
    return created.length + updated.length + removed.length
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).syscall) throw error
    reportBuildProblem(context, path, messageOf(error))
    return 0
  }
}

function reportBuildProblem({ ledger, clock }: BuildContext, path: string, reason: string): void {
  reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: isoTime(clock.nowMs()) })
}
