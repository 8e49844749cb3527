// Checks the wiki in the vault. With `fix`, fixes what needs no judgement and checks again; a
// finding that does not reappear counts as fixed.
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
import { checks, type LintFinding, type Severity } from './finding.ts'
import {
  brokenLinks,
  longSummaries,
  manySources,
  missingBacklinks,
  orphanPages,
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

interface LintContext {
  ledger: Ledger
  layout: Layout
  clock: Clock
  zone: Zone
  /** Undefined if no model may be asked. */
  ask?: AskModel
}

interface LintOptions {
  fix?: boolean
  /** Skip the checks that need a model. */
  isStructuralOnly?: boolean
  /** Called once if another process holds the lock. */
  onWait?(owner?: LockOwner): void
}

export async function lintWiki(context: LintContext, options: LintOptions = {}): Promise<LintReport> {
  const { clock, zone, ask } = context
  const { wiki, left, fixed } = await withWikiLock(context, options, () => checkAndFix(context, options))
  const asked = ask && !options.isStructuralOnly ? await findContradictions(wiki, ask) : null
  const findings = sortFindings([...left, ...fixed, ...(asked?.findings ?? [])])
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

/** Structural findings without a lock, a report or a model; a build that runs may cause some. */
export async function checkWiki(ledger: Ledger): Promise<Pick<LintReport, 'articles' | 'findings' | 'counts'>> {
  const wiki = await readWiki(ledger.layout)
  const findings = sortFindings(structuralFindings(wiki, ledger))
  return { articles: wiki.pages.size, findings, counts: countsOf(findings) }
}

/** Without articles there is nothing to fix and no report to write. */
function hasContent({ pages, rows }: LintedWiki): boolean {
  return pages.size + rows.length > 0
}

/** Waits for a running build, whose partial result would have findings. */
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
  fixed: LintFinding[]
}

async function checkAndFix({ ledger, layout }: LintContext, { fix }: LintOptions): Promise<LintResult> {
  recoverBuild(ledger)
  const wiki = await readWiki(layout)
  const before = structuralFindings(wiki, ledger)
  if (!fix || !hasContent(wiki)) return { wiki, left: before, fixed: [] }
  const { fixWiki } = await import('./fix.ts')
  await fixWiki(ledger, wiki)
  const after = await readWiki(layout)
  const left = structuralFindings(after, ledger)
  return { wiki: after, left, fixed: fixedFindings(left, before) }
}

function structuralFindings(wiki: LintedWiki, ledger: Ledger): LintFinding[] {
  const fileChecks = [
    brokenLinks,
    badHeads,
    missingSources,
    badConnections,
    rowsWithoutArticle,
    duplicateNames,
    unsourcedStatements,
    unindexedArticles,
    orphanPages,
    missingBacklinks,
    weakConnectivity,
    sparseArticles,
    longSummaries,
    manySources,
  ]
  return [...fileChecks.flatMap((check) => check(wiki)), ...staleArticles(wiki, ledger)]
}

/** Compares findings without line numbers, which change when a line above is fixed. */
function fixedFindings(left: readonly LintFinding[], before: readonly LintFinding[]): LintFinding[] {
  const keyOf = ({ check, path, message }: LintFinding) => `${check}\n${path}\n${message}`
  const again = new Map<string, number>()
  for (const finding of left) again.set(keyOf(finding), (again.get(keyOf(finding)) ?? 0) + 1)
  return before.flatMap((finding) => {
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

/** Returns null if the report cannot be written; the findings are still returned. */
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
