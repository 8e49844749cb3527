// Checks the wiki as it lies in the vault. With `fix`, what can be put right without judgement is, and everything is looked at once
// more: fixed is what is not found again.
import { join } from 'node:path'
import { type Clock, isoTime } from '../../core/clock.ts'
import { type LockOwner, waitForLock } from '../../core/lock.ts'
import type { Layout } from '../../core/paths.ts'
import type { Zone } from '../../core/units.ts'
import { openVault, writeVaultFile } from '../../core/vault/files.ts'
import type { AskModel } from '../../journal/context.ts'
import type { Ledger } from '../../store/ledger.ts'
import { recoverBuild } from '../build-recovery.ts'
import { appendToLog } from '../index-and-log.ts'
import { findContradictions } from './contradictions.ts'
import { checks, type LintCheck, type LintFinding, type Severity } from './finding.ts'
import {
  brokenLinks,
  longSummaries,
  manySources,
  missingBacklinks,
  orphanPages,
  orphanSources,
  rowsWithoutArticle,
  staleArticles,
  unindexedArticles,
  weakConnectivity,
} from './link-checks.ts'
import {
  badConnections,
  badHeads,
  duplicateNames,
  missingSources,
  sparseArticles,
  unsourcedStatements,
} from './page-checks.ts'
import { type LintedWiki, readWiki } from './read-wiki.ts'
import { countsText, type LintReport, renderReport } from './report.ts'

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
  const { wiki, left, mended } = await withWikiLock(context, options, () => checkAndFix(context, options))
  const asked = ask && !options.isStructuralOnly ? await findContradictions(wiki, ask) : null
  const findings = sortFindings([...left, ...mended, ...(asked?.findings ?? [])])
  const report: LintReport = {
    day: zone.day(isoTime(clock.nowMs())),
    articles: wiki.pages.size,
    days: wiki.days.length,
    findings,
    counts: countsOf(findings),
    contradictions: asked && { questions: asked.questions, left: asked.left, problem: asked.problem },
    path: null,
  }
  return hasContent(wiki)
    ? { ...report, path: await withWikiLock(context, options, () => writeReport(context, report)) }
    : report
}

/** Where nothing was built there is nothing to mend or to write down. */
function hasContent({ pages, rows }: LintedWiki): boolean {
  return pages.size + rows.length > 0
}

/** A build that is half done would be found at fault. */
async function withWikiLock<T>(
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

interface LintResult {
  wiki: LintedWiki
  left: LintFinding[]
  mended: LintFinding[]
}

async function checkAndFix({ ledger, layout }: LintContext, { fix }: LintOptions): Promise<LintResult> {
  recoverBuild(ledger)
  const wiki = await readWiki(layout)
  const wrong = structuralFindings(wiki, ledger)
  if (!fix || !hasContent(wiki)) return { wiki, left: wrong, mended: [] }
  const { fixWiki } = await import('./fix.ts')
  await fixWiki(ledger, wiki)
  const after = await readWiki(layout)
  const left = structuralFindings(after, ledger)
  return { wiki: after, left, mended: fixedFindings(left, wrong) }
}

function structuralFindings(wiki: LintedWiki, ledger: Ledger): LintFinding[] {
  const ofTheFiles = [
    brokenLinks,
    badHeads,
    missingSources,
    badConnections,
    rowsWithoutArticle,
    duplicateNames,
    unsourcedStatements,
    unindexedArticles,
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
const byDegree: ReadonlySet<LintCheck> = new Set(['weak-connectivity', 'sparse-article'])

/** Lines move when something above them is put right, so they do not tell findings apart. */
function fixedFindings(left: readonly LintFinding[], wrong: readonly LintFinding[]): LintFinding[] {
  const keyOf = ({ check, path, message }: LintFinding) => `${check}\n${path}\n${byDegree.has(check) ? '' : message}`
  const again = new Map<string, number>()
  for (const finding of left) again.set(keyOf(finding), (again.get(keyOf(finding)) ?? 0) + 1)
  return wrong.flatMap((finding) => {
    const times = again.get(keyOf(finding)) ?? 0
    again.set(keyOf(finding), times - 1)
    return times > 0 ? [] : { ...finding, isFixed: true }
  })
}

function sortFindings(findings: readonly LintFinding[]): LintFinding[] {
  const place = new Map(Object.keys(checks).map((check, at) => [check, at]))
  return findings.toSorted(
    (a, b) =>
      place.get(a.check)! - place.get(b.check)! ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0)),
  )
}

function countsOf(findings: readonly LintFinding[]): LintReport['counts'] {
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
