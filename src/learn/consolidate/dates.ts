// Adds absolute dates to words such as "yesterday", which mean nothing a month later. The words
// stay. Quotes, code, text of an agent and recurring events are left alone.
import type { Zone } from '../../core/units.ts'
import { type Memory, maxMemoryLength } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { firstVersion } from '../../store/memories/changes.ts'
import { sentenceSpans } from '../../text/sentences.ts'
import type { ConsolidationFinding, ConsolidationStep } from './finding.ts'
import type { PastDecisions } from './past-decisions.ts'

export interface DatesContext {
  ledger: Ledger
  zone: Zone
}

export function makeDatesAbsolute(
  { ledger, zone }: DatesContext,
  memories: readonly Memory[],
  decided: PastDecisions,
): ConsolidationStep {
  const findings: ConsolidationFinding[] = []
  const changed: Memory[] = []
  for (const memory of memories) {
    if (!mayBeRelative.test(memory.text) || memory.trust === 'imported') continue
    const said = saidOn(ledger, zone, memory)
    const text = said ? withDates(memory.text, said.day, said.quote) : memory.text
    if (text === memory.text || text.length > maxMemoryLength || decided.isTextRejected(memory, text)) continue
    changed.push({ ...memory, text, version: memory.version + 1 })
    findings.push({ kind: 'dated', memory: memory.id, other: null, text: memory.text, now: text })
  }
  return { findings, memories: changed }
}

/** Cheap check: most memories have none of these words. */
const mayBeRelative =
  /day\b|tomorrow|tonight|\b(?:last|next|this|ago|gestern|heute|(?:letzte|nächste|diese)\w?)\b|übermorgen|\bin \w+ (?:days|weeks|months)/i

/** The day of the first version: edits and merged memories came later. */
function saidOn(ledger: Ledger, zone: Zone, { id }: Memory): { day: string; quote: string } | undefined {
  const first = firstVersion(ledger, id)
  const quote = first?.evidence[0]?.quote
  return first && quote ? { day: zone.day(first.validFrom), quote } : undefined
}

/** Only words that are also in the quote were said on that day. */
export function withDates(text: string, day: string, quote = text): string {
  const said = quote.toLowerCase()
  const kept = spansToKeep(text)
  let result = ''
  let at = 0
  for (const { sentence, start } of sentencesOf(text)) {
    if (isHabit.test(sentence) || hasDate.test(sentence)) continue
    for (const { from, to, date } of relativeDates(sentence, day)) {
      const end = start + to
      const isKept = kept.some((span) => start + from < span.to && end > span.from)
      if (isKept || !said.includes(sentence.slice(from, to).toLowerCase())) continue
      result += `${text.slice(at, end)} (${date})`
      at = end
    }
  }
  return result + text.slice(at)
}

function sentencesOf(text: string): { sentence: string; start: number }[] {
  return [...text.matchAll(/[^\n]+/g)].flatMap(({ index, 0: line }) =>
    sentenceSpans(line, { atSemicolons: true }).map(({ start, end }) => ({
      sentence: line.slice(start, end),
      start: index + start,
    })),
  )
}

/** Rules and routines: "the job loads yesterday's rows" is true every day. */
const isHabit =
  /\b(?:always|never|every|each|daily|nightly|weekly|monthly|whenever|if|when|must|should|default|cron|jobs?|reports?|quer(?:y|ies)|partitions?|columns?|tests?|asserts?|fixtures?|mocks?|dates?|formats?|pars(?:e|es|er|ing)|param\w*|argument|button|labels?|filters?|calendar|immer|jede[nrsm]?|täglich|wenn)\b|\b(?:same )?as (?:of )?today\b/i

const hasDate =
  /\b\d{4}-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/** Quotes, code, and text of an agent: `[agent: …]`. */
