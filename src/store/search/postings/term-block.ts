// A block of terms in order of their UTF-8 bytes, each with its posting list. A term is stored as
// the bytes that differ from the term before it. A long list is stored apart, so that looking up
// its neighbours or its number of passages does not load it.
import { type ByteBuffer, byteReader, contentOf, createBuffer, pushByte, pushBytes, pushVarint } from './bytes.ts'

export interface TermEntry {
  /** Number of passages in the list. */
  count: number
  /** The list, or the number under which it is stored. */
  list: Uint8Array | number
}

export interface BlockWriter {
  /** Terms must be added in order, as UTF-8. */
  add(term: Uint8Array, count: number, list: Uint8Array): void
  finish(): void
}

/** A lookup reads one block and scans half of it. */
const blockSize = 2000
const longList = 1000

export function createBlockWriter(
  writeBlock: (first: string, block: Uint8Array) => void,
  writeLongList: (list: Uint8Array) => number,
): BlockWriter {
  const block = createBuffer()
  const last = createBuffer()
  let first = ''
  const finish = () => {
    if (block.length > 0) writeBlock(first, contentOf(block))
    block.length = 0
    last.length = 0
  }
  return {
    add(term, count, list) {
      if (block.length >= blockSize) finish()
      if (block.length === 0) first = Buffer.from(term).toString('utf8')
      pushTerm(block, term, last)
      pushVarint(block, count)
      if (list.length > longList) {
        pushByte(block, 0)
        pushVarint(block, writeLongList(list))
      } else {
        pushVarint(block, list.length)
        pushBytes(block, list)
      }
    },
    finish,
  }
}

/** Writes the bytes in which a term differs from the last one, and makes it the last one. */
function pushTerm(block: ByteBuffer, term: Uint8Array, last: ByteBuffer): void {
  let shared = 0
  while (shared < term.length && shared < last.length && term[shared] === last.bytes[shared]) shared++
  pushByte(block, shared)
  pushByte(block, term.length - shared)
  last.length = shared
  for (let at = shared; at < term.length; at++) {
    pushByte(block, term[at]!)
    pushByte(last, term[at]!)
  }
}

/** Most terms are ASCII, for which a buffer of their own takes five times as long. */
export function encodeTerm(term: string, into: Uint8Array): Uint8Array {
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at)
    if (unit > 127) return Buffer.from(term)
    into[at] = unit
  }
  return into.subarray(0, term.length)
}

/** No term is longer. */
export const maxTermBytes = 512

/** Compares bytes without decoding the terms: a lookup skips dozens of them. */
export function findInBlock(block: Uint8Array, term: string): TermEntry | undefined {
  const wanted = Buffer.from(term)
  const reader = byteReader(block)
  let equal = 0
  while (reader.at < block.length) {
    const shared = block[reader.at++]!
    const length = block[reader.at++]!
    const from = reader.at
    reader.at += length
    const count = reader.varint()
    const size = reader.varint()
    const list = size === 0 ? reader.varint() : reader.at
    reader.at += size
    if (shared < equal) return undefined
    if (shared > equal) continue
    let same = 0
    while (same < length && wanted[equal + same] === block[from + same]) same++
    equal += same
    if (same === length && equal === wanted.length)
      return { count, list: size === 0 ? list : block.subarray(list, list + size) }
    if (same < length && (equal === wanted.length || block[from + same]! > wanted[equal]!)) return undefined
  }
  return undefined
}

export interface TermCursor extends TermEntry {
  /** The present term in UTF-8; only the first `length` bytes are of it. */
  term: Buffer
  length: number
  /** Moves to the next entry; false at the end of the block. */
  next(): boolean
}

/** `term` is where the present term is written; the buffer of another cursor may be used on. */
export function readEntries(block: Uint8Array, term: Buffer = Buffer.allocUnsafe(maxTermBytes)): TermCursor {
  const reader = byteReader(block)
  const entry: TermCursor = {
    term,
    length: 0,
    count: 0,
    list: block,
    next() {
      if (reader.at >= block.length) return false
      const shared = block[reader.at++]!
      const length = block[reader.at++]!
      for (let at = 0; at < length; at++) entry.term[shared + at] = block[reader.at + at]!
      entry.length = shared + length
      reader.at += length
      entry.count = reader.varint()
      const size = reader.varint()
      entry.list = size === 0 ? reader.varint() : block.subarray(reader.at, reader.at + size)
      reader.at += size
      return true
    },
  }
  return entry
}

export function termAtCursor({ term, length }: TermCursor): string {
  return term.toString('utf8', 0, length)
}

export interface NamedEntry extends TermEntry {
  term: string
}

export function* entriesIn(block: Uint8Array): Generator<NamedEntry> {
  const entry = readEntries(block)
  while (entry.next()) yield { term: termAtCursor(entry), count: entry.count, list: entry.list }
}

/** Order of UTF-8 bytes, which is also SQLite's. The order of JavaScript differs beyond U+FFFF. */
export function compareTerms(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return orderOfUnit(left) - orderOfUnit(right)
  }
  return a.length - b.length
}

/** Surrogates stand for characters behind all others. */
function orderOfUnit(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}

export function sortTerms(terms: string[]): string[] {
  return surrogates.test(terms.join('')) ? terms.sort(compareTerms) : terms.sort()
}

const surrogates = /[\ud800-\udfff]/
