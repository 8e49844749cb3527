// What the sessions cost: a chart over time, a table by day, week, month, session, project, model or agent, blocks of
// five hours, and the rate limits that agents record.
import { endOfUnit, isDay, shortDay, unitsBetween } from '../../core/days.ts'
import { shortId } from '../../core/session.ts'
import { formatCount, formatUsd, plural } from '../../core/units.ts'
import { chartFigures, legendOf, stackedBars } from '../../html/charts.ts'
import { type Html, html } from '../../html/html.ts'
import { activeHours } from '../../store/cost/blocks.ts'
import { type CostRow, cacheShare, costText, csvFields } from '../../store/cost/counts.ts'
import { modelKey } from '../../store/cost/groups.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { type SessionView, sessionsByNumber } from '../../store/sessions/sessions.ts'
import { usageRows } from '../../store/sessions/usage.ts'
import { csvOf } from '../../text/csv.ts'
import { agentColour, agentDot, pagerOf } from '../components.ts'
import { type CostData, type CostQuery, chartUnit, costData, costQueryOf, maxBars } from '../cost-data.ts'
import { numberIn, type PageRequest, type PageResult, type PageRoute, urlOfSession, urlWith } from '../request.ts'
import { axisUsd, costSeries, percentText, sumOf, type UsageCell } from '../usage-groups.ts'
import { blockRows, blocksSection } from './cost-blocks.ts'
import { costFilters, costTabs, rateLimitPanel } from './cost-parts.ts'

export const costRoutes: PageRoute[] = [
  { method: 'GET', path: '/cost', handle: cost },
  { method: 'GET', path: '/cost.csv', handle: costFile },
]

function cost(request: PageRequest): PageResult {
  const { ledger, activity } = request
  const query = costQueryOf(request.query)
  const data = costData(activity, ledger, query)
  const names = projectNames(ledger)
  const main = html`<div class="head"><h1>Cost</h1><span class="quiet">${rangeText(query, data)}</span><a class="button push" href="${urlWith({ ...request, path: '/cost.csv' }, { page: undefined })}" download>Save as CSV</a></div>
${costTabs(request, query.by)}
${costFilters(request, query, names)}
<div id="cost" class="grid">
${totalPanels(data)}
${rateLimitPanel(request)}
<section class="panel span-12">${query.by === 'block' ? blocksSection(request, query) : tableSection(request, query, data, names)}</section>
</div>`
  return { kind: 'page', title: 'Cost', section: 'cost', main }
}

function rangeText({ from, to }: CostQuery, { days }: CostData): string {
  if (!days) return ''
  return `${from ?? days.first} to ${to ?? days.last}`
}

function totalPanels({ total }: CostData): Html[] {
  const share = cacheShare(total)
  const unpriced =
    total.unpriced > 0
      ? `at least: ${plural(total.unpriced, 'response')} without a known price`
      : plural(total.responses, 'response')
  const panel = (name: string, value: string, detail: string) =>
    html`<section class="panel span-3 stat-panel"><h2>${name}</h2><div class="stat"><b>${value}</b><span>${detail}</span></div></section>`
  const input = total.input + total.cacheRead + total.cacheWrite
  return [
    panel('Cost', costText(total), unpriced),
    panel('Input', formatCount(input), `${formatCount(total.cacheRead)} from a cache`),
    panel('Output', formatCount(total.output), 'tokens, with reasoning'),
    panel('Cache share', percentText(share) || '–', plural(total.sessions, 'session')),
  ]
}

const pageSize = 50

function tableSection(
  request: PageRequest,
  query: CostQuery,
  data: CostData,
  names: ReadonlyMap<string, string>,
): Html {
  if (data.rows.length === 0)
    return html`<p class="empty">No tokens were recorded for this choice. <a href="/cost?by=${query.by}">Remove the filters</a></p>`
  const page = numberIn(request.query, 'page') ?? 0
  const shown = data.rows.slice(page * pageSize, (page + 1) * pageSize)
  const table =
    query.by === 'session' ? sessionTable(request, shown, data) : groupTable(request, query, shown, data, names)
  return html`${costChart(request, query, data, names)}${table}${pagerOf(request, page, Math.ceil(data.rows.length / pageSize))}`
}

/** Stacked by what the table lists; a table of times or sessions by model. */
function costChart(
  request: PageRequest,
  { by }: CostQuery,
  { cells, days, total }: CostData,
  names: ReadonlyMap<string, string>,
): Html | undefined {
  if (!days) return undefined
  const unit = chartUnit(by, days)
  const units = unitsBetween(days.first, days.last, unit).slice(-maxBars)
  const stack = { project: projectKey, agent: agentKey }[by as string] ?? modelKey
  const series = costSeries(cells, {
    ...{ units, unit, keyOf: stack },
    labelOf: (key) => (stack === projectKey ? labelOfProject(key, names) : key),
    colourOf: (key) => (stack === agentKey ? agentColour(request, key) : undefined),
  })
  const what = stack === projectKey ? 'project' : stack === agentKey ? 'agent' : 'model'
  const label = `Cost by ${unit} and ${what}, from ${units[0]} to ${units.at(-1)}: ${costText(total)} in total`
  const unitNames = units.map((name) => (unit === 'week' ? `Week of ${name}` : name))
  const ticks = units.map(shortDay)
  const chart = { label, names: unitNames, ticks, series, format: formatUsd, formatAxis: axisUsd }
  const entries = series.map((each) => ({ ...each, detail: formatUsd(sumOf(each.values)) }))
  return html`<div class="panel-head"><h2>Cost by ${unit} and ${what}</h2><span class="quiet small">${units[0]} to ${units.at(-1)}</span></div>${stackedBars(chart)}${legendOf(entries)}${chartFigures(chart)}`
}

