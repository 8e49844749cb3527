// What a brief tells of memories. Among rules and decisions stands only what the user said and still holds; what agents, tools
// and other programs have said has a section of its own that says so. What tries to direct its reader is in none.
import type { Clock } from '../core/clock.ts'
import { isoTime } from '../core/clock.ts'
import type { Memory, MemoryKind } from '../core/memory.ts'
import { memoryKinds } from '../core/memory.ts'
import type { Zone } from '../core/units.ts'
import { excluded } from '../learn/admission/exclusions.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoriesToShow, type Wanted } from '../store/shown.ts'
import type { Item, Section } from './brief-budget.ts'
import { lineOfTokens } from './brief-text.ts'

interface Kind extends Wanted {
  title: string
  share: number
  most: number
  mostTokens: number
}

const kinds: readonly Kind[] = [
  {
    title: 'Standing rules: what the user asked for',
    share: 0.22,
    most: 15,
    mostTokens: 80,
    trusts: ['user said'],
    settled: ['correction', 'preference'],
    failed: [],
  },
  {
    title: 'Decisions that the user has settled',
    share: 0.12,
    most: 10,
    mostTokens: 80,
    trusts: ['user said'],
    settled: ['decision'],
    failed: [],
  },
  {
    title: 'Traps, and what was tried and failed',
    share: 0.1,
    most: 8,
    mostTokens: 70,
    trusts: ['user said'],
    settled: ['debugging', 'workaround'],
    failed: [...memoryKinds],
  },
  {
    title: 'Facts that the user told',
    share: 0.07,
    most: 6,
    mostTokens: 50,
    trusts: ['user said'],
    settled: ['fact', 'operational'],
    failed: [],
  },
  {
    title: 'Not the word of the user: what agents, tools and imported files said',
    share: 0.06,
    most: 4,
    mostTokens: 35,
    trusts: ['agent said', 'tool printed', 'imported'],
    settled: [...memoryKinds],
    failed: [...memoryKinds],
  },
]

export interface MemorySections {
  users: Section[]
  others: Section
}

export function memorySections(
  { ledger, clock, zone }: { ledger: Ledger; clock: Clock; zone: Zone },
  project: string,
): MemorySections {
  const sections = kinds.map(({ title, share, most, mostTokens, ...wanted }) => {
    const items: Item[] = []
    const seen = new Set<string>()
    for (const memory of memoriesToShow(ledger, project, wanted, isoTime(clock.nowMs()))) {
      if (items.length === most) break
      const text = lineOfTokens(memory.text, mostTokens)
      if (seen.has(text.toLowerCase()) || isDirecting(memory)) continue
      seen.add(text.toLowerCase())
      items.push({
        text: `- ${[zone.day(memory.confirmedAt), ...marksOf(memory)].join(', ')}: ${text} [${memory.id}]`,
        memory: memory.id,
      })
    }
    return { title, share, items }
  })
  return { users: sections.slice(0, -1), others: sections.at(-1)! }
}

/** People edit memories, and machines send them: what admission would refuse is not told either. */
function isDirecting({ text, trust }: Memory): boolean {
  return excluded({ text, trust }) !== undefined
}

function marksOf(memory: Memory): string[] {
  const isTrap = traps.has(memory.kind) && memory.trust === 'user said'
  return [
    memory.trust === 'user said' ? '' : memory.trust,
    memory.status === 'tried-and-failed' ? 'tried and failed' : isTrap ? memory.kind : '',
    memory.project === null ? 'everywhere' : '',
    memory.counts.said > 1 ? `said ${memory.counts.said} times` : '',
    memory.doubt ? `doubtful (${memory.doubt})` : '',
  ].filter(Boolean)
}

const traps = new Set<MemoryKind>(['debugging', 'workaround'])
