// What became of the memories that a brief showed: a session whose start hook gave it one was shown what was in it, and used what
// its agent said or did afterwards in the words of a memory, or asked for by its id.
import type { Agent } from '../agents/agent.ts'
import type { Json } from '../core/session.ts'
import { readDigest } from '../digest/digest.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  briefContentsAt,
  hasShownMemories,
  markCounted,
  markShown,
  markUsed,
  type SessionToCount,
  sessionsToCount,
  unusedMemoriesIn,
} from '../store/memories/usage.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { promptSeqBefore, summariseEvent } from '../store/sessions/events.ts'
import { sharedCount } from '../text/similarity.ts'
import { type StatementTerms, statementTerms } from '../text/statement.ts'

export interface UseContext {
  ledger: Ledger
  agents: readonly Agent[]
}

/** Gives back how many memories were shown and used for the first time in their session. */
export function countUse({ ledger, agents }: UseContext): { shown: number; used: number } {
  const total = { shown: 0, used: 0 }
  for (const session of sessionsToCount(ledger)) {
    ledger.transaction(() => {
      const fresh = countShown(ledger, session, agents)
      total.shown += fresh
      total.used += countUsed(ledger, fresh > 0 ? { ...session, through: 0 } : session)
      markCounted(ledger, session)
    })
  }
  return total
}

/** Once per session: a brief that is given again after a compaction is the same conversation. */
function countShown(ledger: Ledger, session: SessionToCount, agents: readonly Agent[]): number {
  const { id, agent, project, startedMs } = session
  const takesBriefs = agents.find((known) => known.id === agent)?.hooks?.brief !== undefined
  if (!takesBriefs || startedMs === null || project === null || hasShownMemories(ledger, id)) return 0
  return markShown(ledger, id, briefContentsAt(ledger, project, startedMs), startedMs)
}

/** Looks through what came since the last time. Gives back how many memories are used now that were not before. */
function countUsed(ledger: Ledger, session: SessionToCount): number {
  const waiting = new Map(unusedMemoriesIn(ledger, session.id).map(({ id, text }) => [id, statementTerms(text)]))
  if (waiting.size === 0 && !asksByIds(ledger, session)) return 0
  const used = new Set<string>()
  let asked = statementTerms('')
  for (const event of eventsOf(ledger, session)) {
    if (event.kind === 'prompt' || event.kind === 'command') asked = statementTerms(event.text)
    const words = wordsOfAgent(event)
    for (const [id] of words.matchAll(ids)) {
      // What an agent asks for by its id is shown to it then.
      markShown(ledger, session.id, [id], event.ts ? Date.parse(event.ts) : (session.startedMs ?? 0))
      used.add(id)
    }
    const passages = words === '' || isOwnTool(event) ? [] : passagesOf(words)
    for (const [id, memory] of waiting) {
      if (!used.has(id) && passages.some((passage) => repeats(memory, passage, asked))) used.add(id)
    }
  }
  return [...used].filter((id) => markUsed(ledger, session.id, id)).length
}

/** As ids are made in admission. */
const ids = /\bm-[a-z2-9]{10}\b/g
const ownTool = /memory_\w+$/
const asksById = /memory_(?:get|expand)$/

function asksByIds(ledger: Ledger, { uid }: SessionToCount): boolean {
  return Object.keys(readDigest(ledger, uid)?.tools ?? {}).some((tool) => asksById.test(tool))
}

/** What an agent writes into a memory or looks for there is not yet a use of it. */
function isOwnTool({ kind, tool }: StoredEvent): boolean {
  return kind === 'tool_call' && ownTool.test(tool ?? '')
}

/** From the prompt on that the first of them follows. A body that is gone or damaged has been told of elsewhere. */
function* eventsOf(ledger: Ledger, { id, through, body }: SessionToCount): Generator<StoredEvent> {
  if (!body) return
  const from = through > 0 ? promptSeqBefore(ledger, id, through) : 0
  try {
    for (const event of readBody(ledger.layout.bodies, body.file, body.bytes, from)) {
      yield { seq: event.seq, ...summariseEvent(event) }
    }
  } catch {
    return
  }
}

/** What the agent said, or gave to a tool: what a tool printed is nobody's use. */
function wordsOfAgent({ kind, text, input }: StoredEvent): string {
  if (kind === 'reply') return text
  return kind === 'tool_call' && input !== undefined ? stringsOf(input).join('\n') : ''
}

function stringsOf(input: Json): string[] {
  if (typeof input === 'string') return [input]
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).flatMap((value) => (value === undefined ? [] : stringsOf(value)))
}

/** Two sentences or lines at a time: in a long answer everything is said somewhere. */
function passagesOf(text: string): StatementTerms[] {
  const sentences = text
    .split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/)
    .filter((sentence) => sentence.trim() !== '')
    // A value may stand inside of an address or an option.
    .map((sentence) => statementTerms(`${sentence} ${sentence.replace(/[/:@=-]+/g, ' ')}`))
  return sentences.map((sentence, index) => {
    const next = sentences[index + 1]
    if (!next) return sentence
    return {
      words: new Set([...sentence.words, ...next.words]),
      values: new Set([...sentence.values, ...next.values]),
      isNegative: sentence.isNegative || next.isNegative,
    }
  })
}

/**
 * All of its values and half of its words, of a short one all but one, and not only what the prompt has said itself. What
 * forbids something is not used by doing it.
 */
function repeats(memory: StatementTerms, passage: StatementTerms, asked: StatementTerms): boolean {
  if (memory.isNegative && !passage.isNegative) return false
  if (sharedCount(memory.values, passage.values) < memory.values.size) return false
  const words = [...memory.words].filter((word) => passage.words.has(word))
  const [shared, all] = [words.length + memory.values.size, memory.words.size + memory.values.size]
  if (words.length * 2 < memory.words.size || shared < Math.max(2, Math.min(3, all - 1))) return false
  return words.some((word) => !asked.words.has(word)) || [...memory.values].some((value) => !asked.values.has(value))
}
