// Shares, means and their changes as people read them.
import { formatCount, plural } from '../core/units.ts'
import type { Baseline, Totals } from '../patterns/measure/baseline.ts'
import type { Effect, OtherChange, Side } from '../patterns/measure/effect.ts'
import type { MeasuredPractice } from '../patterns/measure/measure.ts'
import type { Metric } from '../patterns/measure/observation.ts'
import type { SavedBaseline } from '../patterns/measure/saved.ts'
import type { Change } from '../patterns/measure/shares.ts'
import { table, withoutControls } from './terminal.ts'

export type Names = ReadonlyMap<string, string>

export const maxGroups = 20

export function baselineTable(
  { all, groups }: Baseline,
  { saved, names, day }: { saved: SavedBaseline | null; names: Names; day(ms: number): string },
  width: number,
): string {
  const titles = ['sessions', 'error rate', 'retries', 'corrections', 'schema thrash', 'overhead']
  const rows = [
    ...(saved ? [['as kept on', day(Date.parse(saved.at)), ...cellsOf(saved.all)]] : []),
    ['all', '', ...cellsOf(all!)],
    ...groups.slice(0, maxGroups).map((group) => [projectText(group.project, names), group.agent, ...cellsOf(group)]),
  ]
  return table(
    [
      { title: 'project', isFlexible: true },
      { title: 'agent' },
      ...[...titles, 'tokens', 'p90', 'success'].map((title) => ({ title, align: 'right' as const })),
    ],
    rows,
    width,
  )
}

export function projectText(project: string | null, names: Names): string {
  return project === null ? 'no project' : withoutControls(names.get(project) ?? project)
}

function cellsOf(totals: Totals): string[] {
  const { sessions, errorRate, retries, corrections, schemaErrors, overhead, tokensMedian, tokensP90, success } = totals
  const tokens = (value: number | null) => (value === null ? '?' : formatCount(value))
  return [
    formatCount(sessions),
    percent(errorRate),
    retries.toFixed(2),
    corrections.toFixed(2),
    schemaErrors.toFixed(2),
    percent(overhead),
    tokens(tokensMedian),
    tokens(tokensP90),
    success === null ? '?' : percent(success),
  ]
}

/** The title first; what is told of it below. */
export function practiceLines(practice: MeasuredPractice, day: (ms: number) => string): string[] {
  const title = `${withoutControls(practice.title)} (${practice.id}, ${practice.version}${practice.status === 'retired' ? ', retired' : ''})`
  switch (practice.kind) {
    case 'not published':
      return [title, 'Nobody was told of it: recollect patterns publish']
    case 'no pattern':
      return [title, 'It comes from no pattern, so there is nothing to count.']
    case 'measured':
      return [title, ...effectLines(practice, day)]
    default:
      return practice satisfies never
  }
}

function effectLines({ change, before, after, because, others }: Effect, day: (ms: number) => string): string[] {
  const span = ({ sessions, firstMs, lastMs }: Side) =>
    `${plural(sessions, 'session')}${sessions > 0 ? `, ${day(firstMs)} to ${day(lastMs)}` : ''}`
  const clear = others.filter(({ verdict }) => verdict !== 'no clear change')
  const rest = others.filter(({ verdict }) => verdict === 'no clear change').map(({ metric }) => metric)
  return [
    ...(change ? [`It occurs in ${changeText('share', change)}`] : []),
    `before: ${span(before)}; after: ${span(after)}`,
    ...(because ? [`${because}.`] : []),
    ...clear.map((other) => `${other.verdict}: ${otherText(other)}`),
    ...(rest.length > 0 ? [`no clear change: ${rest.join(', ')}`] : []),
  ]
}

function otherText({ metric, kind, ...change }: Pick<OtherChange, 'metric' | 'kind'> & Change): string {
  return `${metric} ${changeText(kind, change)}`
}

export function changeText(kind: Metric['kind'], { before, after, difference, interval: [low, high] }: Change): string {
  if (kind === 'share') {
    const range = `95 % interval ${points(low)} to ${points(high)}`
    return `${percent(before)} of sessions before, ${percent(after)} after: ${points(difference)} points, ${range}`
  }
  const number = kind === 'ratio' ? formatRatio : formatMean
  const value = kind === 'ratio' ? (one: number) => formatCount(Math.round(one)) : formatPlain
  return `${value(before)} before, ${value(after)} after: ${number(difference)}, 95 % interval ${number(low)} to ${number(high)}`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

function points(share: number): string {
  return signed(Math.round(100 * share), 0)
}

function formatMean(value: number): string {
  return signed(value, 2)
}

function formatPlain(value: number): string {
  return value.toFixed(2)
}

function formatRatio(value: number): string {
  return `×${value.toFixed(2)}`
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(digits)}`
}
