// The overview: activity of the last twelve months, what it cost, and what waits for the user. A day and an agent
// in the address restrict everything on it.
import { isoTime } from '../../core/clock.ts'
import { dayAfter, daysBetween, isDay, shortDay } from '../../core/days.ts'
import { shortId } from '../../core/session.ts'
import { formatCount, formatSize, formatUsd, plural } from '../../core/units.ts'
import { outcomes } from '../../digest/outcome.ts'
import { chartFigures, heatmap, heatStrip, shareBars, sparkline, stackedBars } from '../../html/charts.ts'
import { type Html, html } from '../../html/html.ts'
import { waitingQuestions } from '../../learn/model/waiting-questions.ts'
import { cacheShare, costText, tokensOf } from '../../store/cost/counts.ts'
import { countWaiting } from '../../store/memories/memories.ts'
import { sessionsByNumber } from '../../store/sessions/sessions.ts'
import type { SessionActivity } from '../activity.ts'
import { agentDot, agoText, barOf, outcomeChip, selectOf } from '../components.ts'
import { type OverviewData, overviewData } from '../overview-data.ts'
import { type PageRequest, type PageResult, type PageRoute, urlOfSession, urlWith } from '../request.ts'
import { storeState } from '../store-state.ts'
import { axisUsd, percentText, sumOf } from '../usage-groups.ts'

export const overviewRoutes: PageRoute[] = [{ method: 'GET', path: '/', handle: overview }]

interface OverviewView {
  request: PageRequest
  data: OverviewData
  today: string
  agent: string | undefined
  day: string | undefined
}

function overview(request: PageRequest): PageResult {
  const { app, ledger, activity, query } = request
  const today = app.zone.day(isoTime(app.clock.nowMs()))
  const agent = query.get('agent') || undefined
  const day = isDay(query.get('day') ?? '') ? query.get('day')! : undefined
  const data = overviewData(activity, ledger, { today, agent, day })
  const view = { request, data, today, agent, day }
  const main = data.agents.length === 0 ? emptyLedger() : filledLedger(view)
  return { kind: 'page', title: 'Overview', section: 'overview', main }
}

function emptyLedger(): Html {
  return html`<div class="head"><h1>Overview</h1></div>
<div class="panel stack"><h2>Nothing has been captured yet</h2>
<p>Recollect reads the transcripts that coding agents leave on this machine. Run these in a terminal, then reload the page:</p>
<dl class="facts"><dt><code>recollect sweep</code></dt><dd>reads everything that is there now</dd>
<dt><code>recollect install</code></dt><dd>adds hooks, so that new sessions are captured as they happen</dd>
<dt><code>recollect doctor</code></dt><dd>says which agents were found, and what is wrong if none was</dd></dl></div>`
}

function filledLedger(view: OverviewView): Html {
  return html`<div class="head"><h1>Overview</h1><span class="quiet">${periodText(view)}</span></div>
${filterForm(view)}
<div class="grid" id="overview">
${statPanels(view)}
<div class="column span-8"><section class="panel">${activityPanel(view)}</section>
<section class="panel">${costPanel(view)}</section>
<section class="panel">${agentPanel(view)}</section></div>
<div class="column span-4"><section class="panel">${attentionPanel(view)}</section>
<section class="panel">${outcomePanel(view)}</section>
<section class="panel">${gaugePanel(view)}</section></div>
</div>`
}

function periodText({ data, today, agent, day }: OverviewView): string {
  return `${day ?? `${data.from} to ${today}`}, ${agent ?? 'all agents'}`
}

function filterForm({ request, data, today, agent, day }: OverviewView): Html {
  const agents = data.agents.map((each) => each.agent)
  const isFiltered = agent !== undefined || day !== undefined
  return html`<form class="filters" method="get" action="/" hx-get="/" hx-trigger="change" hx-target="#main" hx-swap="innerHTML" hx-push-url="true">
${selectOf('agent', 'Agent', agents, request.query)}
<label>Day<input type="date" name="day" value="${day ?? ''}" max="${today}"></label>
<button>Filter</button>${isFiltered && html` <a class="button ghost" href="/">Reset</a>`}
</form>`
}

function statPanels({ data, day }: OverviewView): Html[] {
  const { total, byWeek } = data
  const line = (values: readonly (number | null)[], label: string, options?: { max: number }) =>
    day === undefined && sparkline(values, label, options)
  const share = cacheShare(total)
  const unpriced = total.unpriced > 0 && `, ${formatCount(total.unpriced)} without a known price`
  return [
    statPanel(
      formatCount(data.sessions),
      'Sessions',
      day === undefined && plural(data.prompts, 'prompt'),
      line(data.sessionsByWeek, 'Sessions by week'),
    ),
    statPanel(
      costText(total),
      'Cost',
      html`${plural(total.responses, 'response')}${unpriced}`,
      line(
        byWeek.map(({ costUsd }) => costUsd),
        'Cost by week',
      ),
    ),
    statPanel(
      formatCount(tokensOf(total)),
      'Tokens',
      `${formatCount(total.output)} output`,
      line(byWeek.map(tokensOf), 'Tokens by week'),
    ),
    statPanel(
      percentText(share) || '–',
      'Cache share',
      `${formatCount(total.cacheRead)} of input from a cache`,
      line(byWeek.map(cacheShare), 'Cache share by week', { max: 1 }),
    ),
  ]
}

