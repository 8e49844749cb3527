// The second step: what stands around a line of a search, each with the id for the third.
import * as z from 'zod'
import { evidence, notice } from '../core/evidence.ts'
import { currentOf } from '../learn/admission/supersede.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { listMemories, memoriesOfSession, memoryById, supersededBy } from '../store/memories/memories.ts'
import type { Visit } from './answer.ts'
import { exchangesAround, exchangeText } from './exchange.ts'
import { isMemoryId, memoryAsked } from './memory-named.ts'
import { memoryLine, memoryText } from './memory-text.ts'
import { eventsOf, parseHitId, sessionAsked } from './stored-session.ts'

export const expandInput = z.strictObject({
  id: z.string().min(1).max(500).describe('an id as memory_search gives it: of a memory, an exchange or a session'),
  around: z.int().min(0).max(5).default(1).describe('of a session: how many exchanges before and after'),
})

export function expand(visit: Visit, { id, around }: z.infer<typeof expandInput>): string {
  return isMemoryId(id) ? expandMemory(visit, memoryAsked(visit.ledger, id)) : expandExchange(visit, id, around)
}

const maxRelated = 10

function expandMemory({ app, ledger }: Visit, memory: Memory): string {
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
    notice,
    memoryText(memory, app),
    lines.length > 0 && evidence({ around: memory.id }, lines.join('\n')),
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
    next = next.flatMap(({ id }) => supersededBy(ledger, id)).filter(({ id }) => id !== memory.id)
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

function expandExchange({ app, ledger }: Visit, id: string, around: number): string {
  const { session: named, place } = parseHitId(id)
  const session = sessionAsked(ledger, named)
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
    notice,
    evidence(source, lines.join('\n') || 'Its text was let go; session_get has its digest.'),
    'memory_get with the id of an exchange gives its full text, session_get the session.',
  ].join('\n\n')
}
