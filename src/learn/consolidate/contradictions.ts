// Finds pairs in which the later memory contradicts the earlier one. Sure ones retire the earlier
// memory; otherwise the later one goes to the inbox, as at admission.

import { choiceKeys, thingKey } from '../../memory/choices.ts'
import { compare } from '../../memory/compare.ts'
import type { Memory } from '../../memory/memory.ts'
import { replacedThings } from '../../memory/replacement.ts'
import { jaccard } from '../../text/similarity.ts'
import { byScope, type ComparedMemory, inOrder, type MemoryPair, maxTogether, similarPairs } from './candidate-pairs.ts'
import type { ConsolidationFinding, ConsolidationStep } from './finding.ts'
import type { PastDecisions } from './past-decisions.ts'

export function findContradictions(
  memories: readonly Memory[],
  decided: PastDecisions,
): { sure: MemoryPair[]; unsure: MemoryPair[] } {
  const sure: MemoryPair[] = []
  const unsure: MemoryPair[] = []
  for (const statements of byScope(memories.filter(mayContradict))) {
    for (const pair of candidates(statements)) {
      const found = contradicts(pair)
      if (found === 'none' || decided.isSettled(pair[0].memory, pair[1].memory)) continue
      if (found === 'sure') sure.push(pair)
      else unsure.push(pair)
    }
  }
  return { sure, unsure }
}

/** Hypothetical statements and long stories contradict nothing. */
function mayContradict({ status, text }: Memory): boolean {
  return status === 'settled' && text.length <= maxStatementLength
}

const maxStatementLength = 400

/** Similar pairs, and those in which one chooses what the other rules out or replaces. */
function* candidates(statements: readonly ComparedMemory[]): Iterable<MemoryPair> {
  yield* similarPairs(statements, 0.5)
  const wanting = new Map<string, ComparedMemory[]>()
  const denying = new Map<string, ComparedMemory[]>()
  for (const statement of statements) {
    const { text } = statement.memory
    const { wanted, denied } = choiceKeys(text)
    for (const key of new Set(wanted)) add(wanting, key, statement)
    for (const key of new Set([...denied, ...replacedThings(text).map(thingKey)])) add(denying, key, statement)
  }
  for (const [key, some] of denying)
    for (const one of some.slice(-maxTogether))
      for (const other of wanting.get(key)?.slice(-maxTogether) ?? [])
        if (one !== other && jaccard(one.terms, other.terms) < 0.5) yield inOrder(one, other)
}

function add(places: Map<string, ComparedMemory[]>, key: string, statement: ComparedMemory): void {
  const there = places.get(key)
  if (there) there.push(statement)
  else places.set(key, [statement])
}

function contradicts([later, earlier]: MemoryPair): 'none' | 'sure' | 'unsure' {
  const [after, before] = [later.memory, earlier.memory]
  if (after.validFrom <= before.validFrom || shareSession(after, before)) return 'none'
  const relation = compare(after.text, before.text)
  if (relation.kind !== 'conflict') return 'none'
  return relation.isSure && after.trust === 'user said' ? 'sure' : 'unsure'
}

/** Within one session people refine what they said. */
function shareSession(a: Memory, b: Memory): boolean {
  const sessions = new Set(a.evidence.flatMap(({ session }) => session ?? []))
  return b.evidence.some(({ session }) => session !== null && sessions.has(session))
}

/** The earlier memory stays as history. */
export function retireContradicted(pairs: readonly MemoryPair[]): ConsolidationStep {
  const now = new Map<string, Memory>()
  const findings: ConsolidationFinding[] = []
  for (const [later, earlier] of pairs.toSorted(byTime)) {
    const { memory: old } = earlier
    const { memory: by } = later
    if (now.has(old.id) || now.has(by.id)) continue
    now.set(old.id, { ...old, supersededBy: by.id, supersededAt: by.validFrom, version: old.version + 1 })
    findings.push({ kind: 'retired', memory: old.id, other: by.id, text: old.text, now: by.text })
  }
  return { findings, memories: [...now.values()] }
}

/** The earlier memory stays valid meanwhile. */
export function moveToInbox(pairs: readonly MemoryPair[]): ConsolidationStep {
  const now = new Map<string, Memory>()
  const findings: ConsolidationFinding[] = []
  for (const [later, earlier] of pairs.toSorted(byTime)) {
    const { memory } = later
    if (now.has(memory.id) || now.has(earlier.memory.id)) continue
    now.set(memory.id, { ...memory, state: 'inbox', contradicts: earlier.memory.id, version: memory.version + 1 })
    findings.push({
      kind: 'waits',
      memory: memory.id,
      other: earlier.memory.id,
      text: memory.text,
      now: earlier.memory.text,
    })
  }
  return { findings, memories: [...now.values()] }
}

/** Newest first: it retires everything before it. */
function byTime([a, b]: MemoryPair, [c, d]: MemoryPair): number {
  return order(c, d).localeCompare(order(a, b))
}

function order({ memory: later }: ComparedMemory, { memory: earlier }: ComparedMemory): string {
  return `${later.validFrom} ${later.id} ${earlier.validFrom} ${earlier.id}`
}
