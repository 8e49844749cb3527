// Renders the lint report as a page of the vault. Quoted text is untrusted and escaped.
import { plural } from '../../core/units.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import { wikilink } from '../links.ts'
import { checks, type LintCheck, type LintFinding, type Severity } from './finding.ts'

export interface LintReport {
  /** In the time zone of the user. */
  day: string
  articles: number
  /** Number of journal days. */
  days: number
  findings: LintFinding[]
  /** Open findings by severity, and the number of fixed ones. */
  counts: Record<Severity, number> & { fixed: number }
  /** Null if no model was asked. */
  contradictions: { questions: number; left: number; problem: string | null } | null
  /** Path of the report; null if it could not be written. */
  path: string | null
}

/** Per check; the JSON output lists all findings. */
const maxListed = 200

export function renderReport(report: LintReport): string {
  const { day, findings, articles, days } = report
  const parts = (Object.keys(checks) as LintCheck[]).flatMap((check) => {
    const own = findings.filter((finding) => finding.check === check)
    return own.length === 0 ? [] : checkSection(check, own)
  })
  const looked = `${plural(articles, 'article')}, ${plural(days, 'day')} of the journal: ${countsText(report)}.`
  return `${[`# Lint ${day}`, looked, ...modelLine(report), ...parts].join('\n\n')}\n`
}

/** `2 errors, 1 warning, 3 suggestions; 4 fixed`. */
export function countsText({ counts }: Pick<LintReport, 'counts'>): string {
  const left = (['error', 'warning', 'suggestion'] as const).filter((severity) => counts[severity] > 0)
  const open = left.map((severity) => plural(counts[severity], severity)).join(', ') || 'nothing to mend'
  return counts.fixed === 0 ? open : `${open}; ${counts.fixed} fixed`
}

function modelLine({ contradictions }: LintReport): string[] {
  if (!contradictions) return ['No model was asked whether articles contradict each other.']
  const { questions, left, problem } = contradictions
  if (problem !== null) return [`Contradictions were not looked for everywhere: ${escapeMarkdown(problem, 300)}.`]
  const asked = `A model was asked about contradictions ${questions === 1 ? 'once' : `${questions} times`}`
  return [left === 0 ? `${asked}.` : `${asked}; ${plural(left, 'group')} of articles are left for the next run.`]
}

function checkSection(check: LintCheck, findings: readonly LintFinding[]): string {
  const { title, severity } = checks[check]
  const fixed = findings.filter(({ isFixed }) => isFixed).length
  const counts = [plural(findings.length - fixed, severity), ...(fixed > 0 ? [`${fixed} fixed`] : [])]
  const lines = findings.slice(0, maxListed).map(lineOf)
  const more = findings.length - lines.length
  const rest = more > 0 ? [`- and ${more} more: \`recollect wiki lint --json\``] : []
  return [`## ${title} (${counts.join(', ')})`, '', ...lines, ...rest].join('\n')
}

function lineOf({ path, line, message, isFixed }: LintFinding): string {
  const place = line === null ? '' : ` line ${line}`
  return `- ${isFixed ? 'fixed: ' : ''}${wikilink(path)}${place}: ${escapeMarkdown(message, 600)}`
}
