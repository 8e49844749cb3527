// Chains of memories in which each took the place of the one before.

import { UserError } from '../../core/errors.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoryById } from '../../store/memories/memories.ts'

/** The newest of the chain that a memory is in; undefined where there is no such memory. */
export function currentOf(ledger: Ledger, id: string): Memory | undefined {
  let memory = memoryById(ledger, id)
  const seen = new Set<string>()
  while (memory?.supersededBy && !seen.has(memory.id)) {
    seen.add(memory.id)
    memory = memoryById(ledger, memory.supersededBy) ?? memory
  }
  return memory
}

/** Refuses a link that would lead back to where it begins. */
export function checkSupersedes(ledger: Ledger, by: Memory, old: Memory): void {
  if (by.id === old.id) throw new UserError(`${by.id} cannot supersede itself`, 'Name another memory.')
  for (let next = by, steps = 0; next.supersededBy && steps < 1000; steps++) {
    if (next.supersededBy === old.id)
      throw new UserError(`${old.id} already takes the place of ${by.id}`, `See: recollect history ${by.id}`)
    const after = memoryById(ledger, next.supersededBy)
    if (!after) return
    next = after
  }
}
