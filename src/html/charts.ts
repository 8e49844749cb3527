// Charts as SVG. Widths are percentages and heights are pixels, so that a chart fits any column while its text
// keeps its size. Colours come from classes, because the page allows no inline style.
import { shortDay } from '../core/days.ts'
import { type Html, html } from './html.ts'

export interface ChartSeries {
  name: string
  /** Class of the colour: `c0` to `c7`. */
  colour: string
  /** One for each bar. */
  values: readonly number[]
}

export interface StackedBars {
  /** Text alternative. */
  label: string
  /** One for each bar, for tooltips. */
  names: readonly string[]
  /** Shorter names, of which a few are written below the bars. */
  ticks: readonly string[]
  series: readonly ChartSeries[]
  format(value: number): string
  /** Shorter, beside the grid lines. */
  formatAxis(value: number): string
}

const plot = { top: 18, bottom: 158, tick: 174 }
const maxTicks = 6
/** A few bars do not fill the whole width. */
const minSlots = 12

export function stackedBars({ label, names, ticks, series, format, formatAxis }: StackedBars): Html {
  const totals = names.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const top = niceTop(Math.max(0, ...totals))
  const slot = 100 / Math.max(names.length, minSlots)
  const height = (value: number) => (value / top) * (plot.bottom - plot.top)
  const bars = names.map((name, at) => {
    if (totals[at] === 0) return undefined
    const parts = series.filter(({ values }) => (values[at] ?? 0) > 0)
    let base = plot.bottom
    const rects = parts.map(({ colour, values }) => {
      const tall = height(values[at]!)
      base -= tall
      return html`<rect class="${colour}" x="${rounded(slot * (at + 0.12))}%" y="${rounded(base)}" width="${rounded(slot * 0.76)}%" height="${rounded(Math.max(tall, 0.6))}"/>`
    })
    const detail = parts.length > 1 ? parts.map((part) => `\n${part.name}: ${format(part.values[at]!)}`).join('') : ''
    return html`<g><title>${name}: ${format(totals[at]!)}${detail}</title><rect class="hit" x="${rounded(slot * at)}%" y="${plot.top}" width="${rounded(slot)}%" height="${plot.bottom - plot.top}"/>${rects}</g>`
  })
  return html`<svg class="chart plot" role="img" aria-label="${label}">${gridLines(top, formatAxis)}${bars}${tickLabels(ticks, slot)}</svg>`
}

function gridLines(top: number, format: (value: number) => string): Html[] {
  return [1, 0.5, 0].map((share) => {
    const y = plot.bottom - share * (plot.bottom - plot.top) + 0.5
    const text = share > 0 && html`<text x="0" y="${y - 4}">${format(top * share)}</text>`
    return html`<line x1="0" x2="100%" y1="${y}" y2="${y}"/>${text}`
  })
}

function tickLabels(ticks: readonly string[], slot: number): Html[] {
  const step = Math.max(1, Math.ceil(ticks.length / maxTicks))
  return ticks.flatMap((tick, at) => {
    // The last label would reach beyond the edge.
    const isDrawn = at % step === 0 && (at === 0 || slot * at <= 94)
    return isDrawn ? html`<text x="${rounded(slot * (at + 0.12))}%" y="${plot.tick}">${tick}</text>` : []
  })
}