function projectKey({ project }: UsageCell): string {
  return project ?? ''
}

function agentKey({ agent }: UsageCell): string {
  return agent
}

function labelOfProject(key: string, names: ReadonlyMap<string, string>): string {
  return key === '' ? 'no project' : (names.get(key) ?? key)
}

const numberHeads = html`<th class="num">Responses</th><th class="num">Input</th><th class="num">Cached</th><th class="num">Cache writes</th><th class="num">Output</th><th class="num">Cache share</th><th class="num">Cost</th>`

function numberCells(row: CostRow): Html {
  return html`<td class="num">${formatCount(row.responses)}</td><td class="num">${formatCount(row.input)}</td><td class="num">${formatCount(row.cacheRead)}</td><td class="num">${formatCount(row.cacheWrite)}</td><td class="num">${formatCount(row.output)}</td><td class="num">${percentText(cacheShare(row))}</td><td class="num">${costText(row)}</td>`
}

function groupTable(
  request: PageRequest,
  query: CostQuery,
  rows: readonly CostRow[],
  { total }: CostData,
  names: ReadonlyMap<string, string>,
): Html {
  const title = query.by.charAt(0).toUpperCase() + query.by.slice(1)
  const lines = rows.map(
    (row) =>
      html`<tr data-row><td>${nameCell(request, query, row, names)}</td><td class="num">${formatCount(row.sessions)}</td>${numberCells(row)}</tr>`,
  )
  return html`<div class="wide" tabindex="0" role="region" aria-label="Cost by ${query.by}"><table class="dense figures"><thead><tr><th>${title}</th><th class="num">Sessions</th>${numberHeads}</tr></thead><tbody>${lines}</tbody><tfoot><tr><th>Total</th><td class="num">${formatCount(total.sessions)}</td>${numberCells(total)}</tr></tfoot></table></div>`
}

/** Leads to what is behind the row: its sessions, or the same view for it alone. */
function nameCell(
  request: PageRequest,
  { by }: CostQuery,
  { name }: CostRow,
  names: ReadonlyMap<string, string>,
): Html | string {
  const open = (changes: Record<string, string | undefined>) => urlWith(request, { ...changes, page: undefined })
  switch (by) {
    case 'day':
    case 'week':
    case 'month': {
      if (name === '') return 'Without a date'
      const from = by === 'month' ? `${name}-01` : name
      if (!isDay(from)) return name
      return html`<a href="${open({ by: 'session', from, to: endOfUnit(name, by) })}">${by === 'week' && 'Week of '}${name}</a>`
    }
    case 'project':
      return name === ''
        ? 'No project'
        : html`<a href="${open({ by: 'session', project: name })}">${labelOfProject(name, names)}</a>`
    case 'agent':
      return html`<a href="${open({ by: 'session', agent: name })}">${agentDot(request, name)}</a>`
    default:
      return name
  }
}

/** With subagents. The burn is the cost by hour in which there were responses. */
function sessionTable(request: PageRequest, rows: readonly CostRow[], { total, roots }: CostData): Html {
  const { ledger } = request
  const shown = sessionsByNumber(
    ledger,
    rows.map(({ name }) => Number(name)),
  )
  const views = new Map(shown.map((view) => [view.id, view]))
  const hours = hoursOf(request, rows, roots)
  const lines = rows.map((row) => {
    const active = hours.get(row.name)
    const burn = active ? { ...row, costUsd: row.costUsd / active } : undefined
    return html`<tr data-row><td class="session-cell">${sessionCell(request, views.get(roots.get(row.name)!.session.id))}</td>${numberCells(row)}<td class="num">${active !== undefined && `${active} h`}</td><td class="num">${burn && costText(burn)}</td></tr>`
  })
  return html`<div class="wide" tabindex="0" role="region" aria-label="Cost by session"><table class="dense figures"><thead><tr><th>Session, with subagents</th>${numberHeads}<th class="num">Active</th><th class="num">Per hour</th></tr></thead><tbody>${lines}</tbody><tfoot><tr><th>Total</th>${numberCells(total)}<td></td><td></td></tr></tfoot></table></div>`
}

function sessionCell(request: PageRequest, view: SessionView | undefined): Html | undefined {
  if (!view) return undefined
  return html`<a class="title clip" href="${urlOfSession(view.id)}">${view.title ?? shortId(view.id)}</a><div class="meta">${agentDot(request, view.agent)}<span>${view.projectName}</span></div>`
}

function hoursOf({ ledger }: PageRequest, rows: readonly CostRow[], roots: CostData['roots']): Map<string, number> {
  const names = new Map(rows.flatMap(({ name }) => [...roots.get(name)!.members].map((member) => [member, name])))
  return activeHours([...usageRows(ledger, { sessions: [...names.keys()] })], (session) => names.get(session)!)
}

function costFile(request: PageRequest): PageResult {
  const { ledger, activity } = request
  const query = costQueryOf(request.query)
  const name = `recollect-cost-by-${query.by}.csv`
  const type = 'text/csv; charset=utf-8'
  if (query.by === 'block') return { kind: 'file', type, name, content: csvOf(blockRows(request, query)) }
  const { rows, roots } = costData(activity, ledger, query)
  const content = csvOf(
    rows.map((row) => ({
      [query.by]: roots.get(row.name)?.session.id ?? row.name,
      sessions: row.sessions,
      ...csvFields(row),
    })),
  )
  return { kind: 'file', type, name, content }
}
