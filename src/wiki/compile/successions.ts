// The statements of a project as the wiki tells them: each valid memory with what it replaced. Says
// whether there is enough for an article.
import { excluded } from '../../memory/exclusions.ts'
import type { Memory } from '../../memory/memory.ts'
import { needsContext } from '../../memory/wording.ts'
import { isAngry } from '../../text/anger.ts'

export interface Succession {
  /** Valid now. */
  memory: Memory
  /** What it replaced, directly or through another, latest first. */
  earlier: Memory[]
}

/** Most important first. `memories` are the kept ones, including superseded ones. */
export function successionsOf(memories: readonly Memory[]): Succession[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const successions = new Map<string, Succession>()
  // Admission refuses such texts, but people and other machines can change a memory later.
  const told = memories.filter(({ text, trust }) => excluded({ text, trust }) === undefined)
  for (const memory of told) if (memory.supersededBy === null) successions.set(memory.id, { memory, earlier: [] })
  for (const memory of told)
    if (memory.supersededBy !== null) successions.get(successorOf(memory, byId))?.earlier.push(memory)
  for (const { earlier } of successions.values())
    earlier.sort((a, b) => compare(endOf(b), endOf(a)) || compare(a.id, b.id))
  return [...successions.values()].sort(byWeight)
}

/** Id of the memory at the end of the chain. */
function successorOf(memory: Memory, byId: ReadonlyMap<string, Memory>): string {
  const seen = new Set<string>()
  let current: Memory | undefined = memory
  while (current?.supersededBy && !seen.has(current.id)) {
    seen.add(current.id)
    current = byId.get(current.supersededBy)
  }
  return current?.id ?? ''
}

function endOf({ supersededAt, confirmedAt }: Memory): string {
  return supersededAt ?? confirmedAt
}

function byWeight({ memory: a }: Succession, { memory: b }: Succession): number {
  return weightOf(b) - weightOf(a) || compare(b.confirmedAt, a.confirmedAt) || compare(a.id, b.id)
}

/**
 * What the user said weighs more than what others said, what was repeated more than what was said
 * once, what to do more than what happened, and what can be read alone more than what cannot.
 */
function weightOf(memory: Memory): number {
  const { importance, trust, counts, doubt, space, kind } = memory
  const often = Math.min(0.15, 0.05 * (counts.said - 1))
  const isUsers = trust === 'user said' && space === null
  const rank = isTrap(memory) ? 0.1 : kind === 'fact' ? 0 : 0.2
  const isUnclear = needsContext(memory.text) || isAngry(memory.text)
  const doubts = (isUsers ? 0 : 0.5) + (doubt === null ? 0 : 1) + (isUnclear ? 0.3 : 0)
  return Math.round(100 * (importance + often + rank - doubts))
}

/** Two statements, a decision that replaced another, or a trap that recurs or has a proven fix. */
export function isWorthAnArticle(successions: readonly Succession[]): boolean {
  return (
    successions.length >= 2 || successions.some(({ memory, earlier }) => earlier.length > 0 || isRecurringTrap(memory))
  )
}

export function isTrap({ kind, status }: Memory): boolean {
  return status === 'tried-and-failed' || kind === 'debugging' || kind === 'workaround'
}

function isRecurringTrap(memory: Memory): boolean {
  const sessions = new Set(memory.evidence.flatMap(({ session }) => session ?? []))
  return isTrap(memory) && (memory.because === 'run' || sessions.size >= 2)
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