/** The figures of stacked bars as a table, for readers who do not see the chart. */
export function chartFigures({ label, names, series, format }: StackedBars): Html {
  const rows = names.flatMap((name, at) => {
    const values = series.map((each) => each.values[at] ?? 0)
    if (values.every((value) => value === 0)) return []
    return html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td class="num">${value !== 0 && format(value)}</td>`)}</tr>`
  })
  return html`<details class="figures-of-chart"><summary class="small quiet">Figures of the chart</summary><div class="wide" tabindex="0" role="region" aria-label="${label}"><table class="dense"><thead><tr><td></td>${series.map(({ name }) => html`<th class="num" scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`
}

/** Shares from 0 to 1 below stacked bars, one for each of them; null leaves a gap. */
export function shareBars(names: readonly string[], shares: readonly (number | null)[], label: string): Html {
  const slot = 100 / Math.max(shares.length, minSlots)
  const bars = shares.map((share, at) => {
    if (share === null) return undefined
    const tall = Math.max(1, share * 20)
    return html`<g><title>${names[at]}: ${Math.round(share * 100)} %</title><rect class="c7" x="${rounded(slot * (at + 0.12))}%" y="${rounded(20 - tall)}" width="${rounded(slot * 0.76)}%" height="${rounded(tall)}"/></g>`
  })
  return html`<svg class="chart shares" role="img" aria-label="${label}"><line x1="0" x2="100%" y1="20.5" y2="20.5"/>${bars}</svg>`
}

const niceSteps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8]

/** A round number, at least the value, whose half is round too. */
export function niceTop(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return (niceSteps.find((step) => step * power >= value) ?? 10) * power
}

export interface HeatDay {
  day: string
  value: number
  /** Tooltip. */
  title: string
  url: string
}

export interface Heatmap {
  label: string
  /** In order and without gaps; the first one is a Monday. */
  days: readonly HeatDay[]
  /** The day that is chosen. */
  current?: string | undefined
}

const cell = 13
const heatLeft = 28
const heatTop = 16

/**
 * Weeks as columns. Days with a value are links that a keyboard does not visit one by one: there are hundreds, and
 * a day can be chosen in a field as well.
 */
export function heatmap({ label, days, current }: Heatmap): Html {
  const levelOf = heatLevels(days.map(({ value }) => value))
  const weeks = Math.ceil(days.length / 7)
  const cellOf = ({ day, value, title, url }: HeatDay, at: number) => {
    const style = [value > 0 ? `h${levelOf(value)}` : '', day === current ? 'is-current' : ''].filter(Boolean).join(' ')
    const rect = html`<rect${style !== '' && html` class="${style}"`} y="${at * cell}" width="11" height="11"/>`
    if (value === 0 && day !== current) return rect
    return html`<a href="${url}" tabindex="-1"><title>${title}</title>${rect}</a>`
  }
  const columns = Array.from({ length: weeks }, (_, week) => {
    const own = days.slice(week * 7, week * 7 + 7)
    return html`<g transform="translate(${heatLeft + week * cell} ${heatTop})">${own.map(cellOf)}</g>`
  })
  const size = { width: heatLeft + weeks * cell, height: heatTop + 7 * cell }
  return html`<svg class="heat" viewBox="0 0 ${size.width} ${size.height}" role="group" aria-label="${label}">${monthLabels(days)}${['Mon', 'Wed', 'Fri'].map((name, at) => html`<text x="0" y="${heatTop + 9 + at * 2 * cell}">${name}</text>`)}${columns}</svg>`
}

/** Above the first week that begins in a month. */
function monthLabels(days: readonly HeatDay[]): Html[] {
  const mondays = days.filter((_, at) => at % 7 === 0)
  return mondays.flatMap(({ day }, week) => {
    const isNew = week > 0 && mondays[week - 1]!.day.slice(0, 7) !== day.slice(0, 7)
    return isNew && week < mondays.length - 1
      ? html`<text x="${heatLeft + week * cell}" y="10">${shortDay(day.slice(0, 7)).slice(0, 3)}</text>`
      : []
  })
}

/** 1 to 4 by quartiles of the values above zero, so that one busy day does not pale all others. */
export function heatLevels(values: readonly number[]): (value: number) => number {
  const positive = values.filter((value) => value > 0).sort((a, b) => a - b)
  const limits = [0.25, 0.5, 0.75].map((share) => positive[Math.floor(share * (positive.length - 1))] ?? 0)
  return (value) => 1 + limits.filter((limit) => value > limit).length
}

/** One row of a heatmap, as wide as its column. */
export function heatStrip(values: readonly number[], label: string): Html {
  const levelOf = heatLevels(values)
  const paths = [1, 2, 3, 4].map((level) => {
    const cells = values.map((value, at) => (value > 0 && levelOf(value) === level ? `M${at * 10} 0h8v12h-8z` : ''))
    return cells.some((path) => path !== '') && html`<path class="h${level}" d="${cells.join('')}"/>`
  })
  return html`<svg class="heat strip" viewBox="0 0 ${values.length * 10} 12" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="M0 5.5h${values.length * 10}v1h-${values.length * 10}z"/>${paths}</svg>`
}

/** A line without axes; values that are null are passed over. */
export function sparkline(values: readonly (number | null)[], label: string, { max }: { max?: number } = {}): Html {
  const top = (max ?? Math.max(0, ...values.map((value) => value ?? 0))) || 1
  const step = 100 / Math.max(1, values.length - 1)
  const points = values.flatMap((value, at) =>
    value === null ? [] : `${rounded(step * at)} ${rounded(23 - (value / top) * 22)}`,
  )
  return html`<svg class="chart spark" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="line" d="M${points.length > 0 ? points.join('L') : '0 23'}"/></svg>`
}

export interface IntervalChart {
  label: string
  /** Ends of the axis. */
  min: number
  max: number
  low: number
  value: number
  high: number
}

/** An estimate with its interval, and a line at zero if that is on the axis. */
export function intervalChart({ label, min, max, low, value, high }: IntervalChart): Html {
  const at = (point: number) => Math.min(100, Math.max(0, ((point - min) / (max - min || 1)) * 100))
  const zero =
    min < 0 && max > 0 && html`<line class="zero" x1="${rounded(at(0))}%" x2="${rounded(at(0))}%" y1="0" y2="20"/>`
  return html`<svg class="chart interval" role="img" aria-label="${label}"><line x1="0" x2="100%" y1="10" y2="10"/>${zero}<rect class="band" x="${rounded(at(low))}%" width="${rounded(Math.max(0.5, at(high) - at(low)))}%" y="5" height="10" rx="3"/><circle cx="${rounded(at(value))}%" cy="10" r="4"/></svg>`
}

export interface LegendEntry {
  name: string
  colour: string
  detail?: string
}

export function legendOf(entries: readonly LegendEntry[]): Html {
  return html`<ul class="legend">${entries.map(({ name, colour, detail }) => html`<li><span class="dot ${colour}"></span> ${name}${detail !== undefined && html` <b>${detail}</b>`}</li>`)}</ul>`
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100)
}