function statPanel(value: string, name: string, detail: Html | string | false, line: Html | false): Html {
  return html`<section class="panel span-3 stat-panel"><h2>${name}</h2><div class="stat"><b>${value}</b><span>${detail}</span></div>${line}</section>`
}

function activityPanel({ request, data, today, day }: OverviewView): Html {
  const count = daysBetween(data.from, today) + 1
  const days = Array.from({ length: count }, (_, at) => {
    const one = dayAfter(data.from, at)
    const value = data.sessionsByDay.get(one) ?? 0
    const cost = data.costByDay.get(one) ?? 0
    const title = `${one}: ${plural(value, 'session')}${cost > 0 ? `, ${formatUsd(cost)}` : ''}`
    return { day: one, value, title, url: urlWith(request, { day: one === day ? undefined : one }) }
  })
  const active = days.filter(({ value }) => value > 0)
  const label = `Sessions by day from ${data.from} to ${today}: active on ${plural(active.length, 'day')}`
  return html`<div class="panel-head"><h2>Activity</h2><span class="quiet small">${plural(active.length, 'active day')}${day !== undefined && html`, <a href="/sessions?day=${day}">sessions of ${day}</a>`}</span></div>
<div class="heat-scroll" tabindex="0" role="region" aria-label="Activity by day">${heatmap({ label, days, current: day })}</div>
<p class="heat-key small quiet" aria-hidden="true">Less <svg class="heat" viewBox="0 0 63 11"><rect width="11" height="11"/>${[1, 2, 3, 4].map((level) => html`<rect class="h${level}" x="${level * 13}" width="11" height="11"/>`)}</svg> More</p>`
}

const maxWaiting = 5

function attentionPanel(view: OverviewView): Html {
  const { request, data } = view
  const { ledger } = request
  const { waiting } = data
  const { inbox, candidates } = countWaiting(ledger)
  const letters = waitingQuestions(ledger)
  const { hooks } = storeState(request)
  const lines = [
    inbox > 0 &&
      todo('/inbox', plural(inbox, 'memory', 'memories'), 'in the inbox: contradictions, and what agents saved'),
    candidates > 0 && todo('/inbox', plural(candidates, 'candidate'), 'to keep or forget'),
    letters && todo('/health', plural(letters.count, 'question'), 'no model has answered'),
    ...hooks.map(({ name, detail }) => todo('/health', name, detail)),
  ].filter((line) => line !== false && line !== undefined)
  if (waiting.length + lines.length === 0)
    return html`<h2>Needs you</h2><p class="empty">Nothing: no session waits for an answer, and all hooks work.</p>`
  return html`<h2>Needs you</h2>${lines.length > 0 && html`<ul class="todo">${lines}</ul>`}${waiting.length > 0 && waitingSessions(view, waiting)}`
}

function todo(url: string, what: string, detail: string): Html {
  return html`<li><a href="${url}">${what}</a> <span class="quiet">${detail}</span></li>`
}

function waitingSessions({ request, agent, day }: OverviewView, waiting: readonly SessionActivity[]): Html {
  const { ledger, app } = request
  const latest = waiting.slice(0, maxWaiting).map(({ number }) => number)
  const rows = sessionsByNumber(ledger, latest).map(
    ({ id, title, agent: from, ended }) =>
      html`<li><a class="title clip" href="${urlOfSession(id)}">${title ?? shortId(id)}</a><div class="meta">${agentDot(request, from)}<span>${ended !== null && app.zone.minute(ended)}</span></div></li>`,
  )
  const all = urlWith({ path: '/sessions', query: new URLSearchParams() }, { outcome: 'waiting', agent, day })
  return html`<h3 class="sub">${plural(waiting.length, 'session')} ${waiting.length === 1 ? 'waits' : 'wait'} for an answer</h3><ul class="rows tight">${rows}</ul>${waiting.length > maxWaiting && html`<p class="small"><a href="${all}">All ${waiting.length}</a></p>`}`
}

function costPanel({ data, today, day }: OverviewView): Html {
  const { models, series } = data
  const colours = new Map(series.map(({ name, colour }) => [name, colour]))
  const head = html`<div class="panel-head"><h2>Cost by model${day === undefined && ', per week'}</h2><a class="small" href="/cost?by=model">All figures</a></div>`
  if (models.length === 0) return html`${head}<p class="empty">No tokens were recorded ${day ?? 'in this time'}.</p>`
  const rows = models
    .slice(0, maxModels)
    .map(
      (model) =>
        html`<tr><td class="name-cell"><span class="dot ${colours.get(model.name) ?? 'c7'}"></span> ${model.name}</td><td class="num hide-narrow">${formatCount(model.responses)}</td><td class="num hide-narrow">${formatCount(model.output)}</td><td class="num">${percentText(cacheShare(model))}</td><td class="num">${costText(model)}</td></tr>`,
    )
  const others = models.length - maxModels
  return html`${head}${day === undefined && weeklyChart(data, today)}
<div class="wide" tabindex="0" role="region" aria-label="Cost by model"><table class="dense"><thead><tr><th>Model</th><th class="num hide-narrow">Responses</th><th class="num hide-narrow">Output</th><th class="num">Cached</th><th class="num">Cost</th></tr></thead><tbody>${rows}</tbody></table></div>${others > 0 && html`<p class="small quiet">and ${plural(others, 'other model')}</p>`}`
}

