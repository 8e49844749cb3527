// Merges memories that say the same: the one for all projects stays, else the later one, unless the
// other has more trust. The merged one stays as history.
import { compare } from '../../memory/compare.ts'
import type { Memory } from '../../memory/memory.ts'
import { isClearer } from '../../memory/wording.ts'
import { comparedMemory, inOrder, type MemoryPair, mayReplace, wordingOf } from './candidate-pairs.ts'
import type { ConsolidationFinding, ConsolidationStep } from './finding.ts'
import type { PastDecisions } from './past-decisions.ts'

export function mergeDuplicates(memories: readonly Memory[], decided: PastDecisions, at: string): ConsolidationStep {
  const groups = [...Map.groupBy(memories, keyOf).values()].filter(({ length }) => length > 1)
  const pairs = groups
    .flatMap(pairsAmong)
    .filter(([{ memory: a }, { memory: b }]) => isDuplicate(a, b) && !decided.isSettled(a, b))
  return mergePairs(pairs, at)
}

/** The status is included: a failed attempt and a valid rule may have the same words. */
function keyOf(memory: Memory): string {
  const { terms } = comparedMemory(memory)
  return JSON.stringify([memory.status, terms.size > 0 ? [...terms].sort() : wordingOf(memory.text)])
}

/**
 * Stricter than admission, which only counts a repeated statement: two memories are merged without a
 * person looking, so they must have the same terms, and the words that limit them must agree.
 */
function isDuplicate(a: Memory, b: Memory): boolean {
  if (a.project !== b.project && a.project !== null && b.project !== null) return false
  const [mine, theirs] = [wordingOf(a.text), wordingOf(b.text)]
  if (mine.join(' ') === theirs.join(' ')) return true
  // "Info in staging, debug in dev": the order says what belongs to which.
  if (mine.filter((word) => environment.test(word)).length > 1) return false
  return compare(b.text, a.text).kind === 'same' && limitsIn(mine) === limitsIn(theirs)
}

const environment = /^(?:staging|prod|production|dev|development|ci|local|locally|tests?)$/

/** Words that limit a statement, and names with upper case, in their order. */
function limitsIn(words: readonly string[]): string {
  return words.filter((word) => limits.test(word) || /.\p{Lu}|[/\\_$]/u.test(word)).join(' ')
}

const limits = /^(?:only|just|unless|except|without|most|some|sometimes|usually)$/

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
    const [keeper, gone] = keeperFirst(later, earlier)
    if (!mayReplace(keeper, gone)) continue
    // A statement of others is no evidence that the user said it, so it is not counted.
    if (keeper.trust === gone.trust) now.set(keeper.id, joined(now, keeper, gone))
    now.set(gone.id, { ...gone, supersededBy: keeper.id, supersededAt: at, version: bumped(now, gone) })
    findings.push({ kind: 'merged', memory: gone.id, other: keeper.id, text: gone.text, now: keeper.text })
  }
  return { findings, memories: [...now.values()] }
}

function keeperFirst(later: Memory, earlier: Memory): [keeper: Memory, gone: Memory] {
  if (later.project !== earlier.project) return later.project === null ? [later, earlier] : [earlier, later]
  return mayReplace(later, earlier) ? [later, earlier] : [earlier, later]
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
  const isPersons = gone.because === 'person' && keeper.because !== 'person'
  const mayReword = keeper.because !== 'person' && keeper.project === gone.project
  return {
    ...keeper,
    ...(isPersons || (mayReword && isClearer(gone.text, keeper.text)) ? { text: gone.text } : {}),
    because: isPersons ? 'person' : keeper.because,
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
