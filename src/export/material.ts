// What is exported, read once: the articles, the journal and the memories.
import type { Memory } from '../core/memory.ts'
import { type JournalDay, journalDays, readDay } from '../journal/read-day.ts'
import { articleRows } from '../store/articles.ts'
import type { Ledger } from '../store/ledger.ts'
import { listMemories } from '../store/memories.ts'
import { memoryFiles } from '../store/memory-files.ts'
import { projectNames } from '../store/projects.ts'
import { daysOfSessions } from '../store/wiki.ts'
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
  const memories = listMemories(ledger).filter(({ state }) => state !== 'forgotten')
  const summaries = new Map(articleRows(ledger).map(({ path, summary }) => [path, summary]))
  const sessions = memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? []))
  return {
    articles: (await readPages(layout)).map((page) => ({
      ...page,
      title: page.head.title ?? titleIn(page),
      summary: summaries.get(page.path) ?? '',
    })),
    days: journalDays(layout).flatMap((day) => readDay(layout, day) ?? []),
    memories,
    memoryPaths: new Map(memoryFiles(ledger).map(({ memory, path }) => [memory, path.replace(/\.md$/, '')])),
    paths: vaultPaths(layout),
    projectNames: projectNames(ledger),
    dayOf: daysOfSessions(ledger, [...new Set(sessions)]),
  }
}

function titleIn({ body, path }: Page): string {
  return /^# +(.+?) *#*$/m.exec(body)?.[1] ?? path.slice(path.lastIndexOf('/') + 1)
}
