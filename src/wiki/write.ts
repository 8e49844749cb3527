// Writes articles into the vault, all or none: the originals are saved first, so that a failed or
// killed build leaves the wiki unchanged. Renders an article again if a person saves its file in
// the meantime.
import { createHash, randomUUID } from 'node:crypto'
import { dirname } from 'node:path/posix'
import {
  openVault,
  readVaultBytes,
  removeVaultFile,
  statVaultFile,
  vaultFolderState,
  writeVaultFile,
} from '../core/vault/files.ts'
import type { Ledger } from '../store/ledger.ts'
import { type ArticleRow, articleAt, deleteArticle, saveArticle } from '../store/wiki/articles.ts'
import type { Article } from './article.ts'
import { type RenderedArticle, renderArticle, textOfPeople } from './article-file.ts'
import { beginBuild, endBuild, rollBackBuild } from './build-recovery.ts'
import { markIndexDue } from './due.ts'
import { carryOverBacklinks } from './lint/backlinks.ts'
import { articleSearchText } from './search-text.ts'
import { hashOfSection, sectionsIn } from './sections.ts'

export interface WikiContext {
  ledger: Ledger
}

export interface WriteReport {
  created: string[]
  updated: string[]
  removed: string[]
  /** Files that could not be written, with the reason. */
  problems: { path: string; reason: string }[]
}

export interface ArticlesToWrite {
  articles: readonly Article[]
  /** Paths of articles whose topic no longer exists. */
  vanished?: readonly string[]
  /** Also write articles that a person has deleted. */
  isAll?: boolean
  /** Only report what would be written. */
  isDryRun?: boolean
  /** Keep the backlinks that lint added, which a build does not know. */
  keepsBacklinks?: boolean
}

/** `settle` runs in the transaction that saves the articles. Requires the wiki's lock. */
export async function writeArticles(
  { ledger }: WikiContext,
  { articles, vanished = [], isAll = false, isDryRun = false, keepsBacklinks = false }: ArticlesToWrite,
  settle: () => void = () => {},
): Promise<WriteReport> {
  const vault = openVault(ledger.layout.vault)
  const report: WriteReport = { created: [], updated: [], removed: [], problems: [] }
  const steps: FileStep[] = []
  const take = (path: string, step: FileStep | { problem: string } | undefined) => {
    if (step && 'problem' in step) report.problems.push({ path, reason: step.problem })
    else if (step) steps.push(step)
  }
  for (const article of articles) take(article.path, await stepFor(ledger, vault, article, { isAll, keepsBacklinks }))
  for (const path of vanished) take(path, removalStep(ledger, vault, path))
  const files = steps.filter(changesFile)
  if (isDryRun) return addSteps(report, files)
  const id = randomUUID()
  if (files.length > 0)
    beginBuild(ledger.layout, {
      id,
      files: files.map(({ path, before, after }) => ({ path, before, after: after && hashOf(after) })),
    })
  try {
    for (const step of files) step.obstacle = await applyStep(ledger, vault, step)
  } catch (error) {
    rollBackBuild(ledger.layout)
    throw error
  }
  const done = steps.filter(({ obstacle }) => obstacle === undefined)
  ledger.transaction(() => {
    for (const step of done) saveStep(ledger, vault, step)
    settle()
    if (files.length === 0) return
    endBuild.inLedger(ledger, id)
    markIndexDue(ledger)
  })
  if (files.length > 0) endBuild.onDisk(ledger.layout)
  for (const { path, obstacle } of files) if (obstacle !== undefined) report.problems.push({ path, reason: obstacle })
  return addSteps(
    report,
    files.filter(({ obstacle }) => obstacle === undefined),
  )
}

function addSteps(report: WriteReport, files: readonly FileStep[]): WriteReport {
  for (const { path, before, after } of files)
    (after === undefined ? report.removed : before === undefined ? report.created : report.updated).push(path)
  return report
}

/** A change of one file; `before` and `after` are undefined if there is no file. */
interface FileStep {
  path: string
  before: Buffer | undefined
  after: Buffer | undefined
  /** Undefined for an article that is removed. */
  article: Article | undefined
  /** Undefined if no content of ours is left. */
  rendered: Pick<RenderedArticle, 'title' | 'head' | 'sections'> | undefined
  /** Why the file was not changed. */
  obstacle?: string | undefined
}

function changesFile({ before, after }: FileStep): boolean {
  return before && after ? !before.equals(after) : before !== after
}

/**
 * Undefined if nothing has changed or a person has deleted the file; compares stamps before
 * reading.
 */
