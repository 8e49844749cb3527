// Under which topics memories are filed, once it is known what all of them could be filed under.
import type { Memory } from '../../memory/memory.ts'
import { type Candidate, isGeneralKind } from './candidates.ts'
import { subjectTitle } from './subjects.ts'

/** So many memories make a topic of what each of them only mentions. */
const enoughMemories = 2
/** Words that everybody uses need more. */
const enoughOfSubject = 3

/** Topics of each memory, the first the one that it is about; none where it belongs to the project alone. */
export function fileMemories(
  memories: readonly Memory[],
  candidates: ReadonlyMap<string, readonly Candidate[]>,
  known: ReadonlySet<string>,
): Map<string, string[]> {
  const isEnough = (topic: string, count = 0) => count >= (subjectTitle(topic) ? enoughOfSubject : enoughMemories)
  const mentioned = countOf([...candidates.values()].map((list) => [...new Set(list.map(({ topic }) => topic))]))
  const first = chooseTopics(
    candidates,
    (each) => isKept(each, known) || isEnough(each.topic, mentioned.get(each.topic)),
  )
  // Many may mention what hardly any is about: those that are go elsewhere.
  const filed = countOf([...first.values()])
  const chosen = chooseTopics(candidates, (each) => isKept(each, known) || isEnough(each.topic, filed.get(each.topic)))
  return withHistory(memories, withSiblings(memories, chosen))
}

function isKept({ topic, isSure }: Candidate, known: ReadonlySet<string>): boolean {
  return isSure || known.has(topic)
}

function countOf(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) for (const topic of list) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return counts
}

function chooseTopics(
  candidates: ReadonlyMap<string, readonly Candidate[]>,
  isTopic: (candidate: Candidate) => boolean,
): Map<string, string[]> {
  return new Map(
    [...candidates].map(([id, list]) => {
      const [first, ...others] = list.filter(isTopic)
      if (first === undefined) return [id, []]
      const second = first.isNamed ? others.find(({ topic, isNamed }) => isNamed && topic !== first.topic) : undefined
      return [id, second === undefined ? [first.topic] : [first.topic, second.topic]]
    }),
  )
}

/** What names nothing is about what everything else in its session is about; a habit is not. */
function withSiblings(memories: readonly Memory[], chosen: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const bySession = new Map<string, Set<string>>()
  for (const { id, evidence } of memories) {
    const [topic] = chosen.get(id)!
    const session = evidence[0]?.session
    if (topic === undefined || !session) continue
    bySession.set(session, (bySession.get(session) ?? new Set()).add(topic))
  }
  return new Map(
    memories.map(({ id, kind, evidence }) => {
      const own = chosen.get(id)!
      const siblings = bySession.get(evidence[0]?.session ?? '')
      return [id, own.length > 0 || isGeneralKind(kind) || siblings?.size !== 1 ? own : [...siblings]]
    }),
  )
}

/** What was superseded is history of whatever took its place. */
function withHistory(memories: readonly Memory[], filed: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const next = new Map(memories.map(({ id, supersededBy }) => [id, supersededBy]))
  return new Map(
    memories.map(({ id }) => {
      const last = filed.get(lastOf(id, next))!
      return [id, last.length > 0 ? last : filed.get(id)!]
    }),
  )
}

const longestChain = 20

function lastOf(id: string, next: ReadonlyMap<string, string | null>): string {
  let last = id
  for (let steps = 0; steps < longestChain; steps++) {
    const later = next.get(last)
    if (!later || !next.has(later)) break
    last = later
  }
  return last
}
