// What a practice becomes when a person has edited its file: a reworded one is a patch, another scope a minor version, another rule
// a major one. A version that the person wrote is theirs.
import type { Practice } from '../practice.ts'
import { isTurnedAround, similarity } from './similar.ts'

/** The practice with its version and history; the same object where nothing that counts has changed. */
export function versioned(before: Practice, now: Practice, day: string): Practice {
  const changes = changesBetween(before, now)
  if (changes.length === 0) return now
  const isTheirs = now.version !== before.version
  const version = isTheirs ? now.version : bumped(before.version, levelOf(changes))
  if (now.history.length > before.history.length && now.history.at(-1)!.version === version) return { ...now, version }
  return {
    ...now,
    version,
    history: [...now.history, { version, day, what: changes.map(({ what }) => what).join(', ') }],
  }
}

type Level = 'none' | 'patch' | 'minor' | 'major'

interface Change {
  level: Level
  what: string
}

function changesBetween(before: Practice, now: Practice): Change[] {
  const changes: Change[] = []
  const add = (isChanged: boolean, level: Level, what: string) => isChanged && changes.push({ level, what })
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

/** Of the words that carry meaning, more than half must stay. */
const leastShared = 0.6

function isAnotherRule(before: string, now: string): boolean {
  return similarity(before, now) < leastShared || isTurnedAround(before, now)
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

/** Editors wrap and trim. */
function isSameText(one: string, other: string): boolean {
  return one.replace(/\s+/g, ' ').trim() === other.replace(/\s+/g, ' ').trim()
}

function levelOf(changes: readonly Change[]): Level {
  const levels: readonly Level[] = ['major', 'minor', 'patch']
  return levels.find((level) => changes.some((change) => change.level === level)) ?? 'none'
}

function bumped(version: string, level: Level): string {
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
