// What is exported, read once: the articles, the journal and the memories.

import type { Layout } from '../core/paths.ts'
import { redact } from '../core/redact.ts'
import { type JournalDay, journalDays, readDay } from '../journal/read-day.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryFiles } from '../store/memories/files.ts'
import { listMemories } from '../store/memories/memories.ts'
import { projectNames } from '../store/sessions/projects.ts'
import { articleRows } from '../store/wiki/articles.ts'
import { daysOfSessions } from '../store/wiki/compile-inputs.ts'
import { type Page, readPages, vaultPaths } from '../wiki/pages.ts'

export interface Material {
  articles: ExportedArticle[]
  days: JournalDay[]
  /** Kept ones and those in the inbox, the last confirmed first. */
  memories: Memory[]
  /** Of a memory's file, below the vault, without ending. */
  memoryPaths: ReadonlyMap<string, string>
  /** Every file that a link may lead to. */
  paths: string[]
  projectNames: ReadonlyMap<string, string>
  /** The day of the journal that tells of a session. */
  dayOf: ReadonlyMap<string, string>
}

export interface ExportedArticle extends Page {
  title: string
  summary: string
}

export async function materialOf(ledger: Ledger): Promise<Material> {
  const { layout } = ledger
  const paths = vaultPaths(layout)
  const memories = listMemories(ledger).filter(({ state }) => state !== 'forgotten')
  const summaries = new Map(articleRows(ledger).map(({ path, summary }) => [path, summary]))
  const sessions = memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? []))
  return {
    articles: (await readPages(layout)).map(({ path, kind, ...page }) => ({
      path,
      kind,
      ...withoutSecrets({
        ...page,
        title: page.head.title ?? titleIn({ path, body: page.body }),
        summary: summaries.get(path) ?? '',
      }),
    })),
    days: daysOf(layout, new Set(paths)),
    memories,
    memoryPaths: new Map(memoryFiles(ledger).map(({ memory, path }) => [memory, path.replace(/\.md$/, '')])),
    paths,
    projectNames: projectNames(ledger),
    dayOf: daysOfSessions(ledger, [...new Set(sessions)]),
  }
}

/** Plain files only, as everywhere in the vault: a link among them may lead to anything. */
function daysOf(layout: Layout, paths: ReadonlySet<string>): JournalDay[] {
  return journalDays(layout)
    .filter((day) => paths.has(`journal/${day}`))
    .flatMap((day) => readDay(layout, day) ?? [])
    .map(withoutSecrets)
}

/** People write into these files, and what is exported may go anywhere. */
function withoutSecrets<T>(given: T): T {
  if (typeof given === 'string') return redact([given]).texts[0] as T
  if (Array.isArray(given)) return given.map(withoutSecrets) as T
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withoutSecrets(value)])) as T
}

function titleIn({ body, path }: Pick<Page, 'body' | 'path'>): string {
  return /^# +(.+?) *#*$/m.exec(body)?.[1] ?? path.slice(path.lastIndexOf('/') + 1)
}
