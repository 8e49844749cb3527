import { UserError } from '../core/errors.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { findMemories } from '../store/memories/memories.ts'

/** By its id or a beginning that only one has. What a person has forgotten is not handed out. */
export function memoryAsked(ledger: Ledger, id: string): Memory {
  const found = findMemories(ledger, id)
  if (found.length === 0) throw new UserError(`There is no memory ${id}`, 'memory_search and memory_list give ids.', 1)
  if (found.length > 1)
    throw new UserError(`${id} is the beginning of ${found.length} memories`, found.map((one) => one.id).join(', '))
  const memory = found[0]!
  if (memory.state === 'forgotten')
    throw new UserError(`${memory.id} was forgotten`, 'Only a person brings it back: recollect undo', 1)
  return memory
}

/** Whether an id is that of a memory; any other names a session or an exchange of one. */
export function isMemoryId(id: string): boolean {
  return /^m-/.test(id)
}
