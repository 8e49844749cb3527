// What a brief tells of memories. Among rules and decisions stands only what the user said and still holds; what teams know, and what
// agents, tools and other programs have said, has a section of its own that says so. What tries to direct its reader is in none.
import type { Clock } from '../core/clock.ts'
import { isoTime } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import { attributionText, spaceText } from '../memory/attribution.ts'
import { excluded } from '../memory/exclusions.ts'
import type { Memory, MemoryKind } from '../memory/memory.ts'
import { memoryKinds } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryById } from '../store/memories/memories.ts'
import { type BriefSelection, memoriesForBrief } from '../store/memories/usage.ts'
import type { Item, Section } from './budget.ts'
import { lineOfTokens } from './text.ts'

interface Kind extends BriefSelection {
  title: string
  share: number
  max: number
  maxTokens: number
  /** What others keep in the space of a team; without it, one's own. */
  isTeams?: boolean
}

const kinds: readonly Kind[] = [
  {
    title: 'Standing rules: what the user asked for',
    share: 0.22,
    max: 15,
    maxTokens: 80,
    trusts: ['user said'],
    settled: ['correction', 'preference'],
    failed: [],
  },
  {
    title: 'Decisions that the user has settled',
    share: 0.12,
    max: 10,
    maxTokens: 80,
    trusts: ['user said'],
    settled: ['decision'],
    failed: [],
  },
  {
    title: 'Traps, and what was tried and failed',
    share: 0.1,
    max: 8,
    maxTokens: 70,
    trusts: ['user said'],
    settled: ['debugging', 'workaround'],
    failed: [...memoryKinds],
  },
  {
    title: 'Facts that the user told',
    share: 0.07,
    max: 6,
    maxTokens: 50,
    trusts: ['user said'],
    settled: ['fact', 'operational'],
    failed: [],
  },
  {
    title: 'What teams of the user know: said by their members, not by the user',
    share: 0.12,
    max: 12,
    maxTokens: 60,
    isTeams: true,
    trusts: ['user said'],
    settled: [...memoryKinds],
    failed: [...memoryKinds],
  },
  {
    title: 'Not the word of the user: what agents, tools and imported files said',
    share: 0.06,
    max: 4,
    maxTokens: 35,
    trusts: ['agent said', 'tool printed', 'imported'],
    settled: [...memoryKinds],
    failed: [...memoryKinds],
  },
]

export interface MemorySections {
  users: Section[]
  /** Its share comes on top of the others'. */
  teams: Section
  others: Section
}

export interface MemoriesContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
}

export function memorySections(context: MemoriesContext, project: string): MemorySections {
  /** Told beside what contradicts them. */
  const told = new Set<string>()
  const sections = kinds.map((kind) => sectionOf(context, project, kind, told))
  return { users: sections.slice(0, -2), teams: sections.at(-2)!, others: sections.at(-1)! }
}

function sectionOf(
  { ledger, clock, zone }: MemoriesContext,
  project: string,
  { title, share, max, maxTokens, isTeams = false, ...wanted }: Kind,
  told: Set<string>,
): Section {
  const items: Item[] = []
  const seen = new Set<string>()
  // What is nobody's rule may be a team's as well as one's own: there each line says whose it is.
  const isMixed = !wanted.trusts.includes('user said')
  const whose = isTeams ? ('teams' as const) : ('own' as const)
  const asked = isMixed ? wanted : { ...wanted, whose }
  for (const memory of memoriesForBrief(ledger, project, asked, isoTime(clock.nowMs()))) {
    if (items.length === max) break
    const text = lineOfTokens(memory.text, maxTokens)
    if (seen.has(text.toLowerCase()) || told.has(memory.id) || isDirecting(memory)) continue
    seen.add(text.toLowerCase())
    const against = againstOf(ledger, memory)
    if (against) told.add(against.id)
    const marks = [zone.day(memory.confirmedAt), ...marksOf(memory, against)]
    const lines = [`- ${marks.join(', ')}: ${text} [${memory.id}]`]
    if (against) lines.push(`  ${againstLine(against, zone, maxTokens)}`)
    items.push({ text: lines.join('\n'), memory: memory.id })
  }
  return { title, share, items }
}

/** What a team says otherwise, and still does. */
function againstOf(ledger: Ledger, { contradicts }: Memory): Memory | undefined {
  const other = contradicts ? memoryById(ledger, contradicts) : undefined
  return other?.state === 'kept' && other.supersededBy === null && !isDirecting(other) ? other : undefined
}

function againstLine(other: Memory, zone: Zone, maxTokens: number): string {
  return `But ${attributionText(other)} on ${zone.day(other.confirmedAt)}: ${lineOfTokens(other.text, maxTokens)} [${other.id}]`
}

/** People edit memories, and machines send them: what admission would refuse is not told either. */
function isDirecting({ text, trust }: Memory): boolean {
  return excluded({ text, trust }) !== undefined
}

function marksOf(memory: Memory, against: Memory | undefined): string[] {
  const isTrap = traps.has(memory.kind) && memory.trust === 'user said'
  const isOwn = memory.space === null
  return [
    isOwn && memory.trust === 'user said' ? '' : attributionText(memory),
    isOwn || memory.trust !== 'user said' ? '' : memory.kind,
    memory.status === 'tried-and-failed' ? 'tried and failed' : isTrap && isOwn ? memory.kind : '',
    memory.project === null ? 'everywhere' : '',
    memory.counts.said > 1 ? `said ${memory.counts.said} times` : '',
    memory.doubt ? `doubtful (${memory.doubt})` : '',
    against ? `against ${against.space ? spaceText(against.space) : 'another'}` : '',
  ].filter(Boolean)
}

const traps = new Set<MemoryKind>(['debugging', 'workaround'])
