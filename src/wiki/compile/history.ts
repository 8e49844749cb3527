// How a topic came to be what it is: statements that no longer hold with what took their place, and the sessions on it by day.
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { maxStatements, moreLine } from './sections.ts'
import { type Days, dayLink, sessionName, sourceOf, wordsOf } from './statement.ts'

export interface Past {
  /** The last superseded first. */
  superseded: readonly Memory[]
  /** The earliest first. */
  sessions: readonly JournaledSession[]
  days: Days
  successorOf(memory: Memory): Memory | undefined
  more: string
}

export function historySection({ superseded, sessions, days, successorOf, more }: Past): string {
  const shown = superseded.slice(0, maxStatements)
  const old = shown.map((memory) => supersededLine(memory, successorOf(memory), days))
  const recent = sessions.toReversed().slice(0, maxStatements)
  const worked = recent.map(
    ({ day, title, session }) =>
      `- ${dayLink(day)}: ${escapeMarkdown(title, 160)} (${inlineCode(sessionName(session))})`,
  )
  const parts = [
    old.length > 0 ? ['### No longer holds', '', ...old, ...moreLine(superseded.length - shown.length, more)] : [],
    worked.length > 0
      ? ['### Sessions', '', ...worked, ...moreLine(sessions.length - recent.length, 'recollect sessions')]
      : [],
  ].filter((part) => part.length > 0)
  return parts.length === 0 ? '' : ['## History', ...parts.flatMap((part) => ['', ...part])].join('\n')
}

function supersededLine(memory: Memory, successor: Memory | undefined, days: Days): string {
  const until = memory.supersededAt === null ? 'Earlier' : `Until ${memory.supersededAt.slice(0, 10)}`
  const then = successor === undefined ? '' : ` Then: ${wordsOf(successor, 300)} (${sourceOf(successor, days)})`
  return `- ${until}: ${wordsOf(memory, 400)} (${sourceOf(memory, days)})${then}`
}
