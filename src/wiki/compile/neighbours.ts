// Finds related articles: of the same project by shared sessions and memories, of other projects by
// the same topic, and between the global article and projects.
import type { ArticleTopic } from '../../store/wiki/compile-inputs.ts'
import { compare, type Topic } from './topics.ts'

/** The topic of the project's own article. */
export function projectTopic(project: string | null): string {
  return `project:${project ?? ''}`
}

/**
 * Whether a topic is unrelated to the same topic elsewhere, because many projects have such a file.
 */
export function isCommonTopic(topic: string): boolean {
  return commonTopics.has(topic)
}

const commonTopics = new Set(
  'api app cli client common config constants context core errors helpers models options schema server service session settings state store types utils'
    .split(' ')
    .map((name) => `file:${name}`),
)

/**
 * Projects whose articles link to articles that were added, removed or renamed, including their own
 * projects.
 */
export function projectsLinking(before: readonly ArticleTopic[], after: readonly ArticleTopic[]): (string | null)[] {
  const [old, now] = [before, after].map((placed) => new Set(placed.filter(({ isDeleted }) => !isDeleted).map(keyOf)))
  const changed = [
    ...before.filter((one) => old!.has(keyOf(one)) && !now!.has(keyOf(one))),
    ...after.filter((one) => now!.has(keyOf(one)) && !old!.has(keyOf(one))),
  ]
  if (changed.length === 0) return []
  const topics = new Set(changed.map(({ topic }) => topic).filter((topic) => !isCommonTopic(topic)))
  const projects = new Set(changed.map(({ project }) => project))
  const isOfAll = topics.has(projectTopic(null))
  const isOfOne = [...topics].some(isProjectTopic)
  for (const { topic, project } of after)
    if (topics.has(topic) || (project === null ? isOfOne : isOfAll)) projects.add(project)
  return [...projects]
}

/** Excludes the global article. */
export function isProjectTopic(topic: string): boolean {
  return topic.startsWith(projectTopic('')) && topic !== projectTopic(null)
}

function keyOf({ project, topic, path, title, projectName }: ArticleTopic): string {
  return JSON.stringify([project, topic, path, title, projectName])
}

const nearest = 5
const maxRelated = 15
/** Sessions with more topics say nothing about relatedness. */
const maxTogether = 8

/** Keys of related topics for each topic, nearest first. The relation is symmetric. */
export function nearTopics(topics: readonly Topic[]): Map<string, string[]> {
  const weights = pairWeights(topics)
  const chosen = new Map<string, Set<string>>(topics.map(({ key }) => [key, new Set()]))
  for (const [key, near] of weights) {
    for (const other of ordered(near).slice(0, nearest)) {
      chosen.get(key)!.add(other)
      chosen.get(other)!.add(key)
    }
  }
  return new Map(
    [...chosen].map(([key, near]) => [
      key,
      ordered(weights.get(key))
        .filter((other) => near.has(other))
        .slice(0, maxRelated),
    ]),
  )
}

function ordered(near: ReadonlyMap<string, number> | undefined): string[] {
  return [...(near ?? [])].sort((a, b) => b[1] - a[1] || compare(a[0], b[0])).map(([key]) => key)
}

function pairWeights(topics: readonly Topic[]): Map<string, Map<string, number>> {
  const together = new Map<string, string[]>()
  for (const { key, memories, sessions } of topics) {
    // A shared memory counts twice as much as a shared session.
    for (const name of [
      ...memories.flatMap(({ id }) => [id, `${id} again`]),
      ...sessions.map(({ session }) => session),
    ]) {
      const keys = together.get(name) ?? []
      keys.push(key)
      together.set(name, keys)
    }
  }
  const weights = new Map<string, Map<string, number>>()
  for (const keys of together.values()) {
    if (keys.length < 2 || keys.length > maxTogether) continue
    for (const one of keys) for (const other of keys) if (one !== other) addTo(weights, one, other)
  }
  return weights
}

function addTo(weights: Map<string, Map<string, number>>, one: string, other: string): void {
  const near = weights.get(one) ?? new Map<string, number>()
  near.set(other, (near.get(other) ?? 0) + 1)
  weights.set(one, near)
}
