// Versions an edited practice: a new wording is a patch, a new scope minor, a new rule major. A
// version that the person wrote is kept.
import type { Practice } from '../types.ts'
import { isOpposite, ruleSimilarity } from './rule-similarity.ts'

/**
 * The practice with its new version and history; the same object where nothing relevant changed.
 */
export function bumpVersion(before: Practice, now: Practice, day: string): Practice {
  const changes = changesBetween(before, now)
  if (changes.length === 0) return now
  const isTheirs = now.version !== before.version
  const version = isTheirs ? now.version : nextVersion(before.version, levelOf(changes))
  if (now.history.length > before.history.length && now.history.at(-1)!.version === version) return { ...now, version }
  return {
    ...now,
    version,
    history: [...now.history, { version, day, what: changes.map(({ what }) => what).join(', ') }],
  }
}

type VersionLevel = 'none' | 'patch' | 'minor' | 'major'

interface VersionChange {
  level: VersionLevel
  what: string
}

function changesBetween(before: Practice, now: Practice): VersionChange[] {
  const changes: VersionChange[] = []
  const add = (isChanged: boolean, level: VersionLevel, what: string) => isChanged && changes.push({ level, what })
  const isRewritten = isAnotherRule(before.rule, now.rule)
  add(
    !isSameText(before.rule, now.rule),
    isRewritten ? 'major' : 'patch',
    isRewritten ? 'rule rewritten' : 'rule reworded',
  )
  add(!isSameList(before.steps, now.steps), isSameLength(before, now) ? 'patch' : 'major', 'steps changed')
  add(!isSameScope(before, now), 'minor', 'scope changed')
  add(!isSameText(before.problem, now.problem), 'patch', 'problem reworded')
  add(!isSameText(before.title, now.title), 'patch', 'title changed')
  add(before.status !== now.status, 'none', now.status === 'retired' ? 'retired' : 'approved again')
  add(changes.length === 0 && before.version !== now.version, 'none', 'version changed')
  return changes
}

/** Below this similarity the rule counts as rewritten. */
const minSimilarity = 0.42

function isAnotherRule(before: string, now: string): boolean {
  return ruleSimilarity(before, now) < minSimilarity || isOpposite(before, now)
}

function isSameLength(before: Practice, now: Practice): boolean {
  return before.steps.length === now.steps.length
}

function isSameScope(before: Practice, now: Practice): boolean {
  return (
    isSameList(before.agents.toSorted(), now.agents.toSorted()) &&
    isSameList(before.projects.toSorted(), now.projects.toSorted())
  )
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => isSameText(item, other[index]!))
}

/** Ignores wrapping and trimming by editors. */
function isSameText(one: string, other: string): boolean {
  return one.replace(/\s+/g, ' ').trim() === other.replace(/\s+/g, ' ').trim()
}

function levelOf(changes: readonly VersionChange[]): VersionLevel {
  const levels: readonly VersionLevel[] = ['major', 'minor', 'patch']
  return levels.find((level) => changes.some((change) => change.level === level)) ?? 'none'
}

function nextVersion(version: string, level: VersionLevel): string {
  const [major = 1, minor = 0, patch = 0] = version.split('.').map(Number)
  switch (level) {
    case 'major':
      return `${major + 1}.0.0`
    case 'minor':
      return `${major}.${minor + 1}.0`
    case 'patch':
      return `${major}.${minor}.${patch + 1}`
    case 'none':
      return version
    default:
      return level satisfies never
  }
}
