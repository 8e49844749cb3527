// The list of sessions with filters in the address. Subagents are below the session that started
// them, and their cost is included in it. A session that ran over midnight is listed on both days.
import { importedAgents, shortId } from '../../core/session.ts'
import { formatCount, formatUsd, plural } from '../../core/units.ts'
import { activityKinds } from '../../digest/activity.ts'
import { outcomes } from '../../digest/outcome.ts'
import { type Html, html } from '../../html/html.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectsByName } from '../../store/sessions/projects.ts'
import { sessionsMentioning } from '../../store/sessions/session-facts.ts'
import { childrenOf, type SessionView, sessionsByNumber } from '../../store/sessions/sessions.ts'
import type { ActivityIndex, SessionActivity } from '../activity.ts'
import { agentDot, outcomeChip, pagerOf, selectOf, timeOf } from '../components.ts'
import { numberIn, type PageRequest, type PageResult, type PageRoute, urlOfSession, urlWith } from '../request.ts'

export const sessionListRoutes: PageRoute[] = [
  { method: 'GET', path: '/sessions', handle: sessionList },
  { method: 'GET', path: '/sessions/:id/subagents', handle: subagentList },
]

const pageSize = 50

function sessionList(request: PageRequest): PageResult {
  const { ledger, activity, query } = request
  const tree = sessionTree(activity, ledger)
  const entries = tree.entries.filter(matcherOf(request, tree))
  const page = numberIn(query, 'page') ?? 0
  const shown = entries.slice(page * pageSize, (page + 1) * pageSize)
  const views = new Map(
    sessionsByNumber(ledger, [...new Set(shown.map(({ session }) => session.number))]).map((view) => [view.id, view]),
  )
  const days = [...Map.groupBy(shown, ({ day }) => day)]
  const main = html`<div class="head"><h1>Sessions</h1><span class="quiet">${plural(entries.length, 'entry', 'entries')}</span></div>
${filterForm(request)}
<div id="list">${
    entries.length === 0
      ? html`<p class="empty">No session matches. <a href="/sessions">Remove the filters</a></p>`
      : days.map(
          ([day, own]) =>
            html`<section><h2 class="day">${day || 'Without a date'}</h2><ul class="rows">${own.map((entry) => sessionRow(request, entry, views.get(entry.session.id), tree))}</ul></section>`,
        )
  }${pagerOf(request, page, Math.ceil(entries.length / pageSize))}</div>`
  return { kind: 'page', title: 'Sessions', section: 'sessions', main }
}

export interface SessionEntry {
  day: string
  session: SessionActivity
  isContinued: boolean
}

export interface SessionTree {
  /** Main sessions on each of their days, the latest first. */
  entries: SessionEntry[]
  /** By id of the session that started them. */
  children: ReadonlyMap<string, SessionActivity[]>
}

let cached: { activity: ActivityIndex; version: number; tree: SessionTree } | undefined

