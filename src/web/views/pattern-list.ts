// Recurring problems and successes by the decision about them.
import { plural } from '../../core/units.ts'
import { type Html, html, joinHtml, renderProse } from '../../html/html.ts'
import { againLines, seenText, timesSeen } from '../../patterns/describe.ts'
import { createDraft } from '../../patterns/review/draft.ts'
import type { Pattern } from '../../patterns/types.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { agentDot } from '../components.ts'
import { type ListedPattern, loadPatterns, type PatternTab, patternTabs } from '../pattern-data.ts'
import { type PageRequest, type PageResult, type PageRoute, urlWith } from '../request.ts'

export const patternListRoutes: PageRoute[] = [{ method: 'GET', path: '/patterns', handle: patternList }]

const tabNames: Readonly<Record<PatternTab, string>> = {
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
  later: 'Later',
  retired: 'Retired',
  other: 'Not proposed',
}

async function patternList(request: PageRequest): Promise<PageResult> {
  const { query } = request
  const { listed, problems } = await loadPatterns(request)
  const tab = patternTabs.find((each) => each === query.get('state')) ?? 'open'
  const shown = listed.filter((each) => each.tab === tab)
  const names = projectNames(request.ledger)
  const sections = (['problem', 'success'] as const).map((polarity) => ({
    polarity,
    own: shown.filter((each) => polarityOf(each) === polarity).slice(0, maxShown),
  }))
  const main = html`<div class="head"><h1>Patterns</h1><span class="quiet">${plural(listed.length, 'pattern')} across sessions</span></div>
${problems.map(({ file, line, reason }) => html`<p class="notice notice-warn">${file}, line ${line}: ${reason}</p>`)}
<nav class="tabs pattern-tabs" aria-label="Decision">${patternTabs.map((each) => tabLink(request, each, tab, listed))}</nav>
${
  shown.length === 0
    ? html`<p class="empty">${emptyText(tab, listed.length)}</p>`
    : sections.map(
        ({ polarity, own }) =>
          own.length > 0 &&
          html`<section><h2 class="day">${polarity === 'problem' ? 'Problems' : 'What works'}</h2><ul class="rows">${own.map((each) => patternRow(request, each, names))}</ul></section>`,
      )
}`
  return { kind: 'page', title: 'Patterns', section: 'patterns', main }
}

/** More are not decided in one go; the others follow when these are. */
const maxShown = 60

function polarityOf({ pattern, practice }: ListedPattern): Pattern['polarity'] {
  return pattern?.polarity ?? practice?.pattern?.polarity ?? 'problem'
}

function tabLink(request: PageRequest, tab: PatternTab, current: PatternTab, listed: readonly ListedPattern[]): Html {
  const count = listed.filter((each) => each.tab === tab).length
  return html`<a href="${urlWith(request, { state: tab === 'open' ? undefined : tab })}"${tab === current && html` aria-current="true"`}>${tabNames[tab]} <span class="count">${count}</span></a>`
}

function emptyText(tab: PatternTab, listed: number): Html {
  if (listed === 0) return html`No patterns yet. To find some: <code>recollect patterns detect</code>`
  return tab === 'open' ? html`Nothing to decide.` : html`None.`
}

function patternRow(request: PageRequest, listed: ListedPattern, names: ReadonlyMap<string, string>): Html {
  const { id, pattern, practice, standing } = listed
  const title = pattern?.title ?? practice?.title ?? id
  const rule = practice?.rule ?? (pattern ? createDraft(pattern).rule : '')
  const facts = [
    pattern && seenText({ ...pattern, crossAgent: true }, { zone: request.app.zone, names }),
    ...(standing ? againLines(standing, request.app.zone) : []),
  ]
  return html`<li data-row><div class="split"><span class="row"><a class="title" href="/patterns/${encodeURIComponent(id)}">${renderProse(title)}</a>${pattern && crossAgentMark(pattern)}</span>${pattern && html`<span class="num">${plural(timesSeen(pattern), 'time')}</span>`}</div>
<div class="meta">${pattern && agentList(request, pattern)}<span>${joinHtml(facts, ' · ')}</span></div>
<p class="about rule">${renderProse(rule.slice(0, 300))}</p></li>
`
}

export function crossAgentMark({ crossAgent, agents }: Pattern): Html | undefined {
  return crossAgent ? html`<span class="chip accent">across ${agents.length} agents</span>` : undefined
}

const maxAgents = 6

export function agentList(request: PageRequest, { agents }: Pick<Pattern, 'agents'>): Html {
  const rest = agents.length - maxAgents
  return html`${agents.slice(0, maxAgents).map((agent) => agentDot(request, agent))}${rest > 0 && html`<span>${rest} more</span>`}`
}