const maxModels = 7

function weeklyChart({ weeks, series, total, byWeek }: OverviewData, today: string): Html {
  const shares = byWeek.map(cacheShare)
  const label = `Cost by week and model to ${today}: ${costText(total)} in total`
  const names = weeks.map((week) => `Week of ${week}`)
  const ticks = weeks.map(shortDay)
  const chart = { label, names, ticks, series, format: formatUsd, formatAxis: axisUsd }
  const average = percentText(cacheShare(total))
  return html`${stackedBars(chart)}<p class="small quiet">Cache share ${average}</p>${shareBars(names, shares, `Share of input from a cache by week, ${average} in total`)}${chartFigures(chart)}`
}

function outcomePanel({ data, agent, day }: OverviewView): Html {
  const work = sumOf([...data.outcomes.values()])
  const address = { path: '/sessions', query: new URLSearchParams() }
  const rows = outcomes.map((name) => {
    const count = data.outcomes.get(name) ?? 0
    const share = work === 0 ? 0 : count / work
    const url = urlWith(address, { outcome: name, kind: 'work', agent, day })
    return html`<tr><td><a href="${url}">${outcomeChip(name)}</a></td><td class="grow">${shareBar(share, `${percentText(share)} ${name}`, name)}</td><td class="num">${formatCount(count)}</td><td class="num quiet">${percentText(share)}</td></tr>`
  })
  const others = data.sessions - work
  return html`<div class="panel-head"><h2>Outcomes of work</h2><span class="quiet small">${plural(work, 'session')}</span></div>
<table class="dense bars"><thead class="visually-hidden"><tr><th>Outcome</th><th>Share</th><th>Sessions</th><th>Percent</th></tr></thead><tbody>${rows}</tbody></table>
${others > 0 && html`<p class="small quiet">${plural(others, 'session')} without work: questions, health checks, empty ones</p>`}`
}

function shareBar(share: number, label: string, kind: string): Html {
  return html`<svg class="bar outcome-${kind}" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="track" width="100" height="4" rx="2"/><rect width="${(share * 100).toFixed(1)}" height="4" rx="2"/></svg>`
}

function agentPanel({ request, data, agent, day }: OverviewView): Html {
  const { app } = request
  const rows = data.agents.map((one) => {
    const url = urlWith(request, { agent: one.agent === agent ? undefined : one.agent })
    const isCurrent = one.agent === agent
    const strip = heatStrip(one.weeks, `Sessions of ${one.agent} by week: ${sumOf(one.weeks)}`)
    return html`<tr${isCurrent && html` class="is-current"`}><td><a href="${url}"${isCurrent && html` aria-current="true"`}>${agentDot(request, one.agent)}</a></td><td class="grow hide-narrow">${strip}</td><td class="num">${formatCount(one.sessions)}</td><td class="num">${one.usage.responses > 0 && costText(one.usage)}</td><td class="num quiet" title="${app.zone.minute(one.lastCapture)}">${agoText(app.clock.nowMs() - Date.parse(one.lastCapture))}</td></tr>`
  })
  return html`<div class="panel-head"><h2>Agents</h2><span class="quiet small">${day ?? 'by week, last 12 months'}</span></div>
<div class="wide" tabindex="0" role="region" aria-label="Agents"><table class="dense"><thead><tr><th>Agent</th><th class="hide-narrow">Sessions by week</th><th class="num">Sessions</th><th class="num">Cost</th><th class="num">Last capture</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function gaugePanel({ request }: OverviewView): Html {
  const { storage, budget } = storeState(request)
  const { usedBytes, softBytes } = storage
  const { usd, calls, limits, isUsedUp } = budget
  return html`<h2>Limits</h2>
${gauge('Storage', `${formatSize(usedBytes)} of ${formatSize(softBytes)}`, softBytes > 0 ? usedBytes / softBytes : 0)}
${gauge('Judge, cost today', `${formatUsd(usd)} of ${formatUsd(limits.usd)}`, limits.usd > 0 ? usd / limits.usd : 0)}
${gauge('Judge, calls today', `${formatCount(calls)} of ${formatCount(limits.calls)}`, limits.calls > 0 ? calls / limits.calls : 0)}
${isUsedUp && html`<p class="small quiet">The budget for models is used up until midnight.</p>`}`
}

function gauge(name: string, text: string, share: number): Html {
  return html`<div class="gauge"><div class="split"><span>${name}</span><span class="num">${text}</span></div>${barOf(share, `${name}: ${text}`)}</div>`
}
