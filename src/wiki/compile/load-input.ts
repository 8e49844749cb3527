// Loads the input of the compiler for a project.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import type { Zone } from '../../core/units.ts'
import { projectFolder } from '../../core/vault/files.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { type CompiledArticleRow, sourceSessions } from '../../store/wiki/compile-inputs.ts'
import { type TopicPlan, topicPlan, withoutMemories } from '../../store/wiki/topic-plans.ts'
import { slugKey } from '../../text/slug.ts'
import { articleFolders } from '../article.ts'
import { messageDays } from '../message-day.ts'
import { vaultPaths } from '../pages.ts'
import type { JournalDayOf } from './statement-text.ts'

export interface ProjectInput {
  /** Null for global memories. */
  key: string | null
  name: string
  /** Kept memories, including superseded ones. */
  memories: readonly Memory[]
  /** Memories that may contradict a kept one, until a person decides. */
  inbox: readonly Memory[]
  plan: TopicPlan
  /** Only days that have a file. */
  journalDay: JournalDayOf
  /** Titles of the sessions that memories come from. */
  titles: ReadonlyMap<string, string>
  /** Compiled articles that exist: a topic keeps its path. */
  articles: readonly CompiledArticleRow[]
  /** Slug keys (`slugKey`) that other files have, by folder. */
  taken: ReadonlySet<string>
  /** The page of the project's memories, if it exists. */
  memoryIndex: string | null
}

/** Data shared by all projects of a build. */
interface LoadContext {
  zone: Zone
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
  const sessions = sourceSessions(
    ledger,
    [...memories, ...inbox].flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? [])),
  )
  const dayOf = messageDays({ ledger, zone: context.zone, sessions })
  return {
    key: project,
    name:
      project === null ? 'Every project' : (projectName(ledger, project) ?? project.split(/[\\/]/).at(-1) ?? project),
    memories,
    inbox,
    plan: withoutMemories(topicPlan(ledger, project), (id) => ids.has(id)),
    journalDay: (memory, evidence) => {
      const day = dayOf(memory, evidence)
      return day !== undefined && context.written.has(day) ? day : undefined
    },
    titles: new Map([...sessions].flatMap(([uid, { title }]) => (title ? [[uid, title]] : []))),
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
