// Everything that is known of a project, for the compile.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import { projectFolder } from '../../core/vault.ts'
import { journalDays } from '../../journal/read-day.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories } from '../../store/memories.ts'
import { daysOfSessions, placedTopics, projectName, toldSessions } from '../../store/wiki.ts'
import { articleFolders } from '../article.ts'
import { vaultPaths } from '../pages.ts'
import { slugKey } from '../slug.ts'
import type { ProjectInput } from './input.ts'

/** `project` is its key; null for what holds everywhere. */
export function loadProject(ledger: Ledger, layout: Layout, project: string | null): ProjectInput {
  const memories = listMemories(ledger, { project, state: 'kept' })
  const written = new Set(journalDays(layout))
  const placed = placedTopics(ledger)
  const articles = placed.filter((article) => article.project === project)
  const own = new Set(articles.map(({ path }) => path))
  const index = `memory/${projectFolder(project)}/MEMORY`
  return {
    key: project,
    name: project === null ? 'Everywhere' : (projectName(ledger, project) ?? project.split(/[\\/]/).at(-1) ?? project),
    memories,
    sessions: project === null ? [] : toldSessions(ledger, project).filter(({ day }) => written.has(day)),
    days: daysOf(
      ledger,
      memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? [])),
      written,
    ),
    articles,
    elsewhere: placed.filter((article) => article.project !== project),
    taken: new Set(
      conceptsIn(layout)
        .filter((path) => !own.has(path))
        .map(slugKeyOf),
    ),
    memoryIndex: existsSync(join(layout.vault, `${index}.md`)) ? index : null,
  }
}

function daysOf(ledger: Ledger, sessions: string[], written: ReadonlySet<string>): Map<string, string> {
  return new Map([...daysOfSessions(ledger, [...new Set(sessions)])].filter(([, day]) => written.has(day)))
}

function conceptsIn(layout: Layout): string[] {
  return vaultPaths({ ...layout, vault: join(layout.vault, articleFolders.concept) }).map(
    (name) => `${articleFolders.concept}/${name}`,
  )
}

function slugKeyOf(path: string): string {
  return slugKey(path.slice(path.lastIndexOf('/') + 1))
}
