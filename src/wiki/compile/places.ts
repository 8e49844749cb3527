// Where articles lie. A topic keeps the path that it has; a new one gets a name that nobody has.

import { escapeMarkdown } from '../../text/markdown.ts'
import { freeSlug, slugKey } from '../../text/slug.ts'
import { articleFolders } from '../article.ts'
import type { ProjectInput } from './input.ts'
import { projectTopic } from './neighbours.ts'
import type { Topic } from './topics.ts'

export interface Place {
  topic: string
  path: string
  title: string
  /** A person has deleted its file. */
  isDeleted: boolean
}

/** By topic; the project's own among them. */
export function placesOf(input: ProjectInput, topics: readonly Pick<Topic, 'key' | 'title'>[]): Map<string, Place> {
  const { key, name, articles, taken } = input
  // Of two that were made one by a new name of the project, the one that is there.
  const known = new Map(
    articles.toSorted((a, b) => Number(b.isDeleted) - Number(a.isDeleted)).map((one) => [one.topic, one]),
  )
  const used = new Set([...taken, ...articles.map(({ path }) => slugKey(path.slice(path.lastIndexOf('/') + 1)))])
  const place = (topic: string, title: string, called: string): Place => {
    const existing = known.get(topic)
    if (existing) return { topic, path: existing.path, title: existing.title, isDeleted: existing.isDeleted }
    const slug = freeSlug(called, {
      qualifier: name,
      identity: `${key ?? ''} ${topic}`,
      isTaken: (candidate) => used.has(candidate),
    })
    used.add(slugKey(slug))
    return { topic, path: `${articleFolders.concept}/${slug}`, title, isDeleted: false }
  }
  const own = projectTopic(key)
  const title =
    key === null ? 'Rules and ways of working everywhere' : `${escapeMarkdown(name, 80)}: rules and ways of working`
  return new Map([
    [own, place(own, title, key === null ? 'everywhere' : name)],
    ...topics.map((topic) => [topic.key, place(topic.key, topic.title, topic.title)] as const),
  ])
}
