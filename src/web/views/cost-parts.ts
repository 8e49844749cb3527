// Parts of the view Cost around its table: tabs, filters and rate limits.
import { isoTime } from '../../core/clock.ts'
import { dayAfter } from '../../core/days.ts'
import { windowText } from '../../core/usage/rate-limits.ts'
import { type Html, html } from '../../html/html.ts'
import { type CostGroup, costGroups } from '../../store/cost/groups.ts'
import { type AccountLimit, accountLimits } from '../../store/sessions/rate-limits.ts'
import { agentDot, barOf, selectOf } from '../components.ts'
import type { CostQuery } from '../cost-data.ts'
import { type PageRequest, urlWith } from '../request.ts'

const labels: Readonly<Record<CostGroup, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  session: 'Session',
  project: 'Project',
  model: 'Model',
  agent: 'Agent',
  block: '5-hour block',
}

export function costTabs(request: PageRequest, current: CostGroup): Html {
  const links = costGroups.map(
    (by) =>
      html`<a href="${urlWith(request, { by, page: undefined })}"${by === current && html` aria-current="page"`}>${labels[by]}</a>`,
  )
  return html`<nav class="tabs" aria-label="Group by">${links}</nav>`
}

const spans = [
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '12 months'],
] as const

export function costFilters(request: PageRequest, query: CostQuery, names: ReadonlyMap<string, string>): Html {
  const { app, ledger, activity } = request
  const today = app.zone.day(isoTime(app.clock.nowMs()))
  const used = activity.agents(ledger)
  const agents = app.agents.map(({ id }) => id).filter((id) => used.has(id))
  const projects = [...names].sort((a, b) => a[1].localeCompare(b[1], 'en'))
  const choices = spans.map(([days, label]) => {
    const from = dayAfter(today, 1 - days)
    return spanLink(request, label, from, query.from === from && query.to === undefined)
  })
  return html`<form class="filters" method="get" action="/cost" hx-get="/cost" hx-trigger="change" hx-target="#main" hx-swap="innerHTML" hx-push-url="true">
<input type="hidden" name="by" value="${query.by}">
${selectOf('agent', 'Agent', agents, request.query)}
${selectOf('project', 'Project', projects, request.query)}
<label>From<input type="date" name="from" value="${query.from ?? ''}"></label>
<label>To<input type="date" name="to" value="${query.to ?? ''}"></label>
<button>Filter</button>
<span class="tabs" role="group" aria-label="Time">${choices}${spanLink(request, 'All', undefined, query.from === undefined && query.to === undefined)}</span>
</form>`
}

function spanLink(request: PageRequest, label: string, from: string | undefined, isCurrent: boolean): Html {
  return html`<a href="${urlWith(request, { from, to: undefined, page: undefined })}"${isCurrent && html` aria-current="true"`}>${label}</a>`
}

/** Only for agents that record them. */
export function rateLimitPanel(request: PageRequest): Html | undefined {
  const { app, ledger } = request
  const gauges = accountLimits(ledger, app.clock.nowMs()).map((limit) => limitGauge(request, limit))
  if (gauges.length === 0) return undefined
  return html`<section class="panel span-12"><div class="panel-head"><h2>Rate limits</h2><span class="quiet small">as the agents last recorded them</span></div><div class="limits">${gauges}</div></section>`
}

function limitGauge(request: PageRequest, limit: AccountLimit): Html {
  const { zone } = request.app
  const { agent, isOver: isPast } = limit
  const name = limit.limit === agent ? windowText(limit) : `${limit.limit}, ${windowText(limit)}`
  const reset =
    limit.resetsAt === null ? 'unknown reset' : `${isPast ? 'was reset' : 'resets'} ${zone.minute(limit.resetsAt)}`
  const used = `${isPast ? 'was ' : ''}${Math.round(limit.usedPercent)} % used`
  return html`<div class="gauge"><div class="split"><span>${agentDot(request, agent)} <span class="quiet">${name}</span></span><span class="num">${used}</span></div>${barOf(isPast ? 0 : limit.usedPercent / 100, `${agent}, ${name}: ${used}`)}<div class="small quiet">${reset}, recorded ${zone.minute(limit.at)}</div></div>`
}
