// Sections of a brief with memories. Rules and decisions contain only valid statements of the user
// that a person or a model kept; team memories and statements of agents, tools and imports have
// labelled sections of their own. Text that tries to instruct its reader is left out.
import type { Clock } from '../core/clock.ts'
import { isoTime } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import { type ToldMemory, tellMemory } from '../gate/gate.ts'
import { ageText } from '../memory/age.ts'
import { attributionText, originText, spaceText } from '../memory/attribution.ts'
import type { Memory, MemoryKind } from '../memory/memory.ts'
import { memoryKinds } from '../memory/memory.ts'
import { kindsIn, type StatementSection, statementSections } from '../memory/sections.ts'
import type { Ledger } from '../store/ledger.ts'
import { keptPairs } from '../store/memories/kept-pairs.ts'
import { listMemories, memoryById } from '../store/memories/memories.ts'
import { type BriefMemory, type BriefSelection, maxForBrief, memoriesForBrief } from '../store/memories/usage.ts'
import { contentWords } from '../text/content-words.ts'
import type { BriefItem, BriefSection } from './budget.ts'
import { outdatedAmong } from './outdated.ts'
import { shortLine, shortLineByTokens } from './short-line.ts'

interface SectionRule extends BriefSelection {
  title: string
  share: number
  /** Without it as many as fit. */
  max?: number
  maxTokens: number
  /** Memories of team spaces instead of the user's own. */
  isTeams?: boolean
}

const sectionRules: readonly SectionRule[] = [
  { ...ofUser('rules'), share: 0.21, maxTokens: 80 },
  { ...ofUser('decisions'), share: 0.11, maxTokens: 80 },
  { ...ofUser('traps'), share: 0.1, maxTokens: 70, runs: 'with', failed: [...memoryKinds] },
  { ...ofUser('facts'), share: 0.06, maxTokens: 50 },
  {
    title: 'Team memories, said by members of teams',
    share: 0.12,
    max: 12,
    maxTokens: 60,
    isTeams: true,
    trusts: ['user said'],
    settled: [...memoryKinds],
    failed: [...memoryKinds],
  },
  {
    title: 'From agents, tools and imported files, not said by the user',
    share: 0.06,
    max: 4,
    maxTokens: 35,
    trusts: ['agent said', 'tool printed', 'imported'],
    runs: 'without',
    settled: [...memoryKinds],
    failed: [...memoryKinds],
  },
]

function ofUser(section: StatementSection): Pick<SectionRule, 'title' | 'trusts' | 'settled' | 'failed'> {
  return { title: statementSections[section], trusts: ['user said'], settled: kindsIn(section), failed: [] }
}

/** A memory that is not told, and why. */
export interface HeldMemory {
  id: string
  reason: string
}

export interface MemorySections {
  held: HeldMemory[]
  users: BriefSection[]
  teams: BriefSection
  others: BriefSection
}

export interface MemoriesContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
}

export function memorySections(context: MemoriesContext, project: string): MemorySections {
  /** Ids shown as the contradiction of another memory. */
  const contradictions = new Set<string>()
  const held: HeldMemory[] = []
  const found = sectionRules.map((rule) => ({ rule, memories: memoriesOf(context, project, rule) }))
  const outdated = outdatedAmong(
    found.flatMap(({ memories }) => memories.slice(0, maxCompared)),
    keptPairs(context.ledger),
  )
  const undecided = undecidedAgainst(context.ledger)
  const sections = found.map(({ rule, memories }) => {
    const valid = memories.filter(({ id }) => !outdated.has(id))
    const isOpen = memories.length === maxForBrief
    return sectionOf(context, rule, { valid, isOpen }, { contradictions, held, undecided })
  })
  return { held, users: sections.slice(0, -2), teams: sections.at(-2)!, others: sections.at(-1)! }
}

/** Of each section: more than a brief has room for. */
const maxCompared = 40

/** What the user said later and has not decided yet, by the memory that it may end. */
function undecidedAgainst(ledger: Ledger): Map<string, Memory> {
  const waiting = listMemories(ledger, { state: 'inbox', isCurrent: true, limit: maxUndecided })
  // The newest of several is the first.
  return new Map(
    waiting
      .filter(({ contradicts, trust, space }) => contradicts !== null && trust === 'user said' && space === null)
      .map((memory): [string, Memory] => [memory.contradicts!, memory])
      .reverse(),
  )
}

const maxUndecided = 200

function memoriesOf(
  { ledger, clock }: MemoriesContext,
  project: string,
  { isTeams = false, ...wanted }: SectionRule,
): BriefMemory[] {
  // The last section mixes own and team memories; there each line names its origin.
  const isMixed = !wanted.trusts.includes('user said')
  const whose = isTeams ? ('teams' as const) : ('own' as const)
  return [...memoriesForBrief(ledger, project, isMixed ? wanted : { ...wanted, whose }, isoTime(clock.nowMs()))]
}

