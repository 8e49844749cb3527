import { describe, expect, it } from 'vitest'
import { DamagedLedgerError, hintOf } from './errors.ts'
import { isDamaged } from './sqlite.ts'

const sqlite = (errcode: number) => Object.assign(new Error('from SQLite'), { errcode })

describe('isDamaged', () => {
  it.each([
    ['SQLITE_CORRUPT', 11],
    ['SQLITE_NOTADB', 26],
    ['SQLITE_CORRUPT_VTAB', 267],
    ['SQLITE_CORRUPT_INDEX', 779],
  ])('is true for %s', (_, errcode) => {
    expect(isDamaged(sqlite(errcode))).toBe(true)
    expect(hintOf(sqlite(errcode))).toContain('recollect sweep')
  })

  it.each([
    ['SQLITE_PERM', 3],
    ['SQLITE_BUSY', 5],
    ['SQLITE_LOCKED', 6],
    ['SQLITE_READONLY', 8],
    ['SQLITE_IOERR', 10],
    ['SQLITE_IOERR_READ', 266],
    ['SQLITE_FULL', 13],
    ['SQLITE_CANTOPEN', 14],
    ['SQLITE_CONSTRAINT', 19],
  ])('is false for %s', (_, errcode) => {
    expect(isDamaged(sqlite(errcode))).toBe(false)
  })

  it('is true for a ledger that cannot be opened', () => {
    expect(isDamaged(new DamagedLedgerError('ledger.db', 'file is not a database'))).toBe(true)
  })
})

describe('hintOf', () => {
  it.each([
    ['a full disk', Object.assign(new Error(), { code: 'ENOSPC' }), 'The disk is full'],
    ['a full disk below SQLite', sqlite(13), 'Nothing was lost'],
    ['an error of the disk', sqlite(266), 'Nothing was moved or deleted'],
    ['a lock', sqlite(5), 'Another process has locked the ledger'],
  ])('says what to do about %s', (_, error, hint) => {
    expect(hintOf(error)).toContain(hint)
  })
})
