// Merges memories that say the same: the later one stays unless the other has more trust. The
// superseded one stays as history.
import type { Memory } from '../../memory/memory.ts'
import { comparedMemory, inOrder, type MemoryPair, mayReplace, wordingOf } from './candidate-pairs.ts'
import type { ConsolidationFinding, ConsolidationStep } from './finding.ts'
import type { PastDecisions } from './past-decisions.ts'

export function mergeDuplicates(memories: readonly Memory[], decided: PastDecisions, at: string): ConsolidationStep {
  const groups = [...Map.groupBy(memories, keyOf).values()].filter(({ length }) => length > 1)
  const pairs = groups.flatMap(pairsAmong).filter(([a, b]) => !decided.isSettled(a.memory, b.memory))
  return mergePairs(pairs, at)
}

/**
 * Equal keys are merged without a person looking. Stricter than admission, which only counts a
 * repeated statement. The status is included: a failed attempt and a valid rule may have the same
 * words.
 */
function keyOf({ project, status, text }: Memory): string {
  const words = wordingOf(text)
  return JSON.stringify([project, status, words.length > 0 ? words : text])
}

function pairsAmong(group: readonly Memory[]): MemoryPair[] {
  const statements = group.map(comparedMemory)
  return statements.flatMap((one, index) =>
    statements.slice(Math.max(0, index - maxTogether), index).map((other) => inOrder(one, other)),
  )
}

/** Bounds the pairs of something that was learned hundreds of times: time stays linear. */
const maxTogether = 10

/** Merges pair by pair, each in the state that the earlier ones left. */
export function mergePairs(pairs: readonly MemoryPair[], at: string): ConsolidationStep {
  const now = new Map<string, Memory>()
  const findings: ConsolidationFinding[] = []
  const inTime = pairs.toSorted((a, b) => order(a).localeCompare(order(b)))
  for (const pair of inTime) {
    const [later, earlier] = pair.map(({ memory }) => now.get(memory.id) ?? memory) as [Memory, Memory]
    if (later.supersededBy !== null || earlier.supersededBy !== null) continue
    const [keeper, gone] = mayReplace(later, earlier) ? [later, earlier] : [earlier, later]
    if (!mayReplace(keeper, gone)) continue
    // A statement of others is no evidence that the user said it, so it is not counted.
    if (keeper.trust === gone.trust) now.set(keeper.id, joined(now, keeper, gone))
    now.set(gone.id, { ...gone, supersededBy: keeper.id, supersededAt: at, version: bumped(now, gone) })
    findings.push({ kind: 'merged', memory: gone.id, other: keeper.id, text: gone.text, now: keeper.text })
  }
  return { findings, memories: [...now.values()] }
}

/** One change increments the version once, however many pairs a memory is in. */
function bumped(now: ReadonlyMap<string, Memory>, memory: Memory): number {
  return now.has(memory.id) ? memory.version : memory.version + 1
}

function order([later, earlier]: MemoryPair): string {
  return `${later.memory.validFrom} ${later.memory.id} ${earlier.memory.validFrom} ${earlier.memory.id}`
}

const maxEvidence = 10

function joined(now: ReadonlyMap<string, Memory>, keeper: Memory, gone: Memory): Memory {
  const known = new Set(keeper.evidence.map(placeOf))
  const fresh = gone.evidence.filter((one) => !known.has(placeOf(one)))
  return {
    ...keeper,
    why: keeper.why ?? gone.why,
    apply: keeper.apply ?? gone.apply,
    importance: Math.max(keeper.importance, gone.importance),
    tags: [...new Set([...keeper.tags, ...gone.tags])].slice(0, 12),
    keywords: [...new Set([...keeper.keywords, ...gone.keywords])].slice(0, 20),
    evidence: [...fresh, ...keeper.evidence].slice(-maxEvidence),
    confirmedAt: gone.confirmedAt > keeper.confirmedAt ? gone.confirmedAt : keeper.confirmedAt,
    counts: { ...keeper.counts, said: keeper.counts.said + (fresh.length > 0 ? gone.counts.said : 0) },
    version: bumped(now, keeper),
  }
}

function placeOf({ session, event, file, quote }: Memory['evidence'][number]): string {
  return JSON.stringify([session, event, file ?? null, session === null && !file ? quote : ''])
}
