// Loads the data of an export: the articles, the journal and the memories. Also renders it as JSON
// lines.
import type { Layout } from '../core/paths.ts'
import { redact } from '../core/redact/redact.ts'
import type { Html } from '../html/html.ts'
import { type JournalDay, journalDays, readDay } from '../journal/read-day.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryFiles } from '../store/memories/files.ts'
import { listMemories } from '../store/memories/memories.ts'
import { projectNames } from '../store/sessions/projects.ts'
import { articleRows } from '../store/wiki/articles.ts'
import { sourceSessions } from '../store/wiki/compile-inputs.ts'
import { readPages, vaultPaths, type WikiPage } from '../wiki/pages.ts'

export const exportFormats = ['markdown', 'json', 'html'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportedFile {
  /** Relative to the export folder, with slashes. */
  path: string
  content: string
}

export interface ExportData {
  articles: ExportedArticle[]
  days: JournalDay[]
  /** Kept memories and those in the inbox, the last confirmed first. */
  memories: Memory[]
  /** Paths of the memory files, below the vault and without extension. */
  memoryPaths: ReadonlyMap<string, string>
  /** All files that a link may lead to. */
  paths: string[]
  projectNames: ReadonlyMap<string, string>
  /** The journal day of each session. */
  dayOf: ReadonlyMap<string, string>
  /** Pages of sessions, by id, the latest first. */
  sessionPages: ReadonlyMap<string, ExportedSession>
}

export interface ExportedSession {
  title: string
  /** Date, agent and project. */
  about: string
  main: Html
}

export interface ExportedArticle extends WikiPage {
  title: string
  summary: string
}

export async function loadExportData(ledger: Ledger): Promise<ExportData> {
  const { layout } = ledger
  const paths = vaultPaths(layout)
  const memories = listMemories(ledger).filter(({ state }) => state === 'kept' || state === 'inbox')
  const summaries = new Map(articleRows(ledger).map(({ path, summary }) => [path, summary]))
  const sessions = memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? []))
  return {
    articles: (await readPages(layout)).map(({ path, kind, ...page }) => ({
      path,
      kind,
      ...withoutSecrets({
        ...page,
        title: page.head.title ?? titleOf({ path, body: page.body }),
        summary: summaries.get(path) ?? '',
      }),
    })),
    days: daysOf(layout, new Set(paths)),
    memories,
    memoryPaths: new Map(memoryFiles(ledger).map(({ memory, path }) => [memory, path.replace(/\.md$/, '')])),
    paths,
    projectNames: projectNames(ledger),
    dayOf: new Map(
      [...sourceSessions(ledger, sessions)].flatMap(([uid, { days }]) => (days[0] ? [[uid, days[0]]] : [])),
    ),
    sessionPages: new Map(),
  }
}

/** Reads regular files only: a symbolic link could lead out of the vault. */
function daysOf(layout: Layout, paths: ReadonlySet<string>): JournalDay[] {
  return journalDays(layout)
    .filter((day) => paths.has(`journal/${day}`))
    .flatMap((day) => readDay(layout, day) ?? [])
    .map(withoutSecrets)
}

/** Redacts secrets that people wrote into the vault: an export may be shared. */
function withoutSecrets<T>(given: T): T {
  if (typeof given === 'string') return redact([given]).texts[0] as T
  if (Array.isArray(given)) return given.map(withoutSecrets) as T
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withoutSecrets(value)])) as T
}

function titleOf({ body, path }: Pick<WikiPage, 'body' | 'path'>): string {
  return /^# +(.+?) *#*$/m.exec(body)?.[1] ?? path.slice(path.lastIndexOf('/') + 1)
}

const jsonName = 'recollect.jsonl'
const schemaVersion = 1

/** One file of JSON lines; docs/export.md documents the fields. */
export function jsonFiles({ memories, articles, days, memoryPaths }: ExportData): ExportedFile[] {
  const lines: object[] = [
    { kind: 'export', schema: schemaVersion, memories: memories.length, articles: articles.length, days: days.length },
    ...memories.map(({ kind, ...memory }) => ({
      kind: 'memory',
      memoryKind: kind,
      ...memory,
      path: memoryPaths.get(memory.id) ?? null,
    })),
    ...articles.map(({ kind, path, title, summary, head, problem, body }) => ({
      kind: 'article',
      articleKind: kind,
      path,
      title,
      summary,
      head,
      problem,
      body,
    })),
    ...days.flatMap(({ day, text, entries }) => [
      { kind: 'day', day, text },
      ...entries.map((entry) => ({ kind: 'entry', day, ...entry })),
    ]),
  ]
  return [{ path: jsonName, content: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }]
}
