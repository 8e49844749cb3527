// Parts of the view Cost around its table: tabs, filters and rate limits.
import { isoTime } from '../../core/clock.ts'
import { dayAfter } from '../../core/days.ts'
import type { RateLimits, RateLimitWindow } from '../../core/session.ts'
import { type Html, html } from '../../html/html.ts'
import { latestRateLimits } from '../../store/sessions/rate-limits.ts'
import { agentDot, barOf, selectOf } from '../components.ts'
import { type CostQuery, type CostView, costViews } from '../cost-data.ts'
import { type PageRequest, urlWith } from '../request.ts'

const labels: Readonly<Record<CostView, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  session: 'Session',
  project: 'Project',
  model: 'Model',
  agent: 'Agent',
  block: '5-hour block',
}

export function costTabs(request: PageRequest, current: CostView): Html {
  const links = costViews.map(
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
  const known = app.agents.flatMap(({ id }) => {
    const limits = latestRateLimits(ledger, id)
    return limits ? [{ agent: id, limits }] : []
  })
  if (known.length === 0) return undefined
  return html`<section class="panel span-12"><div class="panel-head"><h2>Rate limits</h2><span class="quiet small">as the agents last recorded them</span></div><div class="limits">${known.map(({ agent, limits }) => agentLimits(request, agent, limits))}</div></section>`
}

function agentLimits(request: PageRequest, agent: string, { at, windows }: RateLimits): Html[] {
  const { zone, clock } = request.app
  return windows.map((window) => {
    const isOver = window.resetsAt !== null && Date.parse(window.resetsAt) <= clock.nowMs()
    const name = `${agent}, ${windowText(window)}`
    const reset =
      window.resetsAt === null ? 'unknown reset' : `${isOver ? 'was reset' : 'resets'} ${zone.minute(window.resetsAt)}`
    const used = `${isOver ? 'was ' : ''}${Math.round(window.usedPercent)} % used`
    return html`<div class="gauge"><div class="split"><span>${agentDot(request, agent)} <span class="quiet">${windowText(window)}</span></span><span class="num">${used}</span></div>${barOf(isOver ? 0 : window.usedPercent / 100, `${name}: ${used}`)}<div class="small quiet">${reset}, recorded ${zone.minute(at)}</div></div>`
  })
}

/** `5 hours`, `7 days`. Codex also records 299 minutes. */
function windowText({ minutes }: RateLimitWindow): string {
  const hours = Math.round(minutes / 60)
  if (hours === 0) return `${minutes} minutes`
  return hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`
}
