// memory_expand returns the context of a search result with the ids for memory_get, which returns
// the full text.
import * as z from 'zod'
import { evidenceNotice, wrapEvidence } from '../../gate/evidence.ts'
import { currentOf } from '../../learn/admission/admit.ts'
import { linksOfMemory } from '../../learn/links.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories, memoriesOfSession, memoriesSupersededBy, memoryById } from '../../store/memories/memories.ts'
import { eventsOf, isMemoryId, parseHitId, requireMemory, requireSession } from '../lookup.ts'
import { memoryLine, memoryText, textContextOf } from '../memory-text.ts'
import type { ToolCall } from '../tool-result.ts'
import { exchangesAround, exchangeText } from './exchange.ts'
import { maxCharacters, sessionText } from './session-get.ts'

export const memoryExpandInput = z.strictObject({
  id: z.string().min(1).max(500).describe('id of a memory, an exchange or a session, from memory_search'),
  around: z.int().min(0).max(5).default(1).describe('for exchanges: number of exchanges before and after'),
})

export function memoryExpand(call: ToolCall, { id, around }: z.infer<typeof memoryExpandInput>): string {
  return isMemoryId(id) ? expandMemory(call, requireMemory(call.ledger, id)) : expandExchange(call, id, around)
}

const maxRelated = 10

function expandMemory({ app, ledger }: ToolCall, memory: Memory): string {
  const groups: [title: string, memories: Memory[]][] = [
    ['Supersedes', earlierOf(ledger, memory)],
    ['Superseded by', memory.supersededBy ? [currentOf(ledger, memory.id)!] : []],
    ['May contradict', memory.contradicts ? [memoryById(ledger, memory.contradicts)].filter(isDefined) : []],
    ['In the inbox, may contradict it', contradicting(ledger, memory)],
    ...linkedGroups(ledger, memory),
    ['From the same session', ofSameSession(ledger, memory)],
  ]
  const lines = groups.flatMap(([title, memories]) => {
    const shown = memories.filter(({ state }) => state !== 'forgotten').slice(0, maxRelated)
    return shown.length === 0
      ? []
      : [`${title}:`, ...shown.map((one) => memoryLine(one, textContextOf({ app, ledger })))]
  })
  const sessions = sessionsOf(memory)
  return [
    evidenceNotice,
    memoryText(memory, app),
    lines.length > 0 && wrapEvidence({ around: memory.id }, lines.join('\n')),
    sessions.length > 0 && `To read the session: session_get with ${sessions.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** By type and direction; superseding has groups of its own. */
function linkedGroups(ledger: Ledger, memory: Memory): [title: string, memories: Memory[]][] {
  const links = linksOfMemory(ledger, memory).filter(({ type }) => type !== 'supersedes')
  const groups = Map.groupBy(links, ({ from, type }) => (from === memory.id ? type : `${type} this one`))
  return [...groups].map(([title, those]) => [
    `Link ${title}`,
    those.flatMap(({ from, to }) => memoryById(ledger, from === memory.id ? to : from) ?? []),
  ])
}

function isDefined(memory: Memory | undefined): memory is Memory {
  return memory !== undefined
}

/** All superseded memories, the latest first. */
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
    .map((memory) => memoryLine(memory, textContextOf({ app, ledger })))
  const texts = exchanges.map((exchange) => exchangeText(exchange, `${session.id}#${exchange.from}`, app.zone))
  const lines = [...texts, ...(learned.length > 0 ? ['Learned in this session:', ...learned] : [])]
  const { project, title, started, agent } = session
  const source = { session: session.id, agent, project, date: started, title }
  return [
    evidenceNotice,
    wrapEvidence(
      source,
      lines.join('\n') || 'The conversation was deleted to save space; session_get returns its digest.',
    ),
    'For the full text of an exchange: memory_get with its id. For the session: session_get.',
  ].join('\n\n')
}

export const memoryGetInput = z.strictObject({
  ids: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .describe('ids of memories, exchanges or sessions, from memory_search and memory_expand'),
})

/** Returns complete items, as many as fit; always the first one. */
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
  const rest = left.length > 0 ? [`Left out for lack of space: ${left.join(', ')}. Request them separately.`] : []
  return [evidenceNotice, ...texts, ...rest].join('\n\n')
}

function fullText({ app, ledger }: ToolCall, id: string): string {
  if (isMemoryId(id)) return memoryText(requireMemory(ledger, id), app)
  const { session: named, place } = parseHitId(id)
  const session = requireSession(ledger, named)
  const exchange = place === undefined ? undefined : exchangesAround(eventsOf(ledger, session), place, 0)[0]
  const part = exchange ? { from: exchange.from, to: exchange.to } : { from: 0 }
  const { text, next } = sessionText(ledger, session, { ...part, limit: 500 }, app.zone)
  return next === undefined ? text : `${text}\nTo continue: session_get with session ${session.id} and from ${next}.`
}
