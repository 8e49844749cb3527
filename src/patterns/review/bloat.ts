// Instructions that nobody reads help nobody: what stands twice in the catalogue, and where there is too much of it.

import { plural } from '../../core/units.ts'
import { estimateTokens } from '../../text/tokens.ts'
import type { Practice } from '../practice.ts'
import type { SignalType } from '../signal.ts'
import { isTurnedAround, similarity } from './similar.ts'

export interface BloatWarning {
  kind: 'same pattern' | 'same rule' | 'too many' | 'too long'
  practices: string[]
  text: string
}

const maxPractices = 15
const maxTokens = 1_500
const nearlySame = 0.8

export function bloatWarnings(practices: readonly Practice[]): BloatWarning[] {
  const approved = practices.filter(isApproved)
  return [...approved.flatMap((one, index) => twinsOf(one, approved.slice(index + 1))), ...crowds(approved)]
}

/** What the catalogue would warn of if this were in it, and does not yet. */
export function bloatOf(practice: Practice, practices: readonly Practice[]): BloatWarning[] {
  const others = practices.filter((other) => isApproved(other) && other.id !== practice.id)
  const known = new Set(crowds(others).map(({ kind, place }) => `${kind} ${place}`))
  const fresh = crowds([...others, practice]).filter(({ kind, place }) => !known.has(`${kind} ${place}`))
  return [...twinsOf(practice, others), ...fresh]
}

function isApproved({ status }: Practice): boolean {
  return status === 'approved'
}

function twinsOf(one: Practice, others: readonly Practice[]): BloatWarning[] {
  return others.flatMap((other): BloatWarning[] => {
    if (!canMeet(one, other)) return []
    const practices = [one.id, other.id]
    const names = `"${one.title}" and "${other.title}"`
    if (isSamePattern(one, other))
      return [{ kind: 'same pattern', practices, text: `${names} are about the same thing: keep one` }]
    if (similarity(one.rule, other.rule) < nearlySame) return []
    const what = isTurnedAround(one.rule, other.rule) ? 'may contradict each other' : 'say nearly the same'
    return [{ kind: 'same rule', practices, text: `${names} ${what}: keep one` }]
  })
}

/** Whether any agent in any project is told both. */
function canMeet(one: Practice, other: Practice): boolean {
  const shares = (a: readonly string[], b: readonly string[]) =>
    a.length === 0 || b.length === 0 || a.some((item) => b.includes(item))
  return shares(one.agents, other.agents) && shares(one.projects, other.projects)
}

function isSamePattern({ pattern: one }: Practice, { pattern: other }: Practice): boolean {
  const plain = (locus: string) => locus.toLowerCase().replace(/\s+/g, ' ').trim()
  return (
    one !== undefined &&
    other !== undefined &&
    familyOf(one.type) === familyOf(other.type) &&
    plain(one.locus) === plain(other.locus)
  )
}

/** Often in one session, or once in many: the remedy is the same. */
function familyOf(type: SignalType): SignalType {
  return type === 'repeated error' ? 'recurring error' : type
}

interface Crowd extends BloatWarning {
  place: string
}

function crowds(practices: readonly Practice[]): Crowd[] {
  const projects = [...new Set(practices.flatMap((practice) => practice.projects))].toSorted()
  const everywhere = practices.filter((practice) => practice.projects.length === 0)
  const places = [
    { name: 'Every project', told: everywhere },
    ...projects.map((project) => ({
      name: project,
      told: practices.filter((one) => one.projects.length === 0 || one.projects.includes(project)),
    })),
  ]
  return places.flatMap(({ name: place, told }): Crowd[] => {
    const ids = told.map(({ id }) => id)
    const tokens = told.reduce((sum, { rule }) => sum + estimateTokens(rule), 0)
    if (told.length > maxPractices) {
      const text = `${place} has ${plural(told.length, 'practice')}: agents follow few rules better than many (${maxPractices} at most)`
      return [{ kind: 'too many', place, practices: ids, text }]
    }
    if (tokens <= maxTokens) return []
    const text = `${place} has rules of about ${tokens} tokens: shorten them (${maxTokens} at most)`
    return [{ kind: 'too long', place, practices: ids, text }]
  })
}