async function stepFor(
  ledger: Ledger,
  vault: string,
  article: Article,
  { isAll, keepsBacklinks }: { isAll: boolean; keepsBacklinks: boolean },
): Promise<FileStep | { problem: string } | undefined> {
  const row = articleAt(ledger, article.path)
  const obstacle = obstacleAt(vault, article.path)
  if (obstacle !== undefined) return { problem: obstacle }
  const found = statVaultFile(vault, fileOf(article.path))
  if (row && found.kind === 'file' && found.stamp === row.stamp && isAsWritten(row, article)) return undefined
  if (row && found.kind === 'missing' && !isAll) return undefined
  const before = contentOf(vault, article.path)
  if (before === 'unreadable') return { problem: 'It cannot be read' }
  return renderStep(row, before && keepsBacklinks ? withBacklinks(vault, before, article) : article, before)
}

function obstacleAt(vault: string, path: string): string | undefined {
  const folder = dirname(path)
  if (vaultFolderState(vault, folder) === 'link')
    return `There is no folder ${folder}, but a link or a file in its place`
  return statVaultFile(vault, fileOf(path)).kind === 'other' ? 'There is a link or a folder in its place' : undefined
}

/** Undefined if there is no file. */
function contentOf(vault: string, path: string): Buffer | undefined | 'unreadable' {
  try {
    return readVaultBytes(vault, fileOf(path))
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    return code === 'ENOENT' ? undefined : 'unreadable'
  }
}

function withBacklinks(vault: string, before: Buffer, article: Article): Article {
  const old = sectionsIn(before).find(({ name }) => name === 'related')
  if (!old) return article
  const isThere = (path: string) => statVaultFile(vault, fileOf(path)).kind === 'file'
  const sections = article.sections.map((section) =>
    section.name === 'related' ? { ...section, text: carryOverBacklinks(section.text, old.text, isThere) } : section,
  )
  return { ...article, sections }
}

async function renderStep(
  row: ArticleRow | undefined,
  article: Article,
  before: Buffer | undefined,
): Promise<FileStep | { problem: string }> {
  const rendered = await renderArticle(article, before, before && row ? row : undefined)
  if ('problem' in rendered) return rendered
  return { path: article.path, before, after: rendered.content, article, rendered }
}

function isAsWritten(row: ArticleRow, article: Article): boolean {
  const names = article.sections.map(({ name }) => name)
  return (
    row.summary === article.summary &&
    JSON.stringify(row.head) === JSON.stringify(article.head) &&
    Object.keys(row.sections).every((name) => (names as string[]).includes(name)) &&
    article.sections.every(({ name, text }) => row.sections[name] === hashOfSection(text))
  )
}

/** Keeps text of a person; deletes a file that contains only ours. */
function removalStep(ledger: Ledger, vault: string, path: string): FileStep | { problem: string } {
  const row = articleAt(ledger, path)
  const obstacle = obstacleAt(vault, path)
  if (obstacle !== undefined) return { problem: obstacle }
  const before = contentOf(vault, path)
  if (before === 'unreadable') return { problem: 'It cannot be read' }
  if (!before) return { path, before, after: undefined, article: undefined, rendered: undefined }
  return { path, before, after: textOfPeople(before, row?.title ?? ''), article: undefined, rendered: undefined }
}

const maxTries = 5
const changedMeanwhile = 'It was changed while the wiki was built'

/** Returns why the file was not changed, such as a concurrent edit by a person. */
async function applyStep(ledger: Ledger, vault: string, step: FileStep): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const now = contentOf(vault, step.path)
    if (now === 'unreadable') return 'It cannot be read'
    if (now && step.before ? now.equals(step.before) : now === step.before) break
    if (!step.article || !now || tries === maxTries) return changedMeanwhile
    const again = await renderStep(articleAt(ledger, step.path), step.article, now)
    if ('problem' in again) return again.problem
    Object.assign(step, again)
  }
  if (step.after === undefined) removeVaultFile(vault, fileOf(step.path))
  else if (writeVaultFile(vault, fileOf(step.path), step.after) === undefined) return obstacleAt(vault, step.path)
  return undefined
}

function saveStep(ledger: Ledger, vault: string, { path, after, article, rendered }: FileStep): void {
  if (!after) {
    deleteArticle(ledger, path)
    return
  }
  const found = statVaultFile(vault, fileOf(path))
  if (!article || !rendered) {
    saveRemainder(ledger, path, after, found.kind === 'file' ? found.stamp : '')
    return
  }
  const { kind, head, summary } = article
  saveArticle(ledger, {
    path,
    kind,
    project: head.project,
    topic: head.topic,
    title: rendered.title,
    summary,
    head: rendered.head,
    sections: rendered.sections,
    said: articleSearchText(head, after),
    stamp: found.kind === 'file' ? found.stamp : '',
  })
}

/** Keeps the search text of a page that now contains only text of a person. */
function saveRemainder(ledger: Ledger, path: string, content: Buffer, stamp: string): void {
  const row = articleAt(ledger, path)
  if (!row) return
  const { title } = row
  const said = articleSearchText({ title, aliases: [], question: null }, content)
  saveArticle(ledger, { ...row, summary: '', sections: {}, said, stamp })
}

export function fileOf(path: string): string {
  return `${path}.md`
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
