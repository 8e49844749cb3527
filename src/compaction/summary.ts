// The text that replaced the events before a compaction: the compaction's own, and what the agent's
// program wrote directly behind it, where Claude Code puts the summary.
import type { EventKind } from '../core/session.ts'
import { truncate } from '../text/truncate.ts'

/** Of a longer one the rest is not compared. */
export const maxSummary = 100_000

export function summaryAfter(
  events: readonly { kind: EventKind; text: string }[],
  compaction: number,
): { text: string; next: number } {
  let next = compaction + 1
  while (events[next]?.kind === 'context') next++
  const text = events
    .slice(compaction, next)
    .map((event) => event.text)
    .join('\n')
  return { text: truncate(text, maxSummary), next }
}

/** Not where the agent records none: then readers only say that there was a compaction. */
export function isSummary(text: string): boolean {
  return !withoutSummary.test(text.trim())
}

const withoutSummary =
  /^(?:|Older messages were dropped|[^\n]{0,80}(?:left the context|\bcompact(?:ed|ion)\b|\bcompressed\b|\d to \d+ tokens)[^\n]{0,80})$/i

/** Whether a text of the agent's program directly behind a compaction is its summary. */
export function startsSummary(text: string): boolean {
  return /^\s*(?:This session is being continued|Another language model|<summary>|<state_snapshot>)/.test(text)
}
