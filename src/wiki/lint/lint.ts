// Checks the wiki as it lies in the vault. With `fix`, what can be put right without judgement is, and everything is looked at once
// more: fixed is what is not found again.
import { join } from 'node:path'
import { type Clock, isoTime } from '../../core/clock.ts'
import { type LockOwner, waitForLock } from '../../core/lock.ts'
import type { Layout } from '../../core/paths.ts'
import type { Zone } from '../../core/units.ts'
import { openVault, writeVaultFile } from '../../core/vault.ts'
import type { AskModel } from '../../journal/context.ts'
import type { Ledger } from '../../store/ledger.ts'
import { recoverBuild } from '../in-flight.ts'
import { appendToLog } from '../log-file.ts'
import { contradictions } from './contradictions.ts'
import { type Check, checks, type Finding, type Severity } from './finding.ts'
import { badConnections, badHeads, duplicates, withoutSource } from './heads.ts'
import { longSummaries, manySources, rowsWithoutArticle, unindexed } from './index-checks.ts'
import { brokenLinks, missingBacklinks, orphanPages, weakConnectivity } from './links.ts'
import { readWiki, type Wiki } from './read-wiki.ts'
import { countsText, type LintReport, renderReport } from './report.ts'
import { orphanSources, staleArticles } from './sources.ts'
import { sparseArticles, unsourcedStatements } from './texts.ts'

export interface LintContext {
  ledger: Ledger
  layout: Layout
  clock: Clock
  zone: Zone
  /** Given where models may be asked. */
  ask?: AskModel
}

export interface LintOptions {
  fix?: boolean
  /** Only what no model is needed for. */
  isStructuralOnly?: boolean
  /** Told once who has the wiki. */
  onWait?(owner?: LockOwner): void
}

export async function lintWiki(context: LintContext, options: LintOptions = {}): Promise<LintReport> {
  const { clock, zone, ask } = context
  const { wiki, left, mended } = await locked(context, options, () => looked(context, options))
  const asked = ask && !options.isStructuralOnly ? await contradictions(wiki, ask) : null
  const findings = inOrder([...left, ...mended, ...(asked?.findings ?? [])])
  const report: LintReport = {
    day: zone.day(isoTime(clock.nowMs())),
    articles: wiki.pages.size,
    days: wiki.days.length,
    findings,
    counts: countsOf(findings),
    contradictions: asked && { questions: asked.questions, left: asked.left, problem: asked.problem },
    path: null,
  }
  return isThere(wiki)
    ? { ...report, path: await locked(context, options, () => writeReport(context, report)) }
    : report
}

/** Where nothing was built there is nothing to mend or to write down. */
function isThere({ pages, rows }: Wiki): boolean {
  return pages.size + rows.length > 0
}

/** A build that is half done would be found at fault. */
async function locked<T>(
  { layout, clock }: LintContext,
  { onWait = () => {} }: LintOptions,
  work: () => T,
): Promise<Awaited<T>> {
  const release = await waitForLock(join(layout.run, 'wiki.lock'), 'wiki lint', clock, onWait)
  try {
    return await work()
  } finally {
    release()
  }
}

interface Looked {
  wiki: Wiki
  left: Finding[]
  mended: Finding[]
}

async function looked({ ledger, layout }: LintContext, { fix }: LintOptions): Promise<Looked> {
  recoverBuild(ledger)
  const wiki = await readWiki(layout)
  const wrong = structural(wiki, ledger)
  if (!fix || !isThere(wiki)) return { wiki, left: wrong, mended: [] }
  const { fixWiki } = await import('./fix.ts')
  await fixWiki(ledger, wiki)
  const after = await readWiki(layout)
  const left = structural(after, ledger)
  return { wiki: after, left, mended: notIn(left, wrong) }
}

function structural(wiki: Wiki, ledger: Ledger): Finding[] {
  const ofTheFiles = [
    brokenLinks,
    badHeads,
    withoutSource,
    badConnections,
    rowsWithoutArticle,
    duplicates,
    unsourcedStatements,
    unindexed,
    orphanPages,
    orphanSources,
    missingBacklinks,
    weakConnectivity,
    sparseArticles,
    longSummaries,
    manySources,
  ]
  return [...ofTheFiles.flatMap((check) => check(wiki)), ...staleArticles(wiki, ledger)]
}

/** Less of these is still the same finding, in other words. */
const byDegree: ReadonlySet<Check> = new Set(['weak-connectivity', 'sparse-article'])

/** Lines move when something above them is put right, so they do not tell findings apart. */
function notIn(left: readonly Finding[], wrong: readonly Finding[]): Finding[] {
  const keyOf = ({ check, path, message }: Finding) => `${check}\n${path}\n${byDegree.has(check) ? '' : message}`
  const again = new Map<string, number>()
  for (const finding of left) again.set(keyOf(finding), (again.get(keyOf(finding)) ?? 0) + 1)
  return wrong.flatMap((finding) => {
    const times = again.get(keyOf(finding)) ?? 0
    again.set(keyOf(finding), times - 1)
    return times > 0 ? [] : { ...finding, isFixed: true }
  })
}

function inOrder(findings: readonly Finding[]): Finding[] {
  const place = new Map(Object.keys(checks).map((check, at) => [check, at]))
  return findings.toSorted(
    (a, b) =>
      place.get(a.check)! - place.get(b.check)! ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0)),
  )
}

function countsOf(findings: readonly Finding[]): LintReport['counts'] {
  const left = (wanted: Severity) => findings.filter(({ severity, isFixed }) => severity === wanted && !isFixed).length
  return {
    error: left('error'),
    warning: left('warning'),
    suggestion: left('suggestion'),
    fixed: findings.filter(({ isFixed }) => isFixed).length,
  }
}

/** What was found is told also where it cannot be written down. */
function writeReport({ ledger, layout, clock }: LintContext, report: LintReport): string | null {
  const path = `wiki/reports/lint-${report.day}.md`
  try {
    if (writeVaultFile(openVault(layout.vault), path, renderReport(report)) === undefined) return null
    appendToLog({ ledger }, { what: 'lint', atMs: clock.nowMs(), says: [[countsText(report), []]] })
    return path
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).syscall) throw error
    return null
  }
}
