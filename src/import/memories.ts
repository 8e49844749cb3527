// Writes memories of an export as they were. One that is there already is never changed.
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { changeMemory } from '../store/memories/changes.ts'
import { memoryById } from '../store/memories/memories.ts'
import type { ImportChange } from './change.ts'

export interface RestoredMemories {
  kept: Memory[]
  inbox: Memory[]
  /** The same as here. */
  known: number
  /** Other than here, or forgotten here: left as they are. */
  left: Memory[]
  /** Memories of teams, which come with sync. */
  ofTeams: number
}

/** Call inside a transaction. */
export function restoreMemories(
  ledger: Ledger,
  memories: readonly Memory[],
  { change, redact }: { change: ImportChange; redact(text: string): string },
): RestoredMemories {
  const report: RestoredMemories = { kept: [], inbox: [], known: 0, left: [], ofTeams: 0 }
  // An export has the latest first, and lists are ordered by when a row was written.
  for (const given of memories.toReversed()) {
    if (given.space !== null) {
      report.ofTeams++
      continue
    }
    const memory = withoutSecrets(given, redact)
    const here = memoryById(ledger, memory.id)
    if (here) {
      if (isSame(here, memory)) report.known++
      else report.left.push(here)
      continue
    }
    changeMemory(ledger, change.begin(), memory)
    report[memory.state === 'inbox' ? 'inbox' : 'kept'].push(memory)
  }
  return report
}

function withoutSecrets(memory: Memory, redact: (text: string) => string): Memory {
  const orNull = (text: string | null) => (text === null ? null : redact(text))
  return {
    ...memory,
    text: redact(memory.text),
    why: orNull(memory.why),
    apply: orNull(memory.apply),
    doubt: orNull(memory.doubt),
    evidence: memory.evidence.map((one) => ({ ...one, quote: redact(one.quote) })),
  }
}

/** How often it was shown and used is counted by each machine. */
function isSame(one: Memory, other: Memory): boolean {
  const stated = ({ counts: { said }, ...memory }: Memory) => JSON.stringify(sorted({ ...memory, said }))
  return stated(one) === stated(other)
}

function sorted(fields: Record<string, unknown>): [string, unknown][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}
