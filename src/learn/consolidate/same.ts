// Which of two memories may take the place of the other, and what of their words is compared.
import type { Memory } from '../../memory/memory.ts'
import type { StatementTerms } from '../../text/statement.ts'

/** What a person said or wrote gives way only to later words of a person; an agent's to anybody of as much weight. */
export function mayReplace(keeper: Memory, gone: Memory): boolean {
  // What is private stays private: it is not counted by what may leave the machine.
  if ((keeper.type === 'user') !== (gone.type === 'user')) return false
  if (isFromPerson(gone)) return keeper.trust === 'user said' && keeper.validFrom >= gone.validFrom
  return weights[keeper.trust] >= weights[gone.trust]
}

export function isFromPerson({ trust, evidence }: Memory): boolean {
  return trust === 'user said' || trust === 'imported' || evidence.some(({ session }) => session === null)
}

const weights = { 'user said': 3, imported: 2, 'agent said': 1, 'tool printed': 0 } as const

export function allTerms({ words, values }: StatementTerms): string[] {
  return [...words, ...values]
}
