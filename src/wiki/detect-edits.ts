// Detects what people did to article files since the last build: edited, created, renamed, copied,
// deleted. Reads only files with a changed stamp, and writes only to the ledger.
import { markdownFilesIn, openVault, readVaultBytes, statVaultFile, vaultFolderState } from '../core/vault/files.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  type ArticleRow,
  articleRows,
  articleStamps,
  deleteArticle,
  deletedStamp,
  saveArticle,
} from '../store/wiki/articles.ts'
import { type CompiledArticleRow, compiledArticles } from '../store/wiki/compile-inputs.ts'
import { addProjectsToCompile } from '../store/wiki/projects-to-compile.ts'
import { type ArticleKind, articleFolders, articleKinds } from './article.ts'
import { readArticle } from './article-file.ts'
import { markIndexDue } from './due.ts'
import { articleSearchText } from './search-text.ts'
import { fileOf } from './write.ts'

/**
 * Updates the search, the index and projects whose articles link to changed ones. Requires the wiki's
 * lock.
 */
export async function detectEdits(ledger: Ledger): Promise<void> {
  const vault = openVault(ledger.layout.vault)
  const stamps = articleStamps(ledger)
  const { changed, missing } = compareFiles(stamps, vault)
  if (changed.length === 0 && missing.every((path) => stamps.get(path) === deletedStamp)) return
  const rows = new Map(articleRows(ledger).map((row) => [row.path, row]))
  const renamed = new Set<string>()
  const saved: NewArticleRow[] = []
  for (const file of changed) {
    const row = await rowFor(vault, file, rows.get(file.path))
    if (row) saved.push(rows.has(file.path) ? row : matchRenamed(row, { rows, saved, missing, renamed }))
  }
  const gone = missing.filter((path) => !renamed.has(path) && stamps.get(path) !== deletedStamp)
  for (const path of gone) {
    const copy = findCopy(rows.get(path)!, rows, missing)
    if (!copy) continue
    renamed.add(path)
    saved.push(copy)
  }
  const deleted = gone.filter((path) => !renamed.has(path))
  ledger.transaction(() => {
    const before = compiledArticles(ledger)
    for (const path of renamed) deleteArticle(ledger, path)
    for (const row of saved) saveArticle(ledger, row)
    for (const path of deleted) markDeleted(ledger, rows.get(path)!)
    addProjectsToCompile(ledger, projectsOfChanges(before, compiledArticles(ledger)))
    markIndexDue(ledger)
  })
}

/** Projects with an article that was renamed, deleted or given another title: others link to it. */
function projectsOfChanges(before: readonly CompiledArticleRow[], after: readonly CompiledArticleRow[]) {
  const [old, now] = [before, after].map((rows) => new Map(rows.map((row) => [JSON.stringify(row), row.project])))
  const isChanged = (key: string) => old!.has(key) !== now!.has(key)
  return [...new Set([...old!, ...now!].filter(([key]) => isChanged(key)).map(([, project]) => project))]
}

interface ArticleAt {
  kind: ArticleKind
  path: string
  stamp: string
}

/**
 * Skips a folder that was replaced by a symbolic link, without treating its articles as deleted.
 */
function compareFiles(stamps: ReadonlyMap<string, string>, vault: string): { changed: ArticleAt[]; missing: string[] } {
  const changed: ArticleAt[] = []
  const missing = new Set(stamps.keys())
  for (const kind of articleKinds) {
    const folder = articleFolders[kind]
    if (vaultFolderState(vault, folder) === 'link')
      for (const path of stamps.keys()) if (path.startsWith(`${folder}/`)) missing.delete(path)
    for (const name of markdownFilesIn(vault, folder)) {
      const path = `${folder}/${name.slice(0, -'.md'.length)}`
      const found = statVaultFile(vault, fileOf(path))
      missing.delete(path)
      if (found.kind === 'file' && found.stamp !== stamps.get(path)) changed.push({ kind, path, stamp: found.stamp })
    }
  }
  return { changed, missing: [...missing] }
}

type NewArticleRow = Omit<ArticleRow, 'number'>

/** Undefined if the file cannot be read: its row stays unchanged. */
async function rowFor(
  vault: string,
  { kind, path, stamp }: ArticleAt,
  row: ArticleRow | undefined,
): Promise<NewArticleRow | undefined> {
  const content = contentOf(vault, path)
  if (!content) return undefined
  const { head } = await readArticle(content)
  const title = head.title?.trim() || row?.title || path.slice(path.lastIndexOf('/') + 1)
  const said = articleSearchText({ title, aliases: head.aliases ?? [], question: head.question ?? null }, content)
  if (row) return { ...row, title, said, stamp }
  const { project = null, topic = null } = head
  return { path, kind, project, topic, title, summary: '', head: { ...head }, sections: {}, said, stamp }
}

function contentOf(vault: string, path: string): Buffer | undefined {
  try {
    return readVaultBytes(vault, fileOf(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall) return undefined
    throw error
  }
}

interface EditScan {
  rows: ReadonlyMap<string, ArticleRow>
  saved: readonly NewArticleRow[]
  missing: readonly string[]
  /** Old paths of renamed articles. */
  renamed: Set<string>
}

/**
 * A new file with the topic of a missing article is a rename; with the topic of an existing one, a
 * copy.
 */
function matchRenamed(row: NewArticleRow, { rows, saved, missing, renamed }: EditScan): NewArticleRow {
  if (row.topic === null) return row
  const isSame = (other: Pick<ArticleRow, 'kind' | 'project' | 'topic'>) =>
    other.topic === row.topic && other.project === row.project && other.kind === row.kind
  const old = missing.find((path) => !renamed.has(path) && isSame(rows.get(path)!))
  if (old !== undefined) {
    renamed.add(old)
    const { number: _, ...known } = rows.get(old)!
    return { ...known, path: row.path, title: row.title, said: row.said, stamp: row.stamp }
  }
  return [...rows.values(), ...saved].some(isSame) ? { ...row, topic: null } : row
}

/** A copy whose original was deleted later is a rename, too: sync programs work that way. */
function findCopy(row: ArticleRow, rows: EditScan['rows'], missing: readonly string[]): NewArticleRow | undefined {
  const isCopy = ({ path, kind, project, topic, head }: ArticleRow) =>
    topic === null &&
    head.topic === row.topic &&
    project === row.project &&
    kind === row.kind &&
    !missing.includes(path)
  const copy = row.topic === null ? undefined : [...rows.values()].find(isCopy)
  return copy && { ...row, path: copy.path, title: copy.title, said: copy.said, stamp: copy.stamp }
}

function markDeleted(ledger: Ledger, row: ArticleRow): void {
  if (row.topic === null) deleteArticle(ledger, row.path)
  else saveArticle(ledger, { ...row, said: '', stamp: deletedStamp })
}