/** Computed once for each state of the ledger. */
export function sessionTree(activity: ActivityIndex, ledger: Ledger): SessionTree {
  const version = activity.version(ledger)
  if (cached?.activity === activity && cached.version === version) return cached.tree
  const all = [...activity.sessions(ledger)]
  const ids = new Set(all.map(({ id }) => id))
  const isChild = ({ lineage, parent }: SessionActivity) => lineage === 'subagent' && parent !== null && ids.has(parent)
  const children = Map.groupBy(all.filter(isChild), ({ parent }) => parent!)
  const entries = all
    .filter((session) => !isChild(session))
    .flatMap((session) => {
      const days = session.days.length > 0 ? session.days : ['']
      return days.map((day, at) => ({ day, session, isContinued: at < days.length - 1 }))
    })
    .sort((a, b) => compareText(b.day, a.day) || (b.session.endedMs ?? 0) - (a.session.endedMs ?? 0))
  const tree = { entries, children }
  cached = { activity, version, tree }
  return tree
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Cost of a session with its subagents. */
export function totalCost(session: SessionActivity, { children }: SessionTree): number {
  const own = session.usage.reduce((sum, { costUsd }) => sum + costUsd, 0)
  return (children.get(session.id) ?? []).reduce((sum, child) => sum + totalCost(child, { entries: [], children }), own)
}

function matcherOf({ query, ledger }: PageRequest, tree: SessionTree): (entry: SessionEntry) => boolean {
  const value = (name: string) => query.get(name) || undefined
  const [agent, project, outcome, kind] = ['agent', 'project', 'outcome', 'kind'].map(value)
  const [day, from, to] = ['day', 'from', 'to'].map(value)
  const minCost = Number(value('cost') ?? Number.NaN)
  const words = (value('text') ?? '').split(/\s+/).filter(Boolean)
  const mentioned = words.length > 0 ? sessionsMentioning(ledger, words) : undefined
  return (entry) => {
    const { session } = entry
    return (
      (agent === undefined || session.agent === agent) &&
      (project === undefined || session.project === project) &&
      (outcome === undefined || session.outcome === outcome) &&
      (kind === undefined ? session.kind !== 'empty' || session.usage.length > 0 : session.kind === kind) &&
      (day === undefined || entry.day === day) &&
      (from === undefined || entry.day >= from) &&
      (to === undefined || entry.day <= to) &&
      (mentioned === undefined || mentioned.has(session.number)) &&
      (Number.isNaN(minCost) || totalCost(session, tree) >= minCost)
    )
  }
}

const moreFilters = ['kind', 'from', 'to', 'cost', 'day']

function filterForm({ app, ledger, activity, query }: PageRequest): Html {
  const used = activity.agents(ledger)
  const agents = [...app.agents.map(({ id }) => id), ...importedAgents].filter((id) => used.has(id))
  const projects = projectsByName(ledger)
  return html`<form class="filters" method="get" action="/sessions" hx-get="/sessions" hx-trigger="change, input changed delay:250ms from:find input[type=search]" hx-target="#list" hx-select="#list" hx-swap="outerHTML" hx-push-url="true">
<label class="grow">Title, project or folder<input type="search" name="text" value="${query.get('text') ?? ''}" data-key="/" autocomplete="off"></label>
${selectOf('agent', 'Agent', agents, query)}
${selectOf('project', 'Project', projects, query)}
${selectOf('outcome', 'Outcome', outcomes, query)}
<details class="more"${moreFilters.some((name) => query.get(name)) && html` open`}><summary>More filters</summary><div class="row">${selectOf('kind', 'Kind', activityKinds, query)}
<label>From<input type="date" name="from" value="${query.get('from') ?? ''}"></label>
<label>To<input type="date" name="to" value="${query.get('to') ?? ''}"></label>
<label>Cost from, USD<input type="number" name="cost" min="0" step="0.01" value="${query.get('cost') ?? ''}"></label>
<label>On the day<input type="date" name="day" value="${query.get('day') ?? ''}"></label></div></details>
<button>Filter</button> <a class="button ghost" href="/sessions">Reset</a>
</form>`
}

function sessionRow(
  request: PageRequest,
  { session, isContinued }: SessionEntry,
  view: SessionView | undefined,
  tree: SessionTree,
): Html | undefined {
  if (!view) return undefined
  const children = tree.children.get(session.id) ?? []
  const cost = totalCost(session, tree)
  return html`<li data-row><div class="split"><a class="title" href="${urlOfSession(view.id)}">${view.title ?? shortId(view.id)}</a><span class="num">${view.tokens.output === 0 && cost === 0 ? '' : formatUsd(cost, view.isTotalCostLowerBound)}</span></div>
<div class="meta">${agentDot(request, view.agent)}${outcomeChip(view.outcome)}${view.kind !== 'work' && html`<span class="chip">${view.kind}</span>`}<a href="${urlWith(request, { project: view.project ?? undefined, page: undefined })}">${view.projectName}</a><span>${timeOf(request.app.zone, view.started, view.ended)}${isContinued && ', continued the next day'}</span><span>${plural(view.counts.prompts, 'prompt')}, ${plural(view.counts.toolCalls, 'call')}${view.counts.toolErrors > 0 && html`, ${plural(view.counts.toolErrors, 'error')}`}</span><code>${shortId(view.id)}</code></div>
${
  children.length > 0 &&
  html`<details hx-get="/sessions/${encodeURIComponent(view.id)}/subagents" hx-trigger="toggle once" hx-target="find .children" ><summary class="small quiet">${plural(children.length, 'subagent')}, ${formatUsd(cost - session.usage.reduce((sum, { costUsd }) => sum + costUsd, 0))}</summary><div class="children"><a href="/sessions/${encodeURIComponent(view.id)}/subagents">List</a></div></details>`
}</li>
`
}

function subagentList(request: PageRequest): PageResult {
  const { ledger, params } = request
  const children = childrenOf(ledger, params.id!)
  const list = html`<ul class="rows">${children.map(
    (child) =>
      html`<li><a class="title" href="${urlOfSession(child.id)}">${child.title ?? shortId(child.id)}</a><div class="meta">${outcomeChip(child.outcome)}<span>${plural(child.counts.toolCalls, 'call')}</span><span>${formatUsd(child.costUsd, child.isCostLowerBound)}</span><span>${formatCount(child.tokens.output)} tokens out</span></div></li>`,
  )}</ul>`
  if (request.isFragment) return { kind: 'fragment', html: list }
  const main = html`<div class="head"><h1>Subagents</h1><a href="${urlOfSession(params.id!)}">Back to the session</a></div>${list}`
  return { kind: 'page', title: 'Subagents', section: 'sessions', main }
}
