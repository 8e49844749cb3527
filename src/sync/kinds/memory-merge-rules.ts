// The rules for merging two versions of a memory document. Pure and without a clock, so that every
// machine computes the same result from the same versions. No statement is lost.
import { createHash } from 'node:crypto'
import { maxLinks } from '../../memory/links.ts'
import type { MemoryTrust } from '../../memory/memory.ts'
import type { MemoryDocument } from '../documents.ts'
import { canonical } from '../item-hash.ts'
import { statementHash } from './memory-document.ts'

interface MergeInput {
  id: string
  mine: MemoryDocument
  /** The server's version; it was stored first. */
  theirs: MemoryDocument
  /** The common base, if known. */
  base?: MemoryDocument | undefined
  baseStatement?: string | undefined
  /** Whether the local history contains this statement: then the other side is only outdated. */
  wasStatedHere(statement: string): boolean
}

interface MemoryMerge {
  document: MemoryDocument
  /** The losing statement as a memory of its own, superseded by the merged one. */
  copy?: MemoryDocument
}

export function mergeDocuments(sides: MergeInput): MemoryMerge {
  const { id, mine, theirs, base } = sides
  const winner = pickStatement(sides)
  const statement = winner === 'theirs' ? theirs : mine
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
    text: statement.text,
    why: statement.why,
    apply: statement.apply,
    trust: winner === 'same' ? strongest(mine.trust, theirs.trust) : statement.trust,
    importance: Math.max(mine.importance, theirs.importance),
    tags: mergeLists(mine.tags, theirs.tags, base?.tags).slice(0, 50),
    keywords: mergeLists(mine.keywords, theirs.keywords, base?.keywords).slice(0, 100),
    links: mergeLists(mine.links ?? [], theirs.links ?? [], base?.links).slice(0, maxLinks),
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
 * For a server that was restored from a backup and then got a new statement from a user who did not
 * know the lost one. The new statement wins, since nothing changed here since; the lost one is kept
 * as a copy.
 */
export function preferTheirs({ id, mine, theirs }: Pick<MergeInput, 'id' | 'mine' | 'theirs'>): MemoryMerge {
  const sides = { id, mine, theirs, base: mine, baseStatement: statementHash(mine), wasStatedHere: () => false }
  return { ...mergeDocuments(sides), copy: supersededCopy(id, mine) }
}

/** `both`: mine wins, because it reaches the server later; theirs is kept as a copy. */
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

function supersededCopy(id: string, statement: MemoryDocument): MemoryDocument {
  const document = { ...statement, state: 'kept' as const, contradicts: null, version: 1 }
  return { ...document, supersededBy: id, supersededAt: statement.confirmedAt }
}

/** An inbox entry for a statement that was written while the memory was deleted elsewhere. */
export function inboxCopy(statement: MemoryDocument): MemoryDocument {
  const document = { ...statement, state: 'inbox' as const, contradicts: null, version: 1 }
  return { ...document, supersededBy: null, supersededAt: null }
}

/** Derived from the memory and the statement, so that every machine makes the same copy. */
export function copyId(id: string, statement: MemoryDocument): string {
  const digest = createHash('sha256')
    .update(`${id} ${statementHash(statement)}`)
    .digest()
  return `m-${[...digest.subarray(0, 10)].map((byte) => alphabet[byte % 32]).join('')}`
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Combines two memories with the same statement: evidence, tags and counts of both. */
export function combineDuplicates(document: MemoryDocument, other: MemoryDocument): MemoryDocument {
  return {
    ...document,
    importance: Math.max(document.importance, other.importance),
    tags: mergeLists(document.tags, other.tags).slice(0, 50),
    keywords: mergeLists(document.keywords, other.keywords).slice(0, 100),
    links: mergeLists(document.links ?? [], other.links ?? []).slice(0, maxLinks),
    evidence: mergeEvidence(document.evidence, other.evidence),
    trust: strongest(document.trust, other.trust),
    validFrom: latest(document.validFrom, other.validFrom),
    confirmedAt: latest(document.confirmedAt, other.confirmedAt),
    said: document.said + other.said,
    version: document.version + 1,
  }
}

/** The same limit as in admission; the newest are kept. */
const maxEvidence = 20

function mergeEvidence(first: MemoryDocument['evidence'], second: MemoryDocument['evidence']) {
  const byContent = new Map([...first, ...second].map((one) => [canonical(one), one]))
  return [...byContent.values()].slice(-maxEvidence)
}

/** Union of both lists without the entries that either side removed since the base. */
function mergeLists(mine: readonly string[], theirs: readonly string[], base: readonly string[] = []): string[] {
  const isGone = (one: string) => base.includes(one) && !(mine.includes(one) && theirs.includes(one))
  return [...new Set([...theirs, ...mine])].filter((one) => !isGone(one))
}

function latest(one: string, other: string): string {
  return Date.parse(one) >= Date.parse(other) ? one : other
}

/** From the most to the least trusted. */
const trustOrder: readonly MemoryTrust[] = ['user said', 'agent said', 'tool printed', 'imported']

function strongest(one: MemoryTrust, other: MemoryTrust): MemoryTrust {
  return trustOrder.indexOf(one) <= trustOrder.indexOf(other) ? one : other
}
