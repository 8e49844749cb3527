// "Yesterday" means nothing in a month: dates that hang on the day on which something was said get that day's date beside them.
// The words themselves stay. Quotes, code and the words of an agent are left alone, and so is what happens every day.

import type { Zone } from '../../core/units.ts'
import { type Memory, maxMemoryLength } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { firstVersion } from '../../store/memories/consolidation.ts'
import type { PastDecisions } from './decided.ts'
import { relativeDates } from './relative-dates.ts'
import type { ConsolidationFinding, ConsolidationStep } from './step.ts'

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

/** Most memories have none of these. */
const mayBeRelative =
  /day\b|tomorrow|tonight|\b(?:last|next|this|ago|gestern|heute|(?:letzte|nächste|diese)\w?)\b|übermorgen|\bin \w+ (?:days|weeks|months)/i

/** As it was first written: an edit or another memory that it took in came on another day. */
function saidOn(ledger: Ledger, zone: Zone, { id }: Memory): { day: string; quote: string } | undefined {
  const first = firstVersion(ledger, id)
  const quote = first?.evidence[0]?.quote
  return first && quote ? { day: zone.day(first.validFrom), quote } : undefined
}

/** Only words that stand in the quote, too, were said on that day. */
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
  let start = 0
  return text.split(/(?<=[.!?;:]\s)|(?<=\n)/).map((sentence) => {
    start += sentence.length
    return { sentence, start: start - sentence.length }
  })
}

/** Rules and routines: "the job loads yesterday's rows" is true on every day. */
const isHabit =
  /\b(?:always|never|every|each|daily|nightly|weekly|monthly|whenever|if|when|must|should|default|cron|jobs?|reports?|quer(?:y|ies)|partitions?|columns?|tests?|asserts?|fixtures?|mocks?|dates?|formats?|pars(?:e|es|er|ing)|param\w*|argument|button|labels?|filters?|calendar|immer|jede[nrsm]?|täglich|wenn)\b|\b(?:same )?as (?:of )?today\b/i

const hasDate =
  /\b\d{4}-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/** Quotes, code, and what an agent said before: `[agent: …]`. */
function spansToKeep(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/`[^`]*`?|"[^"]*"?|“[^”]*”?|(?<!\w)'[^']*'(?!\w)|\[agent:[^\]]*\]?/g)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }))
}
