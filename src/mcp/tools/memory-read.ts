// The second step: what stands around a line of a search, each with the id for the third.
import * as z from 'zod'
import { evidenceNotice, wrapEvidence } from '../../core/injected-text.ts'
import { currentOf } from '../../learn/admission/admit.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories, memoriesOfSession, memoriesSupersededBy, memoryById } from '../../store/memories/memories.ts'
import { eventsOf, isMemoryId, parseHitId, requireMemory, requireSession } from '../lookup.ts'
import { memoryLine, memoryText } from '../memory-text.ts'
import type { ToolCall } from '../tool-result.ts'
import { exchangesAround, exchangeText } from './exchange.ts'
import { maxCharacters, sessionText } from './session-get.ts'

export const memoryExpandInput = z.strictObject({
  id: z.string().min(1).max(500).describe('an id as memory_search gives it: of a memory, an exchange or a session'),
  around: z.int().min(0).max(5).default(1).describe('of a session: how many exchanges before and after'),
})

export function memoryExpand(call: ToolCall, { id, around }: z.infer<typeof memoryExpandInput>): string {
  return isMemoryId(id) ? expandMemory(call, requireMemory(call.ledger, id)) : expandExchange(call, id, around)
}

const maxRelated = 10

function expandMemory({ app, ledger }: ToolCall, memory: Memory): string {
  const groups: [title: string, memories: Memory[]][] = [
    ['It took the place of', earlierOf(ledger, memory)],
    ['What holds now', memory.supersededBy ? [currentOf(ledger, memory.id)!] : []],
    ['It may contradict', memory.contradicts ? [memoryById(ledger, memory.contradicts)].filter(isThere) : []],
    ['May contradict it, and waits for a person', contradicting(ledger, memory)],
    ['From the same session', ofSameSession(ledger, memory)],
  ]
  const lines = groups.flatMap(([title, memories]) => {
    const shown = memories.filter(({ state }) => state !== 'forgotten').slice(0, maxRelated)
    return shown.length === 0 ? [] : [`${title}:`, ...shown.map((one) => memoryLine(one, app))]
  })
  const sessions = sessionsOf(memory)
  return [
    evidenceNotice,
    memoryText(memory, app),
    lines.length > 0 && wrapEvidence({ around: memory.id }, lines.join('\n')),
    sessions.length > 0 && `session_get reads the session: ${sessions.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function isThere(memory: Memory | undefined): memory is Memory {
  return memory !== undefined
}

/** The whole chain, the last one first. */
function earlierOf(ledger: Ledger, memory: Memory): Memory[] {
  const chain: Memory[] = []
  for (let next = [memory]; next.length > 0 && chain.length < maxRelated; ) {
    next = next.flatMap(({ id }) => memoriesSupersededBy(ledger, id)).filter(({ id }) => id !== memory.id)
    chain.push(...next)
  }
  return chain
}

function contradicting(ledger: Ledger, { id }: Memory): Memory[] {
  return listMemories(ledger, { state: 'inbox', limit: 1000 }).filter(({ contradicts }) => contradicts === id)
}

function ofSameSession(ledger: Ledger, memory: Memory): Memory[] {
  const found = sessionsOf(memory).flatMap((session) => memoriesOfSession(ledger, session))
  return [...new Map(found.map((one) => [one.id, one])).values()].filter(({ id }) => id !== memory.id)
}

function sessionsOf({ evidence }: Memory): string[] {
  return [...new Set(evidence.flatMap(({ session }) => session ?? []))]
}

function expandExchange({ app, ledger }: ToolCall, id: string, around: number): string {
  const { session: named, place } = parseHitId(id)
  const session = requireSession(ledger, named)
  const exchanges = exchangesAround(eventsOf(ledger, session), place ?? 0, around)
  const learned = memoriesOfSession(ledger, session.id)
    .filter(({ state }) => state !== 'forgotten')
    .slice(0, maxRelated)
    .map((memory) => memoryLine(memory, app))
  const told = exchanges.map((exchange) => exchangeText(exchange, `${session.id}#${exchange.from}`, app.zone))
  const lines = [...told, ...(learned.length > 0 ? ['Learned in this session:', ...learned] : [])]
  const { project, title, started, agent } = session
  const source = { session: session.id, agent, project, date: started, title }
  return [
    evidenceNotice,
    wrapEvidence(source, lines.join('\n') || 'Its text was let go; session_get has its digest.'),
    'memory_get with the id of an exchange gives its full text, session_get the session.',
  ].join('\n\n')
}

// The third step: the full text of a few things.

export const memoryGetInput = z.strictObject({
  ids: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .describe('ids as memory_search and memory_expand give them: of memories, exchanges or sessions'),
})

/** Whole items, as many as fit; the first one is always given. */
export function memoryGet(call: ToolCall, { ids }: z.infer<typeof memoryGetInput>): string {
  const texts: string[] = []
  const left: string[] = []
  let size = 0
  for (const id of new Set(ids)) {
    const text = size < maxCharacters ? fullText(call, id) : ''
    if (text === '' || (texts.length > 0 && size + text.length > maxCharacters)) {
      left.push(id)
      continue
    }
    texts.push(text)
    size += text.length
  }
  const rest = left.length > 0 ? [`Left out, because it does not fit here: ${left.join(', ')}. Ask for it alone.`] : []
  return [evidenceNotice, ...texts, ...rest].join('\n\n')
}

function fullText({ app, ledger }: ToolCall, id: string): string {
  if (isMemoryId(id)) return memoryText(requireMemory(ledger, id), app)
  const { session: named, place } = parseHitId(id)
  const session = requireSession(ledger, named)
  const exchange = place === undefined ? undefined : exchangesAround(eventsOf(ledger, session), place, 0)[0]
  const part = exchange ? { from: exchange.from, to: exchange.to } : { from: 0 }
  const { text, next } = sessionText(ledger, session, { ...part, limit: 500 }, app.zone)
  return next === undefined ? text : `${text}\nThere is more: session_get with session ${session.id} and from ${next}.`
}
