// Faults of the store, for tests of the clients. Each is injected after installing and lasts until it
// is undone.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { recollect } from '../program.ts'
import type { Home } from './client.ts'

export interface StoreFault {
  name: string
  /** Runs before Recollect is installed; returns false if the system does not allow the fault. */
  prepare?(at: Home): boolean
  inject(at: Home): void
  undo?(at: Home): void
  /** The worker waits for a while until the fault is over. */
  passes?: boolean
}

export const storeDeleted: StoreFault = {
  name: 'its store deleted',
  inject: (at) => rmSync(at.store, { recursive: true, force: true }),
}

let held: DatabaseSync | undefined

export const ledgerLocked: StoreFault = {
  name: 'its ledger locked by another process',
  inject: (at) => {
    held = new DatabaseSync(ledger(at))
    held.exec('BEGIN EXCLUSIVE')
  },
  undo: () => {
    held?.close()
    held = undefined
  },
  passes: true,
}

export const ledgerCorrupt: StoreFault = {
  name: 'its ledger corrupt',
  inject: (at) => {
    writeFileSync(ledger(at), 'This is no database. '.repeat(5000))
    for (const side of ['-wal', '-shm']) rmSync(`${ledger(at)}${side}`, { force: true })
  },
}

export const diskFull: StoreFault = {
  name: 'its disk full',
  prepare: (at) => {
    mkdirSync(at.store)
    return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', at.store]).status === 0
  },
  inject: (at) => {
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
