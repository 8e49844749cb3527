// The checks of lint and their severities: an error is definitely wrong, a warning needs a person
// or another build, a suggestion improves the wiki.

export type Severity = 'error' | 'warning' | 'suggestion'

/** In the order of a report. */
export const checks = {
  'broken-link': { severity: 'error', title: 'Broken links' },
  'bad-head': { severity: 'error', title: 'Missing, invalid or incomplete heads' },
  'no-source': { severity: 'error', title: 'Articles without a source' },
  'bad-connection': { severity: 'error', title: 'Connections of fewer than two concepts' },
  'row-without-article': { severity: 'error', title: 'Rows of the index without an article' },
  contradiction: { severity: 'warning', title: 'Statements that contradict each other' },
  'stale-article': { severity: 'warning', title: 'Articles older than their sources' },
  'duplicate-article': { severity: 'warning', title: 'Articles with the same name' },
  'unsourced-statement': { severity: 'warning', title: 'Statements without a source' },
  'unindexed-article': { severity: 'warning', title: 'Articles that the index does not list' },
  'orphan-page': { severity: 'warning', title: 'Articles that no other article links to' },
  'missing-backlink': { severity: 'suggestion', title: 'Missing backlinks' },
  'weak-connectivity': { severity: 'suggestion', title: 'Articles with links to fewer than two pages' },
  'sparse-article': { severity: 'suggestion', title: 'Articles of fewer than 200 words' },
  'long-summary': { severity: 'suggestion', title: 'Summaries in the index of more than 200 characters' },
  'many-sources': { severity: 'suggestion', title: 'Rows of the index with more than three sources' },
} as const satisfies Readonly<Record<string, { severity: Severity; title: string }>>

export type LintCheck = keyof typeof checks

export interface LintFinding {
  check: LintCheck
  severity: Severity
  /** Below the vault, without extension. */
  path: string
  /** Line of the file; null for the whole file. */
  line: number | null
  message: string
  isFixed: boolean
}

export function newFinding(check: LintCheck, path: string, line: number | null, message: string): LintFinding {
  return { check, severity: checks[check].severity, path, line, message, isFixed: false }
}
