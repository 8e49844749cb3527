// Postings of the current transaction. They are collected in memory, in the order of the passages,
// and written as a segment when the transaction ends or when they become many. A search in the same
// transaction sees them.
import type { SqliteDatabase } from '../../../core/sqlite.ts'
import { hashTerm } from '../../../text/term-hash.ts'
import { contentOf, createBuffer } from './bytes.ts'
import { mergeWhereDue } from './merge.ts'
import { appendRun, occurrenceByte, type PostingRun } from './posting-list.ts'
import { type SegmentSpace, segmentSpaces, type TermPostings, writeSegment } from './segments.ts'
import { encodeTerm, maxTermBytes, sortTerms } from './term-block.ts'

export interface NewPostings {
  /** Group and place of the passage. */
  group: number
  place: number
  said: readonly string[]
  done: readonly string[]
}

interface PendingPostings {
  /** Number of each term, in the order in which they were first seen. */
  numbers: Map<string, number>
  hashes: number[]
  /** Position of the last posting of each term. */
  lastAt: number[]
  passages: { group: number; place: number; from: number; to: number; length: number }[]
  /** Of each posting: number of the term, and twice its frequency (an action counts half). */
  termOf: number[]
  halves: number[]
  /** Changes of the totals of the index. */
  passageDelta: number
  termDelta: number
  isRegistered: boolean
}

const pendingOf = new WeakMap<SqliteDatabase['raw'], PendingPostings>()

function emptyPending(): PendingPostings {
  return {
    numbers: new Map(),
    hashes: [],
    lastAt: [],
    passages: [],
    termOf: [],
    halves: [],
    passageDelta: 0,
    termDelta: 0,
    isRegistered: false,
  }
}

/** Bounds the memory of a large transaction. */
const maxPostings = 400_000

/** Returns the hashes of the terms. Call inside a transaction. */
export function addPostings(ledger: SqliteDatabase, { group, place, said, done }: NewPostings): number[] {
  if ((pendingOf.get(ledger.raw)?.termOf.length ?? 0) > maxPostings) flushPending(ledger)
  const pending = openPending(ledger)
  const from = pending.termOf.length
  const hashes: number[] = []
  for (const term of said) hashes.push(pending.hashes[addOccurrence(pending, term, from, 2)]!)
  for (const term of done) hashes.push(pending.hashes[addOccurrence(pending, term, from, 1)]!)
  pending.passages.push({ group, place, from, to: pending.termOf.length, length: hashes.length })
  pending.passageDelta++
  pending.termDelta += hashes.length
  return hashes
}

function addOccurrence(pending: PendingPostings, term: string, from: number, halves: number): number {
  let number = pending.numbers.get(term)
  if (number === undefined) {
    number = pending.numbers.size
    pending.numbers.set(term, number)
    pending.hashes.push(hashTerm(term))
    pending.lastAt.push(-1)
  }
  const at = pending.lastAt[number]!
  if (at >= from) pending.halves[at]! += halves
  else {
    pending.lastAt[number] = pending.termOf.length
    pending.termOf.push(number)
    pending.halves.push(halves)
  }
  return number
}

/** Takes deleted passages off the totals. Call inside a transaction. */
export function countDeleted(ledger: SqliteDatabase, passages: number, terms: number): void {
  const pending = openPending(ledger)
  pending.passageDelta -= passages
  pending.termDelta -= terms
}

function openPending(ledger: SqliteDatabase): PendingPostings {
  const pending = pendingOf.get(ledger.raw) ?? emptyPending()
  pendingOf.set(ledger.raw, pending)
  if (!pending.isRegistered) {
    pending.isRegistered = true
    ledger.beforeCommit(() => {
      flushPending(ledger)
      dropPending(ledger)
    })
    ledger.onRollback(() => dropPending(ledger))
  }
  return pending
}

export function dropPending(ledger: SqliteDatabase): void {
  pendingOf.delete(ledger.raw)
}

export function pendingTotals(ledger: SqliteDatabase): { passages: number; terms: number } {
  const { passageDelta = 0, termDelta = 0 } = pendingOf.get(ledger.raw) ?? {}
  return { passages: passageDelta, terms: termDelta }
}

/** Whether a source in this range is not in a segment yet. */
export function isPending(ledger: SqliteDatabase, group: number, first: number, last: number): boolean {
  const { passages = [] } = pendingOf.get(ledger.raw) ?? {}
  return passages.some((passage) => passage.group === group && passage.place >= first && passage.place <= last)
}

