// One process at a time has the memory files: another one's half-done writing would look like the edit of a person.
import { join } from 'node:path'
import { tryLock } from '../../core/lock.ts'
import type { MemoryFilesContext } from './context.ts'

/** Gives the files back; undefined where another process has them, which then does what is due, or leaves it due. */
export function takeFiles({ ledger, clock }: MemoryFilesContext): (() => void) | undefined {
  const locking = tryLock(join(ledger.layout.run, 'memory-files.lock'), 'memory files', clock)
  return locking.kind === 'held' ? locking.release : undefined
}
