// What is known of a project when its articles are compiled: data alone, so that the same input gives the same bytes.
import type { Memory } from '../../memory/memory.ts'
import type { ArticleTopic, JournaledSession } from '../../store/wiki/compile-inputs.ts'

export interface ProjectInput {
  /** null for what holds everywhere. */
  key: string | null
  name: string
  /** Kept ones, also those that were superseded. */
  memories: readonly Memory[]
  /** The sessions that the journal tells of. */
  sessions: readonly JournaledSession[]
  /** Days of the journal by session, of every session that is evidence and whose day has a file. */
  days: ReadonlyMap<string, string>
  /** The articles that the project has: a topic keeps its path and its title. */
  articles: readonly Pick<ArticleTopic, 'path' | 'title' | 'topic' | 'isDeleted'>[]
  /** Keys of slugs (`slugKey`) that a new article cannot have. */
  taken: ReadonlySet<string>
  /** The page of the project's memories, where there is one. */
  memoryIndex: string | null
}
