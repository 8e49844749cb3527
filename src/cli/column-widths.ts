// Fits the columns of a table into the width of the terminal. What is least important gives way
// first: long text is shortened at its end, then columns are left out; ids stay whole.

import { displayWidth } from '../text/display-width.ts'

export interface Column {
  title: string
  align?: 'left' | 'right'
  /** Long text, which is shortened first. */
  isFlexible?: boolean
  /** Never shortened, because people copy it. Columns titled `id` never are. */
  isWhole?: boolean
  /** Left out if the table is too wide, the highest rank first. */
  rank?: number
}

/** Width of each column; undefined for one that is left out. `cells` are the texts without style. */
export function columnWidths(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number,
): (number | undefined)[] {
  const fitting = columns.map((column, index) => fittingColumn(column, index, cells))
  const shown = new Set(fitting)
  const sum = (level: Level) => [...shown].reduce((total, one) => total + one.least[level] + gap, -gap)
  for (const { level, candidates } of waysOut)
    for (const one of candidates(fitting)) if (sum(level) > width && shown.size > 1) shown.delete(one)
  const level = levels.find((one) => sum(one) <= width) ?? 'tiny'
  const widths = grow([...shown], level, width - sum(level))
  return fitting.map((one) => widths.get(one))
}

export const gap = 2

/** How far columns are shortened. */
const levels = ['whole', 'readable', 'short', 'tight', 'tiny'] as const
type Level = (typeof levels)[number]

interface FittingColumn {
  column: Column
  index: number
  least: Record<Level, number>
}

/** Columns that are left out, in this order, where the table does not fit at a level. */
const waysOut: { level: Level; candidates(columns: readonly FittingColumn[]): FittingColumn[] }[] = [
  { level: 'readable', candidates: byRank },
  { level: 'short', candidates: (columns) => columns.filter((one) => isMinor(one) && one.column.align === 'right') },
  { level: 'tight', candidates: (columns) => columns.filter((one) => isMinor(one) && !one.column.isFlexible) },
  { level: 'tiny', candidates: (columns) => columns.filter(isMinor) },
]

function byRank(columns: readonly FittingColumn[]): FittingColumn[] {
  return columns
    .filter(({ column }) => column.rank !== undefined)
    .sort((a, b) => b.column.rank! - a.column.rank! || b.index - a.index)
}

/** Neither the first column, which says what the row is about, nor one to copy from. */
function isMinor({ column, index }: FittingColumn): boolean {
  return index > 0 && !isCopied(column)
}

function isCopied({ title, isWhole }: Column): boolean {
  return isWhole === true || title === 'id'
}

/** Lengths of long text, and of other text, at each level. */
const flexibleLengths: Record<Level, number> = { whole: Infinity, readable: 24, short: 24, tight: 14, tiny: 4 }
const textLengths: Record<Level, number> = { whole: Infinity, readable: Infinity, short: 12, tight: 12, tiny: 4 }
const timeLengths: Record<Level, number> = { whole: Infinity, readable: Infinity, short: 10, tight: 10, tiny: 10 }

function fittingColumn(column: Column, index: number, rows: readonly (readonly string[])[]): FittingColumn {
  const whole = rows.reduce((max, row) => Math.max(max, displayWidth(row[index]!)), column.title.length)
  const lengths = lengthsOf(column, () => rows.every((row) => isTime.test(row[index]!)))
  const at = (level: Level) => (lengths ? Math.min(whole, lengths[level]) : whole)
  const least = { whole, readable: at('readable'), short: at('short'), tight: at('tight'), tiny: at('tiny') }
  return { column, index, least }
}

/** Undefined for columns that are never shortened. */
function lengthsOf(column: Column, isTimes: () => boolean): Record<Level, number> | undefined {
  if (column.isFlexible) return flexibleLengths
  if (column.align === 'right' || isCopied(column)) return undefined
  return isTimes() ? timeLengths : textLengths
}

/** A day with the time: where there is no room, the time is left out. */
const isTime = /^(?:\d{4}-\d\d-\d\d \d\d:\d\d)?$/

/** Gives the width that is left to long text first, level by level, then to what misses most. */
function grow(columns: readonly FittingColumn[], from: Level, extra: number): Map<FittingColumn, number> {
  const widths = new Map(columns.map((one) => [one, one.least[from]]))
  let left = extra
  for (const level of levels.slice(0, levels.indexOf(from)).reverse()) {
    const shareOf = (one: FittingColumn) => widths.get(one)! / one.least[level]
    const byNeed = (a: FittingColumn, b: FittingColumn) =>
      Number(b.column.isFlexible ?? false) - Number(a.column.isFlexible ?? false) || shareOf(a) - shareOf(b)
    const growing = columns.filter(({ least }) => least.tiny !== timeLengths.tiny)
    for (; left > 0; left--) {
      const [next] = growing.filter((one) => shareOf(one) < 1).sort(byNeed)
      if (!next) break
      widths.set(next, widths.get(next)! + 1)
    }
  }
  return widths
}