/** Writes what is collected as segments. Call inside a transaction. */
export function flushPending(ledger: SqliteDatabase): void {
  const pending = pendingOf.get(ledger.raw)
  if (!pending) return
  pendingOf.set(ledger.raw, { ...emptyPending(), isRegistered: pending.isRegistered })
  ledger
    .sql('UPDATE passage_totals SET passages = passages + ?, terms = terms + ?')
    .run(pending.passageDelta, pending.termDelta)
  if (pending.passages.length === 0) return
  for (const space of segmentSpaces) writeSegment(ledger, space, 0, postingsIn(pending, space))
  mergeWhereDue(ledger)
}

function isIn(space: SegmentSpace, group: number): boolean {
  return group >= 0 === (space === 'sessions')
}

/** Sorts the postings by term (by counting, as the terms are numbered) and encodes their lists. */
function* postingsIn(
  { numbers, passages, termOf, halves }: PendingPostings,
  space: SegmentSpace,
): Generator<TermPostings> {
  const own = passages.filter(({ group }) => isIn(space, group))
  if (own.length === 0) return
  own.sort((a, b) => a.group - b.group || a.place - b.place)
  const ends = new Int32Array(numbers.size + 1)
  for (const { from, to } of own) for (let at = from; at < to; at++) ends[termOf[at]! + 1]!++
  for (let number = 0; number < numbers.size; number++) ends[number + 1]! += ends[number]!
  const starts = ends.slice()
  const passageOf = new Int32Array(ends[numbers.size]!)
  const occurrences = new Uint8Array(passageOf.length)
  for (const [index, { from, to, length }] of own.entries())
    for (let at = from; at < to; at++) {
      const place = starts[termOf[at]!]!++
      passageOf[place] = index
      occurrences[place] = occurrenceByte(halves[at]!, length)
    }
  const list = createBuffer()
  const bytes = new Uint8Array(maxTermBytes)
  const run: PostingRun = { group: 0, count: 0, places: [], occurrences: [] }
  for (const term of sortTerms([...numbers.keys()])) {
    const number = numbers.get(term)!
    const [from, to] = [ends[number]!, ends[number + 1]!]
    if (from === to) continue
    list.length = 0
    for (let at = from; at < to; ) {
      run.group = own[passageOf[at]!]!.group
      run.count = 0
      for (; at < to && own[passageOf[at]!]!.group === run.group; at++) {
        run.places[run.count] = own[passageOf[at]!]!.place
        run.occurrences[run.count++] = occurrences[at]!
      }
      appendRun(list, run)
    }
    yield { term: encodeTerm(term, bytes), count: to - from, list: contentOf(list) }
  }
}

export interface PendingTerm {
  term: string
  count: number
}

/** A search in a transaction with more postings than this writes them first. */
const maxScanned = 20_000

function readPending(ledger: SqliteDatabase): PendingPostings | undefined {
  if ((pendingOf.get(ledger.raw)?.termOf.length ?? 0) > maxScanned) flushPending(ledger)
  const pending = pendingOf.get(ledger.raw)
  return pending && pending.termOf.length > 0 ? pending : undefined
}

/** Terms of this transaction that are not in a segment yet, with a prefix. */
export function pendingTerms(ledger: SqliteDatabase, beginning: string): PendingTerm[] {
  const pending = readPending(ledger)
  if (!pending) return []
  const counts = new Map<number, number>()
  for (const number of pending.termOf) counts.set(number, (counts.get(number) ?? 0) + 1)
  const found = [...pending.numbers].filter(([term]) => term.startsWith(beginning))
  return found.map(([term, number]) => ({ term, count: counts.get(number)! }))
}

/** The postings of a term that are not in a segment yet, one run each. */
export function pendingRuns(ledger: SqliteDatabase, term: string, spaces: readonly SegmentSpace[]): PostingRun[] {
  const pending = readPending(ledger)
  const number = pending?.numbers.get(term)
  if (!pending || number === undefined) return []
  return pending.passages.flatMap(({ group, place, from, to, length }) => {
    if (!spaces.some((space) => isIn(space, group))) return []
    const at = pending.termOf.indexOf(number, from)
    if (at < 0 || at >= to) return []
    return [{ group, count: 1, places: [place], occurrences: [occurrenceByte(pending.halves[at]!, length)] }]
  })
}
