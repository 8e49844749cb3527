// Finds pairs in which the later memory contradicts the earlier one. Sure ones retire the earlier
// memory; otherwise the later one goes to the inbox, as at admission.

import { compare } from '../../memory/compare.ts'
import type { Memory } from '../../memory/memory.ts'
import { sharedCount } from '../../text/similarity.ts'
import { allTerms, byScope, type ComparedMemory, type MemoryPair, similarPairs, wordingOf } from './candidate-pairs.ts'
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

/** Only pairs in which one negates the other, has another number, or replaces something. */
function* candidates(statements: readonly ComparedMemory[]): Iterable<MemoryPair> {
  const replacing = new Set(statements.filter(({ memory }) => replaces.test(memory.text)))
  yield* similarPairs(
    statements.filter((statement) => !replacing.has(statement)),
    {
      setOf: ({ words }) => words,
      minSimilarity: 0.6,
      sides: {
        of: ({ content: { isNegative, values } }) => (isNegative ? 1 : 0) + (values.size > 0 ? 2 : 0),
        meet: (mine, theirs) => mine % 2 !== theirs % 2 || (mine >= 2 && theirs >= 2),
      },
    },
  )
  if (replacing.size === 0) return
  yield* similarPairs(statements, {
    setOf: allTerms,
    minSimilarity: 0.5,
    sides: {
      of: (statement) => (replacing.has(statement) ? 1 : 0),
      meet: (mine, theirs) => mine + theirs > 0 && theirs < 2,
    },
  })
}

const replaces =
  /\b(?:instead|rather than|no longer|not use|stop using|away from|(?:switch|mov|migrat|chang)\w* from|replac\w+|drop\w*|in place of)\b/i

function contradicts([later, earlier]: MemoryPair): 'none' | 'sure' | 'unsure' {
  const [after, before] = [later.memory, earlier.memory]
  if (after.validFrom <= before.validFrom || shareSession(after, before)) return 'none'
  const relation = compare(after.text, before.text)
  if (relation.kind !== 'conflict') return 'none'
  // "Never push without review" does not contradict "Push with review".
  if (conditionsOf(after.text) !== conditionsOf(before.text)) return 'none'
  return relation.isSure && after.trust === 'user said' && isPlain([later, earlier]) ? 'sure' : 'unsure'
}

/** Within one session people refine what they said. */
function shareSession(a: Memory, b: Memory): boolean {
  const sessions = new Set(a.evidence.flatMap(({ session }) => session ?? []))
  return b.evidence.some(({ session }) => session !== null && sessions.has(session))
}

function conditionsOf(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return [...new Set(words)]
    .filter((word) => conditions.has(word))
    .sort()
    .join(' ')
}

const conditions = new Set(
  'only all any some every each most once if unless when while until except without before after but nur wenn außer ohne bis'.split(
    ' ',
  ),
)

/**
 * The two differ only in the negation, the number, or the replaced thing: one more word makes
 * another case.
 */
function isPlain([later, earlier]: MemoryPair): boolean {
  if (later.content.isNegative !== earlier.content.isNegative)
    return wordsBut(denials, later) === wordsBut(denials, earlier)
  const [after, before] = [wordsBut(number, later), wordsBut(number, earlier)]
  if (after === before) return !numbered.test(later.memory.text) && !numbered.test(earlier.memory.text)
  const said = new Set(allTerms(later.content))
  const taken = new Set(allTerms(earlier.content))
  return sharedCount(said, taken) === taken.size
}

function wordsBut(left: RegExp, { memory }: ComparedMemory): string {
  return wordingOf(memory.text)
    .filter((word) => !left.test(word))
    .join(' ')
}

const denials = /^(?:not|never|no|do|does|did)$/
const number = /^[v<>~≈=+-]*\d[\d.,:%]*\w{0,3}$/

/** `issue 12` and `issue 13` are two things, not two values of one. */
const numbered =
  /(?:#|\b(?:issue|ticket|bug|pr|mr|pull request|step|phase|sprint|section|chapter|part|line|page|rfc|adr|case|item|error|code|commit|rule|option|task|milestone|room|server|shard|python|node|java|php|ruby|go|es|v|version|release)s?[ -]?)\d/i

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
