// Two versions of one memory become one, and no words are lost: pure, with no clock, so that every machine that meets the same
// two comes to the same.
import { createHash } from 'node:crypto'
import type { MemoryTrust } from '../../memory/memory.ts'
import type { MemoryDocument } from '../documents.ts'
import { canonical } from '../item-hash.ts'
import { statementHash } from './memory-document.ts'

export interface MergeInput {
  id: string
  mine: MemoryDocument
  /** What the server has; it was there first. */
  theirs: MemoryDocument
  /** What both had before, as far as it is known. */
  base?: MemoryDocument | undefined
  baseStatement?: string | undefined
  /** Whether these are words that were here before: then the other side is only behind. */
  wasStatedHere(statement: string): boolean
}

export interface MemoryMerge {
  document: MemoryDocument
  /** The words that gave way, as a memory of their own: history of the one that took its place. */
  copy?: MemoryDocument
}

export function mergeDocuments(sides: MergeInput): MemoryMerge {
  const { id, mine, theirs, base } = sides
  const winner = pickStatement(sides)
  const words = winner === 'theirs' ? theirs : mine
  const pick = <K extends keyof MemoryDocument>(key: K): MemoryDocument[K] =>
    base && canonical(mine[key]) === canonical(base[key]) ? theirs[key] : mine[key]
  const superseding = supersedingOf(sides)
  const document: MemoryDocument = {
    ...theirs,
    ...mine,
    project: pick('project'),
    type: pick('type'),
    kind: pick('kind'),
    status: pick('status'),
    state: base ? pick('state') : [mine.state, theirs.state].includes('kept') ? 'kept' : 'inbox',
    text: words.text,
    why: words.why,
    apply: words.apply,
    trust: winner === 'same' ? strongest(mine.trust, theirs.trust) : words.trust,
    importance: Math.max(mine.importance, theirs.importance),
    tags: mergeLists(mine.tags, theirs.tags, base?.tags).slice(0, 50),
    keywords: mergeLists(mine.keywords, theirs.keywords, base?.keywords).slice(0, 100),
    evidence: mergeEvidence(theirs.evidence, mine.evidence),
    learnedAt: theirs.learnedAt,
    validFrom: latest(mine.validFrom, theirs.validFrom),
    confirmedAt: latest(mine.confirmedAt, theirs.confirmedAt),
    supersededBy: superseding.supersededBy === id ? null : superseding.supersededBy,
    supersededAt: superseding.supersededBy === id ? null : superseding.supersededAt,
    contradicts: pick('contradicts'),
    doubt: pick('doubt'),
    said: Math.max(mine.said, theirs.said),
    version: Math.max(mine.version, theirs.version) + 1,
    origin: theirs.origin,
  }
  return winner === 'both' ? { document, copy: supersededCopy(id, theirs) } : { document }
}

/**
 * The server has been restored from a backup, and somebody who did not know what both had before has said something new: that holds,
 * for nothing was said here since. What was lost there is kept.
 */
export function preferTheirs({ id, mine, theirs }: Pick<MergeInput, 'id' | 'mine' | 'theirs'>): MemoryMerge {
  const sides = { id, mine, theirs, base: mine, baseStatement: statementHash(mine), wasStatedHere: () => false }
  return { ...mergeDocuments(sides), copy: supersededCopy(id, mine) }
}

/** `both`: mine hold, because they come to the server later; theirs are kept as a copy. */
function pickStatement({
  mine,
  theirs,
  baseStatement,
  wasStatedHere,
}: MergeInput): 'same' | 'mine' | 'theirs' | 'both' {
  const here = statementHash(mine)
  const there = statementHash(theirs)
  if (here === there) return 'same'
  if (there === baseStatement) return 'mine'
  if (here === baseStatement) return 'theirs'
  return baseStatement === undefined && wasStatedHere(there) ? 'mine' : 'both'
}

function supersedingOf({ mine, theirs, base }: MergeInput): Pick<MemoryDocument, 'supersededBy' | 'supersededAt'> {
  if (base) return mine.supersededBy === base.supersededBy ? theirs : mine
  return mine.supersededBy === null ? theirs : mine
}

function supersededCopy(id: string, words: MemoryDocument): MemoryDocument {
  const document = { ...words, state: 'kept' as const, contradicts: null, version: 1 }
  return { ...document, supersededBy: id, supersededAt: words.confirmedAt }
}

/** For a person to decide on: the memory was deleted while somebody gave it these words. */
export function inboxCopy(words: MemoryDocument): MemoryDocument {
  const document = { ...words, state: 'inbox' as const, contradicts: null, version: 1 }
  return { ...document, supersededBy: null, supersededAt: null }
}

/** From the memory and the words: whoever keeps the same words makes the same copy. */
export function copyId(id: string, words: MemoryDocument): string {
  const digest = createHash('sha256')
    .update(`${id} ${statementHash(words)}`)
    .digest()
  return `m-${[...digest.subarray(0, 10)].map((byte) => alphabet[byte % 32]).join('')}`
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Both have said the same: each one's evidence goes along. */
export function combineDuplicates(document: MemoryDocument, other: MemoryDocument): MemoryDocument {
  return {
    ...document,
    importance: Math.max(document.importance, other.importance),
    tags: mergeLists(document.tags, other.tags).slice(0, 50),
    keywords: mergeLists(document.keywords, other.keywords).slice(0, 100),
    evidence: mergeEvidence(document.evidence, other.evidence),
    trust: strongest(document.trust, other.trust),
    validFrom: latest(document.validFrom, other.validFrom),
    confirmedAt: latest(document.confirmedAt, other.confirmedAt),
    said: document.said + other.said,
    version: document.version + 1,
  }
}

/** As admission keeps it: the newest, and no more than anybody reads. */
const maxEvidence = 20

function mergeEvidence(first: MemoryDocument['evidence'], second: MemoryDocument['evidence']) {
  const byContent = new Map([...first, ...second].map((one) => [canonical(one), one]))
  return [...byContent.values()].slice(-maxEvidence)
}

/** What either side took away since is gone, where it is known what both had. */
function mergeLists(mine: readonly string[], theirs: readonly string[], base: readonly string[] = []): string[] {
  const isGone = (one: string) => base.includes(one) && !(mine.includes(one) && theirs.includes(one))
  return [...new Set([...theirs, ...mine])].filter((one) => !isGone(one))
}

function latest(one: string, other: string): string {
  return Date.parse(one) >= Date.parse(other) ? one : other
}

/** The same words: whoever is the best witness of them said them. */
const witnesses: readonly MemoryTrust[] = ['user said', 'agent said', 'tool printed', 'imported']

function strongest(one: MemoryTrust, other: MemoryTrust): MemoryTrust {
  return witnesses.indexOf(one) <= witnesses.indexOf(other) ? one : other
}
