// Everything that is known of a project, for the compile.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import { projectFolder } from '../../core/vault/files.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories } from '../../store/memories/memories.ts'
import {
  type ArticleTopic,
  daysOfSessions,
  type JournaledSession,
  journaledSessions,
  projectName,
} from '../../store/wiki/compile-inputs.ts'
import { slugKey } from '../../text/slug.ts'
import { articleFolders } from '../article.ts'
import { vaultPaths } from '../pages.ts'

/** What is the same for every project of a build. */
export interface LoadContext {
  /** Days of the journal that have a file. */
  written: ReadonlySet<string>
  /** Paths of the articles that have a file. */
  concepts: readonly string[]
  /** Articles by rules, of every project. */
  placed: readonly ArticleTopic[]
}

/** `project` is its key; null for what holds everywhere. */
export function loadProjectInput(
  ledger: Ledger,
  project: string | null,
  { written, concepts, placed }: LoadContext,
): ProjectInput {
  const { layout } = ledger
  const memories = listMemories(ledger, { project, state: 'kept' })
  const articles = placed.filter((article) => article.project === project)
  const own = new Set(articles.map(({ path }) => path))
  const index = `memory/${projectFolder(project)}/MEMORY`
  return {
    key: project,
    name: project === null ? 'Everywhere' : (projectName(ledger, project) ?? project.split(/[\\/]/).at(-1) ?? project),
    memories,
    sessions: project === null ? [] : journaledSessions(ledger, project).filter(({ day }) => written.has(day)),
    days: daysOf(
      ledger,
      memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? [])),
      written,
    ),
    articles,
    // A path that a person has deleted is still that of its topic.
    taken: new Set([...concepts, ...placed.map(({ path }) => path)].filter((path) => !own.has(path)).map(slugKeyOf)),
    memoryIndex: existsSync(join(layout.vault, `${index}.md`)) ? index : null,
  }
}

function daysOf(ledger: Ledger, sessions: string[], written: ReadonlySet<string>): Map<string, string> {
  return new Map([...daysOfSessions(ledger, [...new Set(sessions)])].filter(([, day]) => written.has(day)))
}

export function conceptsIn(layout: Layout): string[] {
  return vaultPaths({ ...layout, vault: join(layout.vault, articleFolders.concept) }).map(
    (name) => `${articleFolders.concept}/${name}`,
  )
}

function slugKeyOf(path: string): string {
  return slugKey(path.slice(path.lastIndexOf('/') + 1))
}

// What is known of a project when its articles are compiled: data alone, so that the same input gives the same bytes.

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
