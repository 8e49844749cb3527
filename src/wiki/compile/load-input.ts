// Loads the input of the compiler for a project.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import { projectFolder } from '../../core/vault/files.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { projectName } from '../../store/sessions/projects.ts'
import {
  type ArticleTopic,
  daysOfSessions,
  type JournaledSession,
  journaledSessions,
} from '../../store/wiki/compile-inputs.ts'
import { slugKey } from '../../text/slug.ts'
import { articleFolders } from '../article.ts'
import { vaultPaths } from '../pages.ts'

/** Data shared by all projects of a build. */
interface LoadContext {
  /** Days of the journal that have a file. */
  written: ReadonlySet<string>
  /** Paths of concept articles that have a file. */
  concepts: readonly string[]
  /** Articles by rules of all projects. */
  placed: readonly ArticleTopic[]
}

/** `project` is the key; null for global memories. */
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
    name: project === null ? 'Everywhere' : projectName(ledger, project),
    memories,
    sessions: project === null ? [] : journaledSessions(ledger, project).filter(({ day }) => written.has(day)),
    days: daysOf(
      ledger,
      memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? [])),
      written,
    ),
    articles,
    // The path of a deleted article stays reserved for its topic.
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

export interface ProjectInput {
  /** Null for global memories. */
  key: string | null
  name: string
  /** Kept memories, including superseded ones. */
  memories: readonly Memory[]
  /** Sessions with a journal entry. */
  sessions: readonly JournaledSession[]
  /** Journal days of evidence sessions whose day has a file. */
  days: ReadonlyMap<string, string>
  /** Existing articles: a topic keeps its path and title. */
  articles: readonly Pick<ArticleTopic, 'path' | 'title' | 'topic' | 'isDeleted'>[]
  /** Slug keys (`slugKey`) that are in use. */
  taken: ReadonlySet<string>
  /** The page of the project's memories, if it exists. */
  memoryIndex: string | null
}
