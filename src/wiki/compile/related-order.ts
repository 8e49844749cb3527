// Orders the statements of a section: most important first, each followed by those about the same
// subject.
import { conceptOf } from '../../text/synonyms.ts'
import type { Succession } from './successions.ts'
import { subjectsOfSuccession } from './topics.ts'

/** `project`: its name, which is no subject. */
export function besideRelated(successions: readonly Succession[], project: string): Succession[] {
  const keys = new Map(successions.map((succession) => [succession, subjectKeys(succession)]))
  const counts = new Map<string, number>()
  for (const own of keys.values()) for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1)
  const isTelling = (key: string) =>
    counts.get(key)! * 2 <= successions.length && key !== conceptOf(project.toLowerCase())
  const ordered = new Set<Succession>()
  for (const first of successions) {
    if (ordered.has(first)) continue
    const own = [...keys.get(first)!].filter(isTelling)
    const related = successions.filter((other) => !ordered.has(other) && own.some((key) => keys.get(other)!.has(key)))
    for (const succession of [first, ...related]) ordered.add(succession)
  }
  return [...ordered]
}

function subjectKeys(succession: Succession): Set<string> {
  return new Set(subjectsOfSuccession(succession).flatMap(({ key, isHead, isLead }) => (isHead || isLead ? key : [])))
}
