// Compares the user's memories with those of teams: statements that a team has are not learned
// again, contradicting ones are kept and marked. Memories of teams are never changed here.
import { choosesDifferently } from '../../memory/choices.ts'
import { compare, type Relation } from '../../memory/compare.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { acceptedContradictions, changeMemory } from '../../store/memories/changes.ts'
import { similarMemories } from '../../store/memories/memories.ts'
import { hasTeams, ownContradicting } from '../../store/sync/shares.ts'

/** The compared fields of a memory or a candidate. */
export type StatementLike = Pick<Memory, 'text' | 'project' | 'status'>

export type TeamComparison = { kind: 'known'; by: Memory } | { kind: 'against'; by: Memory } | { kind: 'nothing' }

export function compareWithTeams(ledger: Ledger, said: StatementLike): TeamComparison {
  if (!hasTeams(ledger)) return { kind: 'nothing' }
  const theirs = comparableMemories(ledger, said).filter(isTeams)
  const known = theirs.find((memory) => isKnownBy(said, memory))
  if (known) return { kind: 'known', by: known }
  const against = theirs.find((memory) => isAgainst(said, memory))
  return against ? { kind: 'against', by: against } : { kind: 'nothing' }
}

/**
 * Memories of the project, or of none, that share words with a statement; of all projects on
 * request. The limit is higher with
 * teams, so that theirs do not crowd out the user's own.
 */
export function comparableMemories(
  ledger: Ledger,
  { text, project }: Pick<StatementLike, 'text' | 'project'>,
  scope: { ofAllProjects?: boolean } = {},
): Memory[] {
  return similarMemories(ledger, text, project, hasTeams(ledger) ? 60 : 20, scope).filter(
    // A proposal repeats the words of the memory that it is about.
    (memory) => !proposesDeletion(memory),
  )
}

function isTeams({ space, state, supersededBy }: Memory): boolean {
  return space !== null && state === 'kept' && supersededBy === null
}

/** A longer statement contains something that the team does not know. */
function isKnownBy(said: StatementLike, memory: Memory): boolean {
  if (said.status !== memory.status && said.status !== 'hypothetical') return false
  return relationOf(said, memory).kind === 'same' && said.text.length <= memory.text.length * 1.3
}

/** A statement about one project does not contradict one that holds everywhere. */
function isAgainst(said: StatementLike, memory: Memory): boolean {
  if (said.project !== memory.project || isTentative(said) || isTentative(memory)) return false
  const relation = relationOf(said, memory)
  if (relation.kind === 'same') return said.status !== memory.status
  return relation.kind === 'conflict' || choosesDifferently(said.text, memory.text)
}

/**
 * Compares in both directions: neither supersedes the other, and the clocks of two people differ.
 */
function relationOf(said: StatementLike, memory: Memory): Relation {
  const relation = compare(said.text, memory.text)
  const other = compare(memory.text, said.text)
  return other.kind === 'conflict' ? other : relation
}

function isTentative({ status }: Pick<StatementLike, 'status'>): boolean {
  return status === 'hypothetical'
}

/**
 * Updates the contradiction marks of the user's memories after memories of teams were added,
 * changed or removed. Writes only memories whose mark changes, as part of the change. Call inside a
 * transaction, after the memories of the teams were written.
 */
export function markContradictions(ledger: Ledger, arrived: readonly Memory[], change: number): Memory[] {
  const theirs = arrived.filter(({ space }) => space !== null)
  if (theirs.length === 0) return []
  const byId = new Map(theirs.map((memory) => [memory.id, memory]))
  const marks = new Map<string, { own: Memory; contradicts: string | null }>()
  for (const own of ownContradicting(ledger, [...byId.keys()])) {
    const team = byId.get(own.contradicts!)!
    if (!isTeams(team) || !isAgainst(own, team)) marks.set(own.id, { own, contradicts: null })
  }
  const stand = new Set(acceptedContradictions(ledger).map(([memory, other]) => `${memory} ${other}`))
  for (const team of theirs.filter(isTeams)) {
    for (const own of comparableMemories(ledger, team)) {
      if (own.space !== null || own.state !== 'kept' || stand.has(`${own.id} ${team.id}`)) continue
      const known = marks.has(own.id) ? marks.get(own.id)!.contradicts : own.contradicts
      if (known === null && isAgainst(own, team)) marks.set(own.id, { own, contradicts: team.id })
    }
  }
  const marked = [...marks.values()]
    .filter(({ own, contradicts }) => own.contradicts !== contradicts)
    .map(({ own, contradicts }) => ({ ...own, contradicts, version: own.version + 1 }))
  for (const memory of marked) changeMemory(ledger, change, memory)
  return marked
}

/** Updates the contradiction mark of the user's memory after its text has changed. */
export function withContradictionMark(ledger: Ledger, memory: Memory): Memory {
  if (memory.space !== null || memory.state !== 'kept') return memory
  const view = compareWithTeams(ledger, memory)
  const contradicts = view.kind === 'against' ? view.by.id : null
  return contradicts === memory.contradicts ? memory : { ...memory, contradicts }
}
