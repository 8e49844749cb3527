// Finds dates in a query ("on 7 May 2023", "in March", "2024-03-07") and compares them with the
// time of a passage. People tell of a day on the day itself or soon after.

export interface DateRange {
  fromMs: number
  toMs: number
}

const dayMs = 86_400_000

/** A day or month without a year gives one range for each of the last years, newest first. */
export function datesIn(text: string, nowMs: number): DateRange[] {
  const found: DateRange[] = []
  const years = yearsBefore(nowMs)
  for (const [, year, month, day] of text.matchAll(/\b(\d{4})-(\d\d)(?:-(\d\d))?\b/g))
    found.push(rangeOf(Number(year), Number(month) - 1, day ? Number(day) : undefined))
  for (const match of text.matchAll(namedDate)) {
    const { before, month, after, year } = match.groups!
    if (!before && !after && !year && !isClearlyMonth(month!, text.slice(0, match.index))) continue
    const day = before ?? after
    const index = monthNames.indexOf(month!.slice(0, 3).toLowerCase())
    for (const each of year ? [Number(year)] : years)
      found.push(rangeOf(each, index, day === undefined ? undefined : Number(day)))
  }
  if (found.length > 0) return found
  return [...text.matchAll(/\b(?:in|of|during|since) (20\d\d)\b/g)].map(([, year]) => ({
    fromMs: Date.UTC(Number(year), 0, 1),
    toMs: Date.UTC(Number(year) + 1, 0, 1),
  }))
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const namedDate =
  /(?:\b(?<before>\d{1,2})(?:st|nd|rd|th)?(?: of)? )?\b(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?(?: (?<after>\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,? (?<year>\d{4})\b)?/gi

/** "may" and "march" are also ordinary words. */
function isClearlyMonth(month: string, before: string): boolean {
  return (
    !/^(?:may|mar|march|jan|dec)$/i.test(month) || /\b(?:in|of|during|since|last|this|early|late|mid) $/i.test(before)
  )
}

function yearsBefore(nowMs: number): number[] {
  const year = new Date(nowMs).getUTCFullYear()
  return Array.from({ length: 6 }, (_, index) => year - index)
}

function rangeOf(year: number, month: number, day: number | undefined): DateRange {
  if (day !== undefined) return { fromMs: Date.UTC(year, month, day), toMs: Date.UTC(year, month, day + 1) }
  return { fromMs: Date.UTC(year, month, 1), toMs: Date.UTC(year, month + 1, 1) }
}

/** 1 within the range, less after it, little shortly before it, else 0. */
export function dateCloseness(ts: number | null, ranges: readonly DateRange[]): number {
  if (ts === null) return 0
  return ranges.reduce((best, range) => Math.max(best, closenessToRange(ts, range)), 0)
}

function closenessToRange(ts: number, { fromMs, toMs }: DateRange): number {
  const days = (toMs - fromMs) / dayMs
  if (ts >= fromMs - dayMs / 2 && ts < toMs + dayMs / 2) return days > 40 ? 0.3 : 1
  const patience = days > 2 ? 20 : 8
  if (ts >= toMs) return Math.exp(-(ts - toMs) / dayMs / patience)
  return ts >= fromMs - 5 * dayMs ? 0.3 : 0
}
