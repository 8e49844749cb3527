// What has happened in the vault since the last build: days of the journal that were written, articles that people edited, made or
// deleted. Told by a stat of each file; only those whose stamp is another one are read.
import { createHash } from 'node:crypto'
import { entriesIn, textOutside } from '../journal/day-file.ts'
import { lookAt, namesIn, openVault, readBytesIn } from '../learn/files/place.ts'
import {
  type ArticleRow,
  articleRows,
  dropArticle,
  dropWikiDay,
  saveArticle,
  saveWikiDay,
  type WikiDay,
  wikiDays,
} from '../store/articles.ts'
import type { Ledger } from '../store/ledger.ts'
import { type ArticleHead, type ArticleKind, articleFolders, articleKinds } from './article.ts'
import { readArticle } from './article-file.ts'
import { saidIn, saidOnDay } from './said.ts'
import { fileOf } from './write.ts'

export interface DayChange {
  day: string
  /** Undefined where the file is gone. */
  content: Buffer | undefined
  row: WikiDay
}

export interface Wish {
  /** Every day, whether or not it was compiled. */
  isAll: boolean
  /** Every day from this one on. */
  since?: string | undefined
}

/** Days whose content is not what was compiled. */
export function changedDays(ledger: Ledger, { isAll, since }: Wish): DayChange[] {
  const vault = openVault(ledger.layout.vault)
  const known = wikiDays(ledger)
  const days = namesIn(vault, 'journal').flatMap((name) => /^(\d{4}-\d\d-\d\d)\.md$/.exec(name)?.[1] ?? [])
  const there = new Set(days)
  const gone = [...known.values()].filter(({ day }) => !there.has(day))
  return [
    ...days.flatMap((day) =>
      changeOf(ledger, vault, day, known.get(day), isAll || (since !== undefined && day >= since)),
    ),
    ...gone.map((row) => ({ day: row.day, content: undefined, row })),
  ]
}

function changeOf(
  ledger: Ledger,
  vault: string,
  day: string,
  known: WikiDay | undefined,
  isAnyway: boolean,
): DayChange[] {
  const file = `journal/${day}.md`
  const found = lookAt(vault, file)
  if (found.kind !== 'file' || (found.stamp === known?.stamp && !isAnyway)) return []
  // The stamp is older than the content: what is written meanwhile is seen the next time.
  const content = readBytesIn(vault, file)
  const hash = createHash('sha256').update(content).digest('hex')
  const row: WikiDay = {
    day,
    stamp: found.stamp,
    hash,
    said: saidOnDay(entriesIn(content), textOutside(content)),
    askedHash: known?.askedHash ?? null,
    askedBytes: known?.askedBytes ?? 0,
  }
  if (hash !== known?.hash || isAnyway) return [{ day, content, row }]
  saveWikiDay(ledger, row)
  return []
}

/** Call it inside a transaction. */
export function settleDay(ledger: Ledger, { day, content, row }: DayChange): void {
  if (content === undefined) dropWikiDay(ledger, day)
  else saveWikiDay(ledger, row)
}

export interface ArticlesLook {
  /** Edited, made or deleted by people. */
  changed: number
}

/** What people did to articles is known to the search from here on; their files are not touched. */
export async function lookAtArticles(ledger: Ledger): Promise<ArticlesLook> {
  const vault = openVault(ledger.layout.vault)
  const known = new Map(articleRows(ledger).map((row) => [row.path, row]))
  const saved: Omit<ArticleRow, 'number'>[] = []
  for (const kind of articleKinds) {
    for (const name of namesIn(vault, articleFolders[kind])) {
      const path = `${articleFolders[kind]}/${name.slice(0, -'.md'.length)}`
      const found = lookAt(vault, fileOf(path))
      const row = known.get(path)
      known.delete(path)
      if (found.kind !== 'file' || found.stamp === row?.stamp) continue
      saved.push({ ...(await rowFor(vault, kind, path, row)), stamp: found.stamp })
    }
  }
  const deleted = [...known.values()].filter(({ stamp }) => stamp !== goneStamp)
  if (saved.length + deleted.length === 0) return { changed: 0 }
  ledger.transaction(() => {
    for (const row of saved) saveArticle(ledger, row)
    for (const row of deleted) forgetDeleted(ledger, row)
  })
  return { changed: saved.length + deleted.length }
}

/** An article that a person has deleted is not found any more, but known: so it is not written again. */
export const goneStamp = 'deleted'

function forgetDeleted(ledger: Ledger, row: ArticleRow): void {
  if (row.topic === null) dropArticle(ledger, row.path)
  else saveArticle(ledger, { ...row, said: '', stamp: goneStamp })
}

async function rowFor(
  vault: string,
  kind: ArticleKind,
  path: string,
  row: ArticleRow | undefined,
): Promise<Omit<ArticleRow, 'number' | 'stamp'>> {
  const content = readBytesIn(vault, fileOf(path))
  const { head } = await readArticle(content)
  const title = head.title ?? path.slice(path.lastIndexOf('/') + 1)
  const said = saidIn({ title, aliases: head.aliases ?? [], question: head.question ?? null }, content)
  if (row) return { ...row, title, said }
  const { project = null, topic = null } = head as Partial<ArticleHead>
  return { path, kind, project, topic, title, summary: '', head: { ...head }, sections: {}, said }
}
