// Counts which memories of a brief were shown and used. A session with a brief was shown its
// memories; a memory was used if the agent repeated its words afterwards or requested it by its id.
import type { Agent } from '../agents/agent.ts'
import type { Json } from '../core/session.ts'
import { toolsUsedIn } from '../digest/digest.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { changeMemories } from '../store/memories/changes.ts'
import {
  briefContentsAt,
  hasShownMemories,
  markCounted,
  markShown,
  markUsed,
  type SessionToCount,
  savedAndTold,
  sessionsToCount,
  unusedMemoriesIn,
} from '../store/memories/usage.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { promptSeqBefore, summariseEvent } from '../store/sessions/events.ts'
import { splitSentences } from '../text/sentences.ts'
import { sharedCount } from '../text/similarity.ts'
import { type StatementTerms, statementTerms } from '../text/statement.ts'

export interface UsageContext {
  ledger: Ledger
  agents: readonly Agent[]
}

/** Returns how many memories were shown and used for the first time in their session. */
export function countUse({ ledger, agents }: UsageContext): { shown: number; used: number } {
  const total = { shown: 0, used: 0 }
  for (const session of sessionsToCount(ledger)) {
    ledger.transaction(() => {
      const fresh = countShown(ledger, session, agents)
      total.shown += fresh
      total.used += countUsed(ledger, fresh > 0 ? { ...session, through: 0 } : session)
      markCounted(ledger, session)
    })
  }
  putBeforePerson(ledger, savedAndTold(ledger))
  return total
}

/** What an agent saved on its own is told to one session; then it waits for the person. */
export function putBeforePerson(ledger: Ledger, told: readonly { memory: Memory; at: string }[]): void {
  if (told.length === 0) return
  const at = told
    .map(({ at }) => at)
    .sort()
    .at(-1)!
  const waiting = told.map(({ memory }): Memory => ({ ...memory, state: 'inbox', version: memory.version + 1 }))
  ledger.transaction(() =>
    changeMemories(ledger, { at, kind: 'consolidated', about: 'saved by agents, waits for review' }, waiting),
  )
}

/** Once per session: a brief that is repeated after a compaction is not counted again. */
function countShown(ledger: Ledger, session: SessionToCount, agents: readonly Agent[]): number {
  const { id, agent, project, startedMs } = session
  const takesBriefs = agents.find((known) => known.id === agent)?.hooks?.brief !== undefined
  if (!takesBriefs || startedMs === null || project === null || hasShownMemories(ledger, id)) return 0
  return markShown(ledger, id, briefContentsAt(ledger, project, startedMs), startedMs)
}

/** Reads the events since the last count; returns the number of newly used memories. */
function countUsed(ledger: Ledger, session: SessionToCount): number {
  const waiting = new Map(unusedMemoriesIn(ledger, session.id).map(({ id, text }) => [id, statementTerms(text)]))
  if (waiting.size === 0 && !asksForMemories(ledger, session)) return 0
  const used = new Set<string>()
  let asked = statementTerms('')
  for (const event of eventsOf(ledger, session)) {
    if (event.kind === 'prompt' || event.kind === 'command') asked = statementTerms(event.text)
    const words = agentText(event)
    for (const [id] of words.matchAll(memoryIds)) {
      // A memory that the agent requests by its id is shown to it by that.
      markShown(ledger, session.id, [id], event.ts ? Date.parse(event.ts) : (session.startedMs ?? 0))
      used.add(id)
    }
    const passages = words === '' || isMemoryTool(event) ? [] : sentencePairs(words)
    for (const [id, memory] of waiting) {
      if (!used.has(id) && passages.some((passage) => repeatsMemory(memory, passage, asked))) used.add(id)
    }
  }
  return [...used].filter((id) => markUsed(ledger, session.id, id)).length
}

/** The format that admission generates. */
const memoryIds = /\bm-[a-z2-9]{10}\b/g
const memoryTool = /memory_\w+$/
const asksById = /memory_(?:get|expand)$/

function asksForMemories(ledger: Ledger, { uid }: SessionToCount): boolean {
  return toolsUsedIn(ledger, uid).some((tool) => asksById.test(tool))
}

/** Storing or searching memories is not a use of them. */
function isMemoryTool({ kind, tool }: StoredEvent): boolean {
  return kind === 'tool_call' && memoryTool.test(tool ?? '')
}

/**
 * From the prompt before the first uncounted event on. Deleted and damaged bodies are reported
 * elsewhere.
 */
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

/** Replies and tool inputs; tool output is not a use. */
function agentText({ kind, text, input }: StoredEvent): string {
  if (kind === 'reply') return text
  return kind === 'tool_call' && input !== undefined ? stringsOf(input).join('\n') : ''
}

function stringsOf(input: Json): string[] {
  if (typeof input === 'string') return [input]
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).flatMap((value) => (value === undefined ? [] : stringsOf(value)))
}

/** Pairs of sentences: a long answer as a whole would match anything. */
function sentencePairs(text: string): StatementTerms[] {
  const sentences = splitSentences(text)
    // A value may be part of an address or an option.
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
 * The passage has all values and half of the words of the memory (all but one of a short memory),
 * and not only words of the prompt. A prohibition is not used by a passage without negation.
 */
function repeatsMemory(memory: StatementTerms, passage: StatementTerms, asked: StatementTerms): boolean {
  if (memory.isNegative && !passage.isNegative) return false
  if (sharedCount(memory.values, passage.values) < memory.values.size) return false
  const words = [...memory.words].filter((word) => passage.words.has(word))
  const [shared, all] = [words.length + memory.values.size, memory.words.size + memory.values.size]
  if (words.length * 2 < memory.words.size || shared < Math.max(2, Math.min(3, all - 1))) return false
  return words.some((word) => !asked.words.has(word)) || [...memory.values].some((value) => !asked.values.has(value))
}
