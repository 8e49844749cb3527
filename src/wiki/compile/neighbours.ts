// Articles of other projects that an article links to: those about the same thing, and between what holds everywhere and projects.
import type { ArticleTopic } from '../../store/wiki/compile-inputs.ts'

/** The topic of the project's own article. */
export function projectTopic(project: string | null): string {
  return `project:${project ?? ''}`
}

/** Whether a topic has nothing to do with the same one elsewhere: every project has a file of this name. */
export function isEverywhere(topic: string): boolean {
  return everywhere.has(topic)
}

const everywhere = new Set(
  'api app cli client common config constants context core errors helpers models options schema server service session settings state store types utils'
    .split(' ')
    .map((name) => `file:${name}`),
)

/** Projects whose articles link to what has come, gone or got another name; their own projects are among them. */
export function projectsLinking(before: readonly ArticleTopic[], after: readonly ArticleTopic[]): (string | null)[] {
  const [old, now] = [before, after].map((placed) => new Set(placed.filter(({ isDeleted }) => !isDeleted).map(keyOf)))
  const changed = [
    ...before.filter((one) => old!.has(keyOf(one)) && !now!.has(keyOf(one))),
    ...after.filter((one) => now!.has(keyOf(one)) && !old!.has(keyOf(one))),
  ]
  if (changed.length === 0) return []
  const topics = new Set(changed.map(({ topic }) => topic).filter((topic) => !isEverywhere(topic)))
  const projects = new Set(changed.map(({ project }) => project))
  const isOfAll = topics.has(projectTopic(null))
  const isOfOne = [...topics].some(isProjectTopic)
  for (const { topic, project } of after)
    if (topics.has(topic) || (project === null ? isOfOne : isOfAll)) projects.add(project)
  return [...projects]
}

/** Of a project, not of what holds everywhere. */
export function isProjectTopic(topic: string): boolean {
  return topic.startsWith(projectTopic('')) && topic !== projectTopic(null)
}

function keyOf({ project, topic, path, title, projectName }: ArticleTopic): string {
  return JSON.stringify([project, topic, path, title, projectName])
}
