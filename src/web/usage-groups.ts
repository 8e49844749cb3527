// Sums the usage of sessions from the activity index, for charts of the views Overview and Cost.
import { type CalendarUnit, unitOf } from '../core/days.ts'
import type { ChartSeries } from '../html/charts.ts'
import { addUsage, noUsage, type UsageCounts } from '../store/cost/counts.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ActivityIndex, DayUsage, SessionActivity } from './activity.ts'

/** As `groupUsage`, for usage that was summed up over sessions before. */
export function sumBy(rows: Iterable<UsageCell>, keyOf: (row: UsageCell) => string): Map<string, UsageCounts> {
  const sums = new Map<string, UsageCounts>()
  for (const row of rows) {
    const key = keyOf(row)
    let sum = sums.get(key)
    if (!sum) {
      sum = noUsage()
      sums.set(key, sum)
    }
    addUsage(sum, row)
  }
  return sums
}

/** Usage of a day and a model, over sessions. */
export interface UsageCell extends UsageCounts {
  agent: string
  project: string | null
  day: string
  model: string | null
}

const keptCells = keepByVersion<readonly UsageCell[]>()

/** Usage summed up over sessions: there are few days, models and projects, and many sessions. */
export function usageCells(activity: ActivityIndex, ledger: Ledger): readonly UsageCell[] {
  return keptCells(activity, ledger, '', () => cellsOf(usageOf(activity.sessions(ledger))))
}

function* usageOf(sessions: Iterable<SessionActivity>): Iterable<DayUsage> {
  for (const { usage } of sessions) yield* usage
}

function cellsOf(rows: Iterable<DayUsage>): UsageCell[] {
  const cells = new Map<string, UsageCell>()
  for (const row of rows) {
    const { agent, project } = row.session
    const key = `${row.day}\n${agent}\n${row.model}\n${project}`
    let cell = cells.get(key)
    if (!cell) {
      cell = { agent, project, day: row.day, model: row.model, ...noUsage() }
      cells.set(key, cell)
    }
    addUsage(cell, row)
  }
  return [...cells.values()]
}

export function percentText(share: number | null): string {
  if (share === null) return ''
  const percent = share * 100
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
}

/** For an axis: without cents from ten dollars on. */
export function axisUsd(value: number): string {
  return value >= 10 ? `$${Math.round(value)}` : `$${Number(value.toFixed(value < 0.1 ? 4 : 2))}`
}

export interface SeriesOptions {
  units: readonly string[]
  unit: CalendarUnit
  keyOf(row: UsageCell): string
  labelOf?(key: string): string
  colourOf?(key: string): string | undefined
  maxSeries?: number
}

/** Cost by unit for the most expensive keys; the rest is summed up as "other". */
export function costSeries(
  rows: readonly UsageCell[],
  { units, unit, keyOf, labelOf = (key) => key, colourOf, maxSeries = 6 }: SeriesOptions,
): ChartSeries[] {
  const places = new Map(units.map((name, at) => [name, at]))
  const costs = new Map<string, number[]>()
  for (const row of rows) {
    const at = row.day === '' ? undefined : places.get(unitOf(row.day, unit))
    if (at === undefined || row.costUsd === 0) continue
    const key = keyOf(row)
    const values = costs.get(key) ?? new Array<number>(units.length).fill(0)
    values[at]! += row.costUsd
    costs.set(key, values)
  }
  const ranked = [...costs].sort((a, b) => sumOf(b[1]) - sumOf(a[1]))
  const shown = ranked.slice(0, maxSeries).map(([key, values], at) => ({
    name: labelOf(key),
    colour: colourOf?.(key) ?? `c${at}`,
    values,
  }))
  const rest = ranked.slice(maxSeries).map(([, values]) => values)
  if (rest.length === 0) return shown
  const values = units.map((_, at) => rest.reduce((sum, each) => sum + each[at]!, 0))
  return [...shown, { name: `${rest.length} others`, colour: 'c7', values }]
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

const maxKept = 12

/** Keeps results until the ledger changes. */
export function keepByVersion<T>(): (activity: ActivityIndex, ledger: Ledger, key: string, compute: () => T) => T {
  let kept: { activity: ActivityIndex; version: number; results: Map<string, T> } | undefined
  return (activity, ledger, key, compute) => {
    const version = activity.version(ledger)
    if (kept?.activity !== activity || kept.version !== version || kept.results.size >= maxKept)
      kept = { activity, version, results: new Map() }
    const known = kept.results.get(key)
    if (known !== undefined) return known
    const result = compute()
    kept.results.set(key, result)
    return result
  }
}
