// Findings of the checks of the wiki, computed when they are asked for: all files are read.
import { plural } from '../../core/units.ts'
import { type Html, html } from '../../html/html.ts'
import { checks, type LintCheck, type LintFinding } from '../../wiki/lint/finding.ts'
import { checkWiki } from '../../wiki/lint/lint.ts'
import { countsText } from '../../wiki/lint/report.ts'
import type { PageRequest, PageResult, PageRoute } from '../request.ts'
import { urlOfArticle } from '../vault-links.ts'

export const wikiLintRoutes: PageRoute[] = [{ method: 'GET', path: '/wiki/lint', handle: lintFindings }]

async function lintFindings({ ledger, query, isFragment }: PageRequest): Promise<PageResult> {
  const page = query.get('page')
  const { articles, findings, counts } = await checkWiki(ledger)
  const own = page === null ? findings : findings.filter(({ path }) => path === `wiki/${page}`)
  if (isFragment && page !== null) return { kind: 'fragment', html: pageFindings(own) }
  const found = (Object.keys(checks) as LintCheck[]).flatMap((check) => {
    const some = own.filter((finding) => finding.check === check)
    return some.length === 0 ? [] : checkSection(check, some)
  })
  const about = page === null ? countsText({ counts }) : plural(own.length, 'finding')
  const main = html`<nav class="crumbs" aria-label="Path"><a href="/wiki">Wiki</a>${page !== null && html` / <a href="${urlOfArticle(page)}">${page}</a>`}</nav><div class="head"><h1>Check of the wiki</h1><span class="quiet">${plural(articles, 'article')}: ${about}</span></div>
${found}
<p class="quiet small">Contradictions are looked for by a model: <code>recollect wiki lint</code>. What needs no decision is repaired by <code>recollect wiki lint --fix</code>.</p>`
  return { kind: 'page', title: 'Check of the wiki', section: 'wiki', main }
}

function pageFindings(findings: readonly LintFinding[]): Html {
  if (findings.length === 0) return html`<p class="quiet">Nothing to mend.</p>`
  return html`<ul class="plain-list">${findings.slice(0, maxListed).map(({ check, severity, line, message }) => html`<li>${severityChip(severity)} ${checks[check].title}${lineText(line)}: ${message}</li>`)}</ul>`
}

/** For each check. */
const maxListed = 20

function checkSection(check: LintCheck, findings: readonly LintFinding[]): Html {
  const { title, severity } = checks[check]
  const rest = findings.length - maxListed
  return html`<section class="checked"><h2>${title} ${severityChip(severity)} <span class="quiet">${findings.length}</span></h2><ul class="rows">${findings.slice(0, maxListed).map((finding) => findingRow(finding))}</ul>${rest > 0 && html`<p class="quiet">${rest} more: <code>recollect wiki lint --json</code></p>`}</section>`
}

function findingRow({ path, line, message }: LintFinding): Html {
  const name = path.replace(/^wiki\//, '')
  return html`<li data-row><a class="title" href="${urlOfArticle(path)}">${name}</a><span class="quiet">${lineText(line)}</span><p class="about">${message.slice(0, 300)}</p></li>
`
}

function lineText(line: number | null): string {
  return line === null ? '' : ` line ${line}`
}

function severityChip(severity: LintFinding['severity']): Html {
  const style = { error: 'bad', warning: 'warn', suggestion: '' }[severity]
  return html`<span class="chip ${style}">${severity}</span>`
}
