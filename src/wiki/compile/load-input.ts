// Loads the input of the compiler for a project.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import { projectFolder } from '../../core/vault/files.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { type CompiledArticleRow, daysOfSessions } from '../../store/wiki/compile-inputs.ts'
import { type TopicPlan, topicPlan, withoutMemories } from '../../store/wiki/topic-plans.ts'
import { slugKey } from '../../text/slug.ts'
import { articleFolders } from '../article.ts'
import { vaultPaths } from '../pages.ts'

export interface ProjectInput {
  /** Null for global memories. */
  key: string | null
  name: string
  /** Kept memories, including superseded ones. */
  memories: readonly Memory[]
  /** Memories that may contradict a kept one, until a person decides. */
  inbox: readonly Memory[]
  plan: TopicPlan
  /** Journal days of evidence sessions whose day has a file. */
  days: ReadonlyMap<string, string>
  /** Compiled articles that exist: a topic keeps its path. */
  articles: readonly CompiledArticleRow[]
  /** Slug keys (`slugKey`) that other files have, by folder. */
  taken: ReadonlySet<string>
  /** The page of the project's memories, if it exists. */
  memoryIndex: string | null
}

/** Data shared by all projects of a build. */
interface LoadContext {
  /** Days of the journal that have a file. */
  written: ReadonlySet<string>
  /** Compiled articles of all projects. */
  compiled: readonly CompiledArticleRow[]
  /** Paths that are in use, including those that this build has assigned. */
  paths: ReadonlySet<string>
}

/** `project` is the key; null for global memories. */
export function loadProjectInput(ledger: Ledger, project: string | null, context: LoadContext): ProjectInput {
  const { layout } = ledger
  const memories = listMemories(ledger, { project, state: 'kept' })
  const inbox = listMemories(ledger, { project, state: 'inbox' }).filter((memory) => !proposesDeletion(memory))
  const articles = context.compiled.filter((article) => article.project === project)
  const own = new Set(articles.map(({ path }) => path))
  const ids = new Set(memories.map(({ id }) => id))
  const index = `memory/${projectFolder(project)}/MEMORY`
  const sessions = [...memories, ...inbox].flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? []))
  return {
    key: project,
    name:
      project === null ? 'Every project' : (projectName(ledger, project) ?? project.split(/[\\/]/).at(-1) ?? project),
    memories,
    inbox,
    plan: withoutMemories(topicPlan(ledger, project), (id) => ids.has(id)),
    days: new Map([...daysOfSessions(ledger, [...new Set(sessions)])].filter(([, day]) => context.written.has(day))),
    articles,
    taken: new Set([...context.paths].filter((path) => !own.has(path)).map(pathKey)),
    memoryIndex: existsSync(join(layout.vault, `${index}.md`)) ? index : null,
  }
}

/** Paths with the same key are the same file on some file system. */
export function pathKey(path: string): string {
  const at = path.lastIndexOf('/') + 1
  return path.slice(0, at) + slugKey(path.slice(at))
}

/** Paths of articles that have a file. */
export function articlePathsIn(layout: Layout): string[] {
  return [articleFolders.concept, articleFolders.connection].flatMap((folder) =>
    vaultPaths({ ...layout, vault: join(layout.vault, folder) }).map((name) => `${folder}/${name}`),
  )
}
