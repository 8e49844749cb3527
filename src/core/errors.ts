import { statfsSync } from 'node:fs'
import { isBusy, isDamaged, isDiskFull, isReadOnly } from './sqlite.ts'

/** An error that the user can fix. Entry points print it once, with the hint as the next step. */
export class UserError extends Error {
  readonly hint: string
  readonly exitCode: number
  constructor(message: string, hint: string, exitCode = 2) {
    super(message)
    this.name = 'UserError'
    this.hint = hint
    this.exitCode = exitCode
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Whether the cause is outside of the data: the operating system refused something, or SQLite
 * reports a locked, full, damaged or unreadable database.
 */
export function isSystemError(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return systemResults.has(errcode & 0xff)
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)
}

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const systemResults = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26])

export const damagedLedgerHint =
  'Run: recollect sweep\nIt moves the damaged file to backups/ and makes a new ledger. Nothing is deleted.'

export const readOnlyStoreHint = 'Make the folder writable, or set RECOLLECT_HOME to another folder.'

/** A file system may have room and yet no place for another file. Null where files are not counted. */
export function freeFiles(folder: string): number | null {
  try {
    const { files, ffree } = statfsSync(folder)
    return files > 0 ? ffree : null
  } catch {
    return null
  }
}

function isOutOfFiles(folder: string | undefined): folder is string {
  return folder !== undefined && freeFiles(folder) === 0
}

export function diskFullHint(folder?: string): string {
  if (isOutOfFiles(folder))
    return `The file system of ${folder} has no inodes left: it can hold no more files, whatever room it has. Delete files there (df -i shows how many there are), then run it again. Nothing was lost.`
  return `The disk is full: free some space${folder ? ` for ${folder}` : ''}, then run it again. Nothing was lost.`
}

/** The ledger cannot be read. `sweep` replaces it. */
export class DamagedLedgerError extends UserError {
  /** As SQLite reports it, so that `isDamaged` is true. */
  readonly errcode = 11
  constructor(path: string, reason: string) {
    super(`${path} is damaged: ${reason}`, damagedLedgerHint, 3)
    this.name = 'DamagedLedgerError'
  }
}

/**
 * The next step for errors of the operating system and SQLite; undefined for others. `folder` is the
 * store.
 */
export function hintOf(error: unknown, folder?: string): string | undefined {
  const { code, errcode } = error as { code?: string; errcode?: number }
  if (isDiskFull(error) || (errcode === 14 && isOutOfFiles(folder))) return diskFullHint(folder)
  if (isDamaged(error)) return damagedLedgerHint
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'RECOLLECT_HOME must be a folder.'
  if (isReadOnly(error)) return readOnlyStoreHint
  if (errcode !== undefined && (errcode & 0xff) === 10)
    return 'The disk reported an error. Check it, then try again. Nothing was moved or deleted.'
  return isBusy(error) ? 'Another process has locked the ledger. Try again later.' : undefined
}

/** What SQLite says does not name the store. */
export function systemMessage(error: unknown, folder: string): string {
  if (isDamaged(error)) return `The ledger is damaged: ${messageOf(error)}`
  const isUnwritable = isReadOnly(error) && (error as { errcode?: number }).errcode !== undefined
  return isUnwritable ? `The store in ${folder} cannot be written: ${messageOf(error)}` : messageOf(error)
}

/** Message of a failed request: `fetch failed` is useless, its cause is not. */
export function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  return messageOf(cause ?? error) || String((cause as { code?: string } | undefined)?.code ?? 'no connection')
}
