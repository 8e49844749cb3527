// A measured change in words.
import { formatCount } from '../../core/units.ts'
import type { Metric } from './observe.ts'
import type { MeasuredChange } from './proportions.ts'

export function changeText(
  kind: Metric['kind'],
  { before, after, difference, interval: [low, high] }: MeasuredChange,
): string {
  if (kind === 'share') {
    const range = `95 % interval ${points(low)} to ${points(high)}`
    return `${percent(before)} of sessions before, ${percent(after)} after: ${points(difference)} points, ${range}`
  }
  const number = kind === 'ratio' ? formatRatio : formatMean
  const value = kind === 'ratio' ? (one: number) => formatCount(Math.round(one)) : formatPlain
  return `${value(before)} before, ${value(after)} after: ${number(difference)}, 95 % interval ${number(low)} to ${number(high)}`
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

/** Percentage points, with their sign. */
export function points(share: number): string {
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
