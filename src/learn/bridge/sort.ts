// Which notes of a file are new, which were imported before, and which take the place of one that is gone.

import type { MemoryCandidate } from '../../memory/candidate.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { statementSimilarity, statementTerms } from '../../text/statement.ts'

export interface SortedNotes {
  fresh: MemoryCandidate[]
  /** Of the same words as before, but told otherwise: why, how to apply. */
  updated: Memory[]
  known: number
}

export function sortNotes(
  ledger: Ledger,
  path: string,
  notes: readonly MemoryCandidate[],
  ids: readonly string[],
): SortedNotes {
  const memories = ids.flatMap((id) => memoryById(ledger, id) ?? [])
  const marks = ({ evidence }: Pick<Memory, 'evidence'>) =>
    evidence.filter(({ file }) => file === path).map(({ event }) => event)
  const before = new Set(memories.flatMap(marks))
  const now = new Set(notes.flatMap(marks))
  const fresh = notes.filter((note) => !marks(note).some((mark) => before.has(mark)))
  const gone = memories.filter(
    (memory) => memory.state !== 'forgotten' && !memory.supersededBy && !marks(memory).some((mark) => now.has(mark)),
  )
  return { ...withPlaces(fresh, gone, path), known: notes.length - fresh.length }
}

/** A note that is new takes the place of the one that is gone from the same file and says something like it. */
function withPlaces(
  notes: readonly MemoryCandidate[],
  gone: readonly Memory[],
  path: string,
): Omit<SortedNotes, 'known'> {
  const left = new Set(gone)
  const isOne = notes.length === 1 && gone.length === 1
  const fresh: MemoryCandidate[] = []
  const updated: Memory[] = []
  for (const note of notes) {
    const alike = isOne ? gone[0] : mostAlike(note, left)
    if (alike) left.delete(alike)
    if (alike && alike.text === note.text && alike.project === note.project)
      updated.push(...updatedBy(note, alike, path))
    else fresh.push(alike ? { ...note, supersedes: alike.id } : note)
  }
  return { fresh, updated }
}

function mostAlike(note: MemoryCandidate, memories: Iterable<Memory>): Memory | undefined {
  const mine = statementTerms(note.text)
  return [...memories]
    .map((memory) => ({ memory, share: statementSimilarity(mine, statementTerms(memory.text)) }))
    .filter(({ share }) => share >= 0.3)
    .sort((a, b) => b.share - a.share)[0]?.memory
}

/** Nobody's word is taken over that of the user. */
function updatedBy({ why, apply, type, evidence }: MemoryCandidate, memory: Memory, path: string): Memory[] {
  if (memory.trust === 'user said') return []
  const others = memory.evidence.filter(({ file }) => file !== path)
  return [{ ...memory, why, apply, type, evidence: [...others, ...evidence], version: memory.version + 1 }]
}