function spansToKeep(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/`[^`]*`?|"[^"]*"?|“[^”]*”?|(?<!\w)'[^']*'(?!\w)|\[agent:[^\]]*\]?/g)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }))
}

interface RelativeDate {
  from: number
  to: number
  /**
   * `2026-09-14`, `2026-09`, `week of 2026-09-14`, or `said on 2026-09-14` if the date is
   * ambiguous.
   */
  date: string
}

/**
 * Finds words for days, weeks, months and years that are relative to `day`, such as 2026-09-14. In
 * the order of the text, not overlapping.
 */
function relativeDates(text: string, day: string): RelativeDate[] {
  const found: RelativeDate[] = []
  for (const { pattern, date } of forms) {
    for (const match of text.matchAll(pattern)) {
      const resolved = date(day, match, text)
      const from = match.index
      const to = from + match[0].length
      if (resolved === undefined || /^['’]s\b|^\s*\(|^-\w/.test(text.slice(to))) continue
      // "In the last week" is a span of seven days, "the last Friday of a month" is any.
      if (/\bthe $/i.test(text.slice(0, from))) continue
      if (!found.some((other) => from < other.to && to > other.from)) found.push({ from, to, date: resolved })
    }
  }
  return found.sort((a, b) => a.from - b.from)
}

interface Form {
  pattern: RegExp
  date(day: string, match: RegExpExecArray, text: string): string | undefined
}

const counts = ['a', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const count = `(?:${counts.join('|')}|\\d{1,2})`
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const forms: Form[] = [
  { pattern: /\b(?:the )?day before yesterday\b|\bvorgestern\b/gi, date: (day) => daysFrom(day, -2) },
  { pattern: /\b(?:the )?day after tomorrow\b|\bübermorgen\b/gi, date: (day) => daysFrom(day, 2) },
  { pattern: /\b(?:yesterday|last night)\b|\bgestern\b/gi, date: (day) => daysFrom(day, -1) },
  { pattern: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b|\bheute\b/gi, date: (day) => day },
  { pattern: /\btomorrow\b/gi, date: (day) => daysFrom(day, 1) },
  {
    pattern: new RegExp(`\\b(last|next|this) (${weekdays.join('|')})\\b`, 'gi'),
    date: (day, [, which, name]) => weekday(day, which!.toLowerCase(), weekdays.indexOf(name!.toLowerCase())),
  },
  {
    pattern: /\b(?:(last|next|this)|(letzte|nächste|diese)) (?:week|Woche)\b/gi,
    date: (day, [, english, german]) => `week of ${daysFrom(monday(day), 7 * turn(english, german))}`,
  },
  {
    pattern: /\b(?:(last|next|this) month|(letzten|nächsten|diesen) Monat)\b/gi,
    date: (day, [, english, german]) => monthsFrom(day, turn(english, german)),
  },
  {
    pattern: /\b(?:(last|next|this) year|(letztes|nächstes|dieses) Jahr)\b/gi,
    date: (day, [, english, german]) => String(Number(day.slice(0, 4)) + turn(english, german)),
  },
  {
    pattern: /\b(last|next|this) quarter\b/gi,
    date: (day, [, which]) => quarter(monthsFrom(day, 3 * turn(which, undefined))),
  },
  {
    pattern: new RegExp(`\\b(${count}) (day|week|month|year)s? ago\\b`, 'gi'),
    date: (day, [, many, unit]) => span(day, -numberOf(many!), unit!.toLowerCase()),
  },
  {
    pattern: new RegExp(`\\bin (${count}) (day|week|month)s?\\b(?! (?:of|or|to|at)\\b)`, 'gi'),
    date: (day, [, many, unit], text) =>
      isPlanned.test(text) && !isRule.test(text) ? span(day, numberOf(many!), unit!.toLowerCase()) : undefined,
  },
]

/** `in two weeks` is a date in a plan, and a duration in a rule. */
const isPlanned =
  /\b(?:we(?:'ll| will| are|'re)|i(?:'ll| will| am|'m)|launch\w*|freez\w*|cut-?over|deadline|demo|goes live|go live|ships?|starts?|ends?|begins?|is due|leaves?|arrives?)\b/i
const isRule =
  /\b(?:expir\w*|rotat\w*|retention|time-?outs?|ttl|cached?|tokens?|keys?|certificates?|within|after|older|keep|kept|retr(?:y|ies)|again|takes?|done|finish\w*|up to|at most|least)\b/i

function turn(english: string | undefined, german: string | undefined): number {
  const word = (english ?? german)!.toLowerCase()
  return /^(?:last|letzt)/.test(word) ? -1 : /^(?:next|nächst)/.test(word) ? 1 : 0
}

function numberOf(word: string): number {
  const index = counts.indexOf(word.toLowerCase())
  return index < 0 ? Number(word) : Math.max(1, index)
}

const dayMs = 86_400_000

function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

function monthsFrom(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

function quarter(month: string): string {
  return `Q${Math.ceil(Number(month.slice(5)) / 3)} ${month.slice(0, 4)}`
}

/** Counted weeks and months are not exact to the day. */
function span(day: string, many: number, unit: string): string {
  if (unit === 'day') return daysFrom(day, many)
  if (unit === 'week') return `week of ${daysFrom(monday(day), 7 * many)}`
  return unit === 'month' ? monthsFrom(day, many) : String(Number(day.slice(0, 4)) + many)
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

function monday(day: string): string {
  return daysFrom(day, -((weekdayOf(day) + 6) % 7))
}

/**
 * On a Monday, `next Thursday` is this week's for some and next week's for others; the same holds
 * for `last`. If the two differ, only the day of the statement is certain.
 */
function weekday(day: string, which: string, wanted: number): string {
  const inWeek = daysFrom(monday(day), (wanted + 6) % 7)
  if (which === 'this') return inWeek
  const nearest = which === 'next' ? inWeek > day : inWeek < day
  return nearest ? `said on ${day}` : daysFrom(inWeek, which === 'next' ? 7 : -7)
}
