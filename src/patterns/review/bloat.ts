// Instructions that nobody reads help nobody: what stands twice in the catalogue, and where there is too much of it.
import { estimateTokens } from '../../core/tokens.ts'
import { plural } from '../../core/units.ts'
import type { Practice } from '../practice.ts'
import type { SignalType } from '../signal.ts'
import { isTurnedAround, similarity } from './similar.ts'

export interface BloatWarning {
  kind: 'same pattern' | 'same rule' | 'too many' | 'too long'
  practices: string[]
  text: string
}

const mostPractices = 15
const mostTokens = 1_500
const nearlySame = 0.8

export function bloatWarnings(practices: readonly Practice[]): BloatWarning[] {
  const approved = practices.filter(({ status }) => status === 'approved')
  return [...twins(approved), ...crowds(approved)]
}

/** What the catalogue would warn of if this were in it. */
export function bloatOf(practice: Practice, practices: readonly Practice[]): BloatWarning[] {
  const others = practices.filter(({ id }) => id !== practice.id)
  const known = new Set(bloatWarnings(others).map(({ text }) => text))
  return bloatWarnings([...others, practice]).filter(({ text }) => !known.has(text))
}

function twins(practices: readonly Practice[]): BloatWarning[] {
  return practices.flatMap((one, index) =>
    practices.slice(index + 1).flatMap((other): BloatWarning[] => {
      if (!canMeet(one, other)) return []
      const ids = [one.id, other.id]
      const names = `"${one.title}" and "${other.title}"`
      if (isSamePattern(one, other))
        return [{ kind: 'same pattern', practices: ids, text: `${names} are about the same thing: keep one` }]
      if (similarity(one.rule, other.rule) < nearlySame) return []
      const isOpposite = isTurnedAround(one.rule, other.rule)
      const what = isOpposite ? 'may contradict each other' : 'say nearly the same'
      return [{ kind: 'same rule', practices: ids, text: `${names} ${what}: keep one` }]
    }),
  )
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

function crowds(practices: readonly Practice[]): BloatWarning[] {
  const projects = [...new Set(practices.flatMap((practice) => practice.projects))].toSorted()
  const everywhere = practices.filter((practice) => practice.projects.length === 0)
  const places = [
    { name: 'Every project', told: everywhere },
    ...projects.map((project) => ({
      name: project,
      told: practices.filter((one) => one.projects.length === 0 || one.projects.includes(project)),
    })),
  ]
  return places.flatMap(({ name, told }): BloatWarning[] => {
    const ids = told.map(({ id }) => id)
    const tokens = told.reduce((sum, { rule }) => sum + estimateTokens(rule), 0)
    if (told.length > mostPractices)
      return [
        {
          kind: 'too many',
          practices: ids,
          text: `${name} has ${plural(told.length, 'practice')}: agents follow few rules better than many (${mostPractices} at most)`,
        },
      ]
    if (tokens > mostTokens)
      return [
        {
          kind: 'too long',
          practices: ids,
          text: `${name} has rules of about ${tokens} tokens: shorten them (${mostTokens} at most)`,
        },
      ]
    return []
  })
}
