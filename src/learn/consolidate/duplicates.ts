// Memories that say the same become one: the later, unless the other weighs more. What was superseded stays as history.
import type { Memory } from '../../core/memory.ts'
import type { Decided } from './decided.ts'
import { byScope, likePairs, type Pair } from './pairs.ts'
import { everyWord, leastLikeness, mayTakePlace, sayTheSame } from './same.ts'
import type { Finding, Step } from './step.ts'

export function mergeDuplicates(memories: readonly Memory[], decided: Decided, at: string): Step {
  const pairs = byScope(memories).flatMap((statements) => [
    ...likePairs(statements, { setOf: everyWord, least: leastLikeness }),
  ])
  const same = pairs.filter((pair) => sayTheSame(pair) && !decided.isSettled(pair[0].memory, pair[1].memory))
  return mergePairs(same, at)
}

/** Each pair as it stands after the ones before it. */
export function mergePairs(pairs: readonly Pair[], at: string): Step {
  const now = new Map<string, Memory>()
  const findings: Finding[] = []
  const inTime = pairs.toSorted((a, b) => order(a).localeCompare(order(b)))
  for (const pair of inTime) {
    const [later, earlier] = pair.map(({ memory }) => now.get(memory.id) ?? memory) as [Memory, Memory]
    if (later.supersededBy !== null || earlier.supersededBy !== null) continue
    const [keeper, gone] = mayTakePlace(later, earlier) ? [later, earlier] : [earlier, later]
    if (!mayTakePlace(keeper, gone)) continue
    // What others said is no evidence that the user said it: it is not counted.
    if (keeper.trust === gone.trust) now.set(keeper.id, joined(now, keeper, gone))
    now.set(gone.id, { ...gone, supersededBy: keeper.id, supersededAt: at, version: bumped(now, gone) })
    findings.push({ kind: 'merged', memory: gone.id, other: keeper.id, text: gone.text, now: keeper.text })
  }
  return { findings, memories: [...now.values()] }
}

/** One change is one version, however many pairs a memory is in. */
function bumped(now: ReadonlyMap<string, Memory>, memory: Memory): number {
  return now.has(memory.id) ? memory.version : memory.version + 1
}

function order([later, earlier]: Pair): string {
  return `${later.memory.validFrom} ${later.memory.id} ${earlier.memory.validFrom} ${earlier.memory.id}`
}

const mostEvidence = 10

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
    evidence: [...fresh, ...keeper.evidence].slice(-mostEvidence),
    confirmedAt: gone.confirmedAt > keeper.confirmedAt ? gone.confirmedAt : keeper.confirmedAt,
    counts: { ...keeper.counts, said: keeper.counts.said + (fresh.length > 0 ? gone.counts.said : 0) },
    version: bumped(now, keeper),
  }
}

function placeOf({ session, event, file, quote }: Memory['evidence'][number]): string {
  return JSON.stringify([session, event, file ?? null, session === null && !file ? quote : ''])
}
