import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type SqliteDatabase } from '../../core/sqlite.ts'
import { hashTerm, packHashes } from '../../text/term-hash.ts'
import { countPackedTerms, packTerms, unpackTerms } from './packed-terms.ts'

let ledger: SqliteDatabase
beforeEach(() => {
  ledger = openDatabase(':memory:')
  ledger.raw.exec('CREATE TABLE passage_codes (number INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT')
})
afterEach(() => ledger.close())

const hashes = (from: number, count: number) => Array.from({ length: count }, (_, at) => hashTerm(`term${from + at}`))
const pack = (terms: readonly number[]) => ledger.transaction(() => packTerms(ledger, terms))

describe('packTerms', () => {
  it.each([
    ['no terms', [], 0],
    ['the first terms in a byte', hashes(0, 3), 3],
    ['repeated terms', [...hashes(0, 2), ...hashes(0, 2)], 4],
    ['further terms in two bytes', hashes(0, 1000), 128 + 872 * 2],
    ['as many terms as have a code, and others as their hash', hashes(0, 17_000), 128 + 2 * 16_384 + 4 * 488],
  ])('packs %s', (_, terms, size) => {
    const distinct = terms.length < 2000 ? terms : [...new Set([...terms, ...hashes(20_000, 200)])].slice(0, 17_000)
    const packed = pack(distinct)
    expect(packed).toHaveLength(size)
    expect(countPackedTerms(packed)).toBe(distinct.length)
    expect(unpackTerms(ledger, packed)).toEqual(packHashes(distinct))
  })

  it('keeps the codes of earlier transactions', () => {
    const first = pack(hashes(0, 300))
    const second = pack([...hashes(200, 300), ...hashes(0, 5)])
    expect(unpackTerms(ledger, first)).toEqual(packHashes(hashes(0, 300)))
    expect(unpackTerms(ledger, second)).toEqual(packHashes([...hashes(200, 300), ...hashes(0, 5)]))
    expect(pack(hashes(0, 300))).toEqual(first)
  })

  it('drops the codes of a transaction that is rolled back', () => {
    const failed = () =>
      ledger.transaction(() => {
        packTerms(ledger, hashes(0, 10))
        throw new Error('stopped')
      })
    expect(failed).toThrow('stopped')
    const packed = pack(hashes(50, 10))
    expect(packed).toEqual(Uint8Array.from({ length: 10 }, (_, code) => code))
    expect(unpackTerms(ledger, packed)).toEqual(packHashes(hashes(50, 10)))
  })
})
