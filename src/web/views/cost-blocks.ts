// Blocks of five hours in the view Cost. They are finer than a day, so the usage of the sessions of the chosen days
// is read for them.
import { isoTime } from '../../core/clock.ts'
import { dayAfter } from '../../core/days.ts'
import { formatCount, formatUsd, plural } from '../../core/units.ts'
import { stackedBars } from '../../html/charts.ts'
import { type Html, html } from '../../html/html.ts'
import { blockCsv, blockMs, blocksOf, type UsageBlock } from '../../store/cost/blocks.ts'
import { cacheShare, costText, tokensOf } from '../../store/cost/counts.ts'
import { type UsageRow, usageRows } from '../../store/sessions/usage.ts'
import { agentDot } from '../components.ts'
import { type CostQuery, costData, costUsage } from '../cost-data.ts'
import type { PageRequest } from '../request.ts'
import { axisUsd, keepByVersion, percentText } from '../usage-groups.ts'

const defaultDays = 30
const maxDays = 92
const maxBlocks = 120

export function blocksSection(request: PageRequest, query: CostQuery): Html {
  const { zone } = request.app
  const blocks = blocksIn(request, query)
  const [latest] = blocks
  if (!latest) return html`<p class="empty">No tokens were recorded for this choice.</p>`
  const shown = blocks.slice(0, maxBlocks)
  const minute = (ms: number) => zone.minute(isoTime(ms))
  const lines = shown.map(
    (block) =>
      html`<tr data-row><td>${minute(block.startMs)} ${block.burn && html`<span class="chip good">active</span>`}</td><td class="nowrap">${minute(block.endMs).slice(11)}</td><td>${agentDot(request, block.agent)}</td><td class="num">${formatCount(block.sessions)}</td><td class="num">${formatCount(block.responses)}</td><td class="num">${formatCount(tokensOf(block))}</td><td class="num">${formatCount(block.output)}</td><td class="num">${percentText(cacheShare(block))}</td><td class="num">${costText(block)}</td></tr>`,
  )
  const first = shown.at(-1)!
  return html`<div class="panel-head"><h2>Blocks of five hours</h2><span class="quiet small">${minute(first.startMs)} to ${minute(latest.endMs)}, ${plural(blocks.length, 'block')}</span></div>
${shown.filter(({ burn }) => burn).map((block) => activeBlock(request, block, minute))}${blockChart(shown.slice(0, 60).reverse(), minute)}
<div class="wide" tabindex="0" role="region" aria-label="Blocks of five hours"><table class="dense figures"><thead><tr><th>Start</th><th>End</th><th>Agent</th><th class="num">Sessions</th><th class="num">Responses</th><th class="num">Tokens</th><th class="num">Output</th><th class="num">Cache share</th><th class="num">Cost</th></tr></thead><tbody>${lines}</tbody></table></div>
<p class="small quiet">A block begins with the hour of its first response, for each agent. Shown are at most ${maxDays} days; without a date, the last ${defaultDays} with usage.</p>`
}

function activeBlock(request: PageRequest, block: UsageBlock, minute: (ms: number) => string): Html {
  const { costPerHour, tokensPerMinute, projectedUsd } = block.burn!
  const left = Math.round((block.endMs - request.app.clock.nowMs()) / 60_000)
  const textOf = (costUsd: number) => costText({ ...block, costUsd })
  const stat = (value: string, text: string) => html`<div class="stat"><b>${value}</b><span>${text}</span></div>`
  return html`<div class="notice notice-good stats">${stat(costText(block), `of ${block.agent} now, ends ${minute(block.endMs).slice(11)}`)}${stat(textOf(costPerHour), `per hour, ${formatCount(Math.round(tokensPerMinute))} tokens a minute`)}${stat(textOf(projectedUsd), 'at its end, if it goes on like this')}${stat(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} h`, 'left')}</div>`
}

function blockChart(blocks: readonly UsageBlock[], minute: (ms: number) => string): Html {
  const names = blocks.map(({ startMs }) => minute(startMs))
  const values = blocks.map(({ costUsd }) => costUsd)
  const label = `Cost of the last ${plural(blocks.length, 'block')}, as in the table below`
  const ticks = names.map((name) => name.slice(5, 10))
  const series = [{ name: 'cost', colour: 'c0', values }]
  return stackedBars({ label, names, ticks, series, format: formatUsd, formatAxis: axisUsd })
}

const kept = keepByVersion<UsageRow[]>()

function blocksIn(request: PageRequest, query: CostQuery): UsageBlock[] {
  const { app, ledger, activity } = request
  const { days } = costData(activity, ledger, query)
  if (!days) return []
  const last = query.to ?? days.last
  const earliest = dayAfter(last, -maxDays)
  const wanted = query.from ?? dayAfter(last, -defaultDays)
  const from = wanted < earliest ? earliest : wanted
  const usage = costUsage(activity.sessions(ledger), { ...query, from, to: last })
  const sessions = new Set([...usage].map(({ session }) => session.number))
  const key = JSON.stringify([query, from, last])
  const rows = kept(activity, ledger, key, () => [...usageRows(ledger, { sessions: [...sessions] })])
  const startMs = app.zone.startOfDay(from)
  const endMs = app.zone.startOfDay(dayAfter(last, 1))
  const isInside = ({ startMs: at }: UsageBlock) => at >= startMs - blockMs && at < endMs
  return blocksOf(rows, app.clock.nowMs()).filter(isInside)
}

/** For the CSV file. */
export function blockRows(request: PageRequest, query: CostQuery): Record<string, string | number | null>[] {
  return blocksIn(request, query).map((block) => blockCsv(block, isoTime))
}
