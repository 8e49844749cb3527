// Finds pairs of statements that may be about the same thing, without comparing each with each: two
// sets with a share of terms in common also share one of their rarest terms (the prefix filter of
// set similarity joins).
import type { Memory } from '../../memory/memory.ts'
import { readStatement } from '../../memory/reading.ts'

export interface ComparedMemory {
  memory: Memory
  /** All that it asserts or rejects. */
  terms: Set<string>
}

export type MemoryPair = [later: ComparedMemory, earlier: ComparedMemory]

export function comparedMemory(memory: Memory): ComparedMemory {
  const { asserted, rejected } = readStatement(memory.text)
  return { memory, terms: new Set([...asserted, ...rejected]) }
}

/** Groups by project; memories that hold everywhere are only compared with each other. */
export function byScope(memories: readonly Memory[]): ComparedMemory[][] {
  return [...Map.groupBy(memories.map(comparedMemory), ({ memory }) => memory.project).values()]
}

/** Pairs with at least this Jaccard similarity, 0 to 1. */
export function* similarPairs(statements: readonly ComparedMemory[], minSimilarity: number): Iterable<MemoryPair> {
  const sets = byRarity(statements.map(({ terms }) => [...terms]))
  const places = new Map<number, number[]>()
  const metBy = new Int32Array(sets.length).fill(-1)
  for (const [index, words] of sets.entries()) {
    for (const word of words.subarray(0, words.length - Math.ceil(minSimilarity * words.length) + 1)) {
      for (const other of places.get(word)?.slice(-maxTogether) ?? []) {
        if (metBy[other] === index) continue
        metBy[other] = index
        if (isAlike(words, sets[other]!, minSimilarity)) yield inOrder(statements[index]!, statements[other]!)
      }
      const own = places.get(word)
      if (own) own.push(index)
      else places.set(word, [index])
    }
  }
}

/**
 * Bounds the comparisons of hundreds of memories that share only common terms: time stays linear.
 */
export const maxTogether = 100

/** Each set as the ranks of its terms, rarest first. */
function byRarity(sets: readonly string[][]): Uint32Array[] {
  const counts = new Map<string, number>()
  for (const words of sets) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const laterFirst = [...counts].sort(([a, many], [b, few]) => many - few || (a < b ? -1 : 1))
  const ranks = new Map(laterFirst.map(([word], rank) => [word, rank]))
  return sets.map((words) => Uint32Array.from(words, (word) => ranks.get(word)!).sort())
}

function isAlike(a: Uint32Array, b: Uint32Array, minSimilarity: number): boolean {
  // Terms that both need in common, from shared / (a + b - shared) >= minimum.
  const needed = Math.ceil((minSimilarity * (a.length + b.length)) / (1 + minSimilarity) - 1e-9)
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (shared + Math.min(a.length - i, b.length - j) < needed) return false
    if (a[i] === b[j]) {
      shared++
      i++
      j++
    } else if (a[i]! < b[j]!) i++
    else j++
  }
  return shared >= needed && needed > 0
}

export function inOrder(a: ComparedMemory, b: ComparedMemory): MemoryPair {
  const isLater =
    a.memory.validFrom === b.memory.validFrom ? a.memory.id > b.memory.id : a.memory.validFrom > b.memory.validFrom
  return isLater ? [a, b] : [b, a]
}

/**
 * A memory that a person stated is only replaced by a later one of the user, or by one for all
 * projects; an agent's by any of at least equal trust.
 */
export function mayReplace(keeper: Memory, gone: Memory): boolean {
  // A private memory must not be counted by one that may leave the machine.
  if ((keeper.type === 'user') !== (gone.type === 'user')) return false
  const isWider = keeper.project === null && gone.project !== null
  if (isFromPerson(gone)) return keeper.trust === 'user said' && (keeper.validFrom >= gone.validFrom || isWider)
  return weights[keeper.trust] >= weights[gone.trust]
}

export function isFromPerson({ trust, evidence }: Memory): boolean {
  return trust === 'user said' || trust === 'imported' || evidence.some(({ session }) => session === null)
}

const weights = { 'user said': 3, imported: 2, 'agent said': 1, 'tool printed': 0 } as const

// Normalises a statement word by word, without words that never change its meaning. Similarity is
// not enough to merge: `to S3` and `from S3`, `C` and `C++`, `or` and `and`, `was` and `is` differ
// in one word and mean something else.

export function wordingOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .split(/\s+/)
    .map(bare)
    .flatMap((word) => (isName.test(word) ? word : spelledOut(word.toLowerCase())))
    .filter((word, at) => word !== '' && !fillers.has(word) && !(at === 0 && word === 'we'))
}

/**
 * Strips quotes, backticks and brackets around a word, and punctuation at its end. A question mark
 * stays: a question is not a statement.
 */
function bare(word: string): string {
  const inner = word.replace(/[.,;:!。，；：！]+$/u, '').replace(/^["'`]+|["'`]+$/g, '')
  const whole = inner.replace(/[.,;:!。]+$/u, '')
  const isOpened = whole.includes('(')
  return isOpened === whole.includes(')') ? whole : whole.replace(isOpened ? /^\(/ : /\)$/, '')
}

/** `X-Request-Id`, `config/App.json`, `README`: upper case is part of them. */
const isName = /.\p{Lu}|[/\\_$]/u

function spelledOut(word: string): string[] {
  const denied = /^(\w+)n't$/.exec(word)?.[1]
  if (denied !== undefined) return [shortForms[denied] ?? denied, 'not']
  return word === 'cannot' ? ['can', 'not'] : [word]
}

const shortForms: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', sha: 'shall' }

const fillers = new Set(['a', 'an', 'the', 'our', 'please', 'always', '–', '—'])
