// Hashed terms of a passage as its row holds them. A few thousand terms are most of what is said in
// sessions, so each of the first terms of a ledger has a code of one or two bytes; others are stored
// as their hash. Codes are never changed or removed: a reader that knows fewer of them reads the rest.
//
// byte below 128: the code; byte below 192: 64 × 256 further codes with the next byte;
// 192: the hash follows in three bytes
import type { SqliteDatabase } from '../../core/sqlite.ts'
import { bytesPerTerm, countOfTerms, termAt } from '../../text/term-hash.ts'

const shortCodes = 128
const longCode = 128
const plainHash = 192
const maxCodes = shortCodes + (plainHash - longCode) * 256

interface TermCodes {
  /** The hashes by code, as `packHashes` packs them. */
  hashes: Uint8Array
  count: number
  /** By hash; only made to pack terms, because a search has no use for it. */
  codes: Map<number, number> | undefined
  /** How many of them are stored. */
  stored: number
  isRegistered: boolean
}

const codesOf = new WeakMap<SqliteDatabase['raw'], TermCodes>()

/** Call inside a transaction, because terms may get a code. */
export function packTerms(ledger: SqliteDatabase, hashes: readonly number[]): Uint8Array {
  const known = codesToAdd(ledger)
  const codes = codesByHash(known)
  const bytes = new Uint8Array(hashes.length * (bytesPerTerm + 1))
  let end = 0
  for (const hash of hashes) {
    const code = codes.get(hash) ?? addCode(known, codes, hash)
    if (code === undefined) {
      bytes[end++] = plainHash
      for (let shift = 0; shift < 24; shift += 8) bytes[end++] = hash >>> shift
    } else if (code < shortCodes) bytes[end++] = code
    else {
      bytes[end++] = longCode + ((code - shortCodes) >>> 8)
      bytes[end++] = code - shortCodes
    }
  }
  return bytes.slice(0, end)
}

/**
 * The terms as `packHashes` packs them. A search unpacks hundreds of passages, so the bytes are
 * written at once.
 */
export function unpackTerms(ledger: SqliteDatabase, packed: Uint8Array): Uint8Array {
  let known = codesOf.get(ledger.raw) ?? readCodes(ledger)
  const bytes = new Uint8Array(countPackedTerms(packed) * bytesPerTerm)
  let end = 0
  for (let at = 0; at < packed.length; ) {
    const first = packed[at++]!
    if (first >= plainHash) {
      for (const next = at + bytesPerTerm; at < next; ) bytes[end++] = packed[at++]!
      continue
    }
    const code = first < shortCodes ? first : shortCodes + ((first - longCode) << 8) + packed[at++]!
    if (code >= known.count) known = readCodes(ledger)
    const hash = code * bytesPerTerm
    bytes[end++] = known.hashes[hash]!
    bytes[end++] = known.hashes[hash + 1]!
    bytes[end++] = known.hashes[hash + 2]!
  }
  return bytes
}

export function countPackedTerms(packed: Uint8Array): number {
  let count = 0
  for (let at = 0; at < packed.length; at += sizeAt(packed, at)) count++
  return count
}

function sizeAt(packed: Uint8Array, at: number): number {
  const first = packed[at]!
  if (first < longCode) return 1
  return first < plainHash ? 2 : 1 + bytesPerTerm
}

function addCode(known: TermCodes, codes: Map<number, number>, hash: number): number | undefined {
  const code = known.count
  if (code >= maxCodes) return undefined
  codes.set(hash, code)
  for (let byte = 0; byte < bytesPerTerm; byte++) known.hashes[code * bytesPerTerm + byte] = hash >>> (8 * byte)
  known.count++
  return code
}

function codesByHash(known: TermCodes): Map<number, number> {
  if (known.codes) return known.codes
  known.codes = new Map()
  for (let code = 0; code < known.count; code++) known.codes.set(termAt(known.hashes, code * bytesPerTerm), code)
  return known.codes
}

/** Another process may have added codes before this transaction, so they are read again in each. */
function codesToAdd(ledger: SqliteDatabase): TermCodes {
  const known = codesOf.get(ledger.raw)
  if (known?.isRegistered) return known
  const codes = readCodes(ledger)
  codes.isRegistered = true
  ledger.beforeCommit(() => {
    saveCodes(ledger, codes)
    codes.isRegistered = false
  })
  ledger.onRollback(() => codesOf.delete(ledger.raw))
  return codes
}

/** Codes are stored in rows of this many, so that a transaction rewrites only the last one. */
const codesInRow = 256

function readCodes(ledger: SqliteDatabase): TermCodes {
  const known = codesOf.get(ledger.raw) ?? {
    hashes: new Uint8Array(maxCodes * bytesPerTerm),
    count: 0,
    codes: undefined,
    stored: 0,
    isRegistered: false,
  }
  const rows = ledger
    .sql('SELECT number, hashes FROM passage_codes WHERE number >= ? ORDER BY number')
    .all(Math.floor(known.stored / codesInRow))
  for (const { number, hashes } of rows as { number: number; hashes: Uint8Array }[]) {
    known.hashes.set(hashes, number * codesInRow * bytesPerTerm)
    known.stored = Math.max(known.stored, number * codesInRow + countOfTerms(hashes))
  }
  if (known.stored > known.count) {
    known.count = known.stored
    known.codes = undefined
  }
  codesOf.set(ledger.raw, known)
  return known
}

function saveCodes(ledger: SqliteDatabase, known: TermCodes): void {
  for (let row = Math.floor(known.stored / codesInRow); row * codesInRow < known.count; row++) {
    const end = Math.min(known.count, (row + 1) * codesInRow)
    ledger
      .sql('INSERT OR REPLACE INTO passage_codes (number, hashes) VALUES (?, ?)')
      .run(row, known.hashes.subarray(row * codesInRow * bytesPerTerm, end * bytesPerTerm))
  }
  known.stored = known.count
}