function sectionOf(
  { ledger, clock, zone }: MemoriesContext,
  { title, share, max, maxTokens }: SectionRule,
  { valid, isOpen }: { valid: readonly BriefMemory[]; isOpen: boolean },
  {
    contradictions,
    held,
    undecided,
  }: { contradictions: Set<string>; held: HeldMemory[]; undecided: ReadonlyMap<string, Memory> },
): BriefSection {
  const items: BriefItem[] = []
  const seen = new Set<string>()
  for (const memory of valid) {
    if (items.length === max) break
    const words = memory.text.toLowerCase()
    if (seen.has(words) || contradictions.has(memory.id)) continue
    // Memories can be edited and synced past admission.
    const one = tellMemory(memory)
    if ('held' in one) {
      held.push({ id: memory.id, reason: one.held })
      continue
    }
    seen.add(words)
    const against = findContradiction(ledger, memory)
    if (against) contradictions.add(against.id)
    const later = toldOnly(undecided.get(memory.id))
    items.push(
      itemOf(memory.id, () => {
        const marks = [...timesOf(memory, zone, clock.nowMs()), ...marksOf(memory, against)].join(', ')
        const after = [
          against ? `\n  ${contradictionLine(against, zone, maxTokens)}` : '',
          later ? `\n  ${undecidedLine(later, zone, maxTokens)}` : '',
        ].join('')
        return formsOf(one.told, maxTokens).map((form) => `- ${marks}: ${form} [${memory.id}]${after}`)
      }),
    )
  }
  return {
    title,
    share,
    items,
    ...(max === undefined ? { more: { command: 'recollect memories', isOpen } } : {}),
  }
}

/** Writes the forms when they are first read: most items are only counted. */
function itemOf(memory: string, write: () => string[]): BriefItem {
  let written: string[] | undefined
  const forms = () => {
    written ??= write()
    return written
  }
  return {
    memory,
    get text() {
      return forms()[0]!
    },
    get longer() {
      return forms().slice(1)
    },
  }
}

/** Shortened if it is long, then whole, then with its reason and how to apply it. */
function formsOf({ text, why, apply }: ToldMemory, maxTokens: number): string[] {
  const whole = shortLine(text, text.length)
  const notes = [
    ['Why', why],
    ['Apply', apply],
  ].flatMap(([label, note]) => {
    const isNew = note && note.length <= maxNoteLength && !saysAll(whole, note)
    return isNew ? `${label}: ${sentence(shortLine(note, note.length))}` : []
  })
  const all = notes.length > 0 ? [sentence(whole), ...notes].join(' ') : whole
  return [...new Set([shortLineByTokens(text, maxTokens), whole, all])]
}

const maxNoteLength = 200

function saysAll(text: string, note: string): boolean {
  const words = new Set(contentWords(text))
  return contentWords(note).every((word) => words.has(word))
}

function sentence(text: string): string {
  return /[.!?…。！？)]$/.test(text) ? text : `${text}.`
}

/** When it was said, how long ago that was, and when it was confirmed since. */
function timesOf({ validFrom, confirmedAt }: BriefMemory, zone: Zone, nowMs: number): string[] {
  const [said, confirmed] = [zone.day(validFrom), zone.day(confirmedAt)]
  return [said, ageText(validFrom, nowMs), confirmed > said ? `confirmed ${confirmed}` : ''].filter(Boolean)
}

/** The memory that contradicts this one, if it is still valid. */
function findContradiction(ledger: Ledger, { contradicts }: BriefMemory): Memory | undefined {
  const other = contradicts ? memoryById(ledger, contradicts) : undefined
  return other?.state === 'kept' && other.supersededBy === null ? toldOnly(other) : undefined
}

function toldOnly(memory: Memory | undefined): Memory | undefined {
  const one = memory && tellMemory(memory)
  return one && 'told' in one ? { ...memory, ...one.told } : undefined
}

/** The old rule alone would be told as if the user had not spoken since. */
function undecidedLine(later: Memory, zone: Zone, maxTokens: number): string {
  return `Not decided yet, the user on ${zone.day(later.validFrom)}: ${shortLineByTokens(later.text, maxTokens)} [${later.id}]`
}

function contradictionLine(other: Memory, zone: Zone, maxTokens: number): string {
  return `But ${attributionText(other)} on ${zone.day(other.validFrom)}: ${shortLineByTokens(other.text, maxTokens)} [${other.id}]`
}

function marksOf(memory: BriefMemory, against: Memory | undefined): string[] {
  const isTrap = traps.has(memory.kind) && memory.trust === 'user said'
  const isOwn = memory.space === null
  return [
    isOwn && memory.trust === 'user said' ? '' : originText(memory),
    isOwn || memory.trust !== 'user said' ? '' : memory.kind,
    memory.status === 'tried-and-failed' ? 'tried and failed' : isTrap && isOwn ? memory.kind : '',
    memory.project === null ? 'everywhere' : '',
    memory.said > 1 ? `said ${memory.said} times` : '',
    memory.doubt ? `doubtful (${memory.doubt})` : '',
    against ? `against ${against.space ? spaceText(against.space) : 'another'}` : '',
  ].filter(Boolean)
}

const traps = new Set<MemoryKind>(['debugging', 'workaround'])
