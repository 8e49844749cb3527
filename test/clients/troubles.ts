// What can befall the store. Each one happens after installing and lasts until it is undone.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { recollect } from '../program.ts'
import type { Home } from './client.ts'

export interface Trouble {
  name: string
  /** Before Recollect is installed; false where the system does not allow it. */
  prepare?(at: Home): boolean
  happen(at: Home): void
  undo?(at: Home): void
  /** The worker waits for the end of it, for a while. */
  passes?: boolean
}

export const storeDeleted: Trouble = {
  name: 'its store deleted',
  happen: (at) => rmSync(at.store, { recursive: true, force: true }),
}

let held: DatabaseSync | undefined

export const ledgerLocked: Trouble = {
  name: 'its ledger locked by another process',
  happen: (at) => {
    held = new DatabaseSync(ledger(at))
    held.exec('BEGIN EXCLUSIVE')
  },
  undo: () => {
    held?.close()
    held = undefined
  },
  passes: true,
}

export const ledgerCorrupt: Trouble = {
  name: 'its ledger corrupt',
  happen: (at) => {
    writeFileSync(ledger(at), 'This is no database. '.repeat(5000))
    for (const side of ['-wal', '-shm']) rmSync(`${ledger(at)}${side}`, { force: true })
  },
}

export const diskFull: Trouble = {
  name: 'its disk full',
  prepare: (at) => {
    mkdirSync(at.store)
    return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', at.store]).status === 0
  },
  happen: (at) => {
    for (const size of [65536, 4096, 512, 1]) fill(join(at.store, 'filling'), Buffer.alloc(size))
  },
  undo: (at) => {
    spawnSync('umount', ['-l', at.store])
  },
}

/** The ledger with its tables: made by the first sweep, if by nothing before. */
function ledger(at: Home): string {
  const path = join(at.store, 'ledger.db')
  if (!existsSync(path)) recollect(at, 'sweep')
  return path
}

function fill(path: string, piece: Buffer): void {
  try {
    for (;;) appendFileSync(path, piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
