// Articles into the vault, all or nothing: what a file was is kept aside before the first one is written, so that a run that fails
// or is killed leaves the wiki as it found it. A person may save a file while we write: then theirs is read again.
import { createHash, randomUUID } from 'node:crypto'
import { lookAt, openVault, readBytesIn, removeIn, writeIn } from '../learn/files/place.ts'
import { type ArticleRow, articleAt, dropArticle, saveArticle } from '../store/articles.ts'
import type { Ledger } from '../store/ledger.ts'
import { type Article, sectionNames } from './article.ts'
import { type Rendered, renderArticle } from './article-file.ts'
import { beginBuild, endBuild, rollBack } from './in-flight.ts'
import { withKeptBacklinks } from './lint/related.ts'
import { saidIn } from './said.ts'
import { hashOfSection, putSections, sectionsIn } from './sections.ts'

export interface WikiContext {
  ledger: Ledger
}

export interface Written {
  created: string[]
  updated: string[]
  removed: string[]
  /** Files that could not be written or are a person's, with the reason. */
  problems: { path: string; reason: string }[]
}

export interface Wanted {
  articles: readonly Article[]
  /** Paths of articles whose topic is gone. */
  vanished?: readonly string[]
  /** Write also what a person has deleted. */
  isAll?: boolean
  /** Only tell what would be written. */
  isDryRun?: boolean
  /** Compiled by rules, which do not know what others have added. */
  isByRules?: boolean
}

/** `settle` says in the ledger what is done now, in the same transaction. Call it with the wiki's lock. */
export async function writeArticles(
  { ledger }: WikiContext,
  { articles, vanished = [], isAll = false, isDryRun = false, isByRules = false }: Wanted,
  settle: () => void = () => {},
): Promise<Written> {
  const vault = openVault(ledger.layout.vault)
  const report: Written = { created: [], updated: [], removed: [], problems: [] }
  const steps: Step[] = []
  for (const article of articles) {
    const step = await stepFor(ledger, vault, article, { isAll, isByRules })
    if (step && 'problem' in step) report.problems.push({ path: article.path, reason: step.problem })
    else if (step) steps.push(step)
  }
  for (const path of vanished) steps.push(stepOut(ledger, vault, path))
  const files = steps.filter(changesFile)
  for (const { path, before, after } of files)
    (after === undefined ? report.removed : before === undefined ? report.created : report.updated).push(path)
  if (isDryRun) return report
  const id = randomUUID()
  if (files.length > 0)
    beginBuild(ledger.layout, {
      id,
      files: files.map(({ path, before, after }) => ({ path, before, after: after && hashOf(after) })),
    })
  try {
    for (const step of files) await apply(ledger, vault, step)
  } catch (error) {
    rollBack(ledger.layout)
    throw error
  }
  ledger.transaction(() => {
    for (const step of steps) save(ledger, vault, step)
    settle()
    if (files.length > 0) endBuild.inLedger(ledger, id)
  })
  if (files.length > 0) endBuild.onDisk(ledger.layout)
  return report
}

/** One file from what it is to what it will be; undefined where there is none. */
interface Step {
  path: string
  before: Buffer | undefined
  after: Buffer | undefined
  /** Undefined for an article that goes. */
  article: Article | undefined
  /** Undefined where nothing of ours is left to know. */
  rendered: Pick<Rendered, 'head' | 'sections'> | undefined
}

function changesFile({ before, after }: Step): boolean {
  return before && after ? !before.equals(after) : before !== after
}

/** Undefined where nothing has changed, told without reading the file, or a person has deleted it. */
async function stepFor(
  ledger: Ledger,
  vault: string,
  article: Article,
  { isAll, isByRules }: { isAll: boolean; isByRules: boolean },
): Promise<Step | { problem: string } | undefined> {
  const row = articleAt(ledger, article.path)
  const found = lookAt(vault, fileOf(article.path))
  if (found.kind === 'other') return { problem: 'There is a link or a folder in its place' }
  if (row && found.kind === 'file' && found.stamp === row.stamp && isAsWritten(row, article)) return undefined
  if (row && found.kind === 'missing' && !isAll) return undefined
  const before = found.kind === 'missing' ? undefined : readBytesIn(vault, fileOf(article.path))
  return rendering(row, before && isByRules ? withKept(vault, before, row, article) : article, before)
}

/** What others have added to an article stays when it is compiled anew: links that were returned, names that a model gave it. */
function withKept(vault: string, before: Buffer, row: ArticleRow | undefined, article: Article): Article {
  const linked = withBacklinksIn(vault, before, article)
  if (!row || !sectionsIn(before).some(({ isByModel }) => isByModel)) return linked
  const both = (name: 'aliases' | 'tags' | 'sources') => [
    ...new Set([...article.head[name], ...((row.head[name] ?? []) as string[])]),
  ]
  const head = { ...article.head, aliases: both('aliases'), tags: both('tags'), sources: both('sources') }
  return { ...linked, head, summary: row.summary }
}

function withBacklinksIn(vault: string, before: Buffer, article: Article): Article {
  const old = sectionsIn(before).find(({ name }) => name === 'related')
  if (!old) return article
  const isThere = (path: string) => lookAt(vault, fileOf(path)).kind === 'file'
  const sections = article.sections.map((section) =>
    section.name === 'related' ? { ...section, text: withKeptBacklinks(section.text, old.text, isThere) } : section,
  )
  return { ...article, sections }
}

async function rendering(
  row: ArticleRow | undefined,
  article: Article,
  before: Buffer | undefined,
): Promise<Step | { problem: string }> {
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

/** What a person wrote into it stays; a file that is all ours goes. */
function stepOut(ledger: Ledger, vault: string, path: string): Step {
  const row = articleAt(ledger, path)
  const isThere = lookAt(vault, fileOf(path)).kind === 'file'
  const before = isThere ? readBytesIn(vault, fileOf(path)) : undefined
  if (!before) return { path, before, after: undefined, article: undefined, rendered: undefined }
  const { content } = putSections(before, [], { order: sectionNames, known: row?.sections ?? {} })
  const left = content
    .toString('utf8')
    .replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '')
    .replace(/^\s*# .*$/m, '')
  const after = left.trim() === '' ? undefined : content
  return { path, before, after, article: undefined, rendered: undefined }
}

const mostTries = 5

async function apply(ledger: Ledger, vault: string, step: Step): Promise<void> {
  for (let tries = 1; ; tries++) {
    const now = lookAt(vault, fileOf(step.path)).kind === 'file' ? readBytesIn(vault, fileOf(step.path)) : undefined
    const isSame = now && step.before ? now.equals(step.before) : now === step.before
    if (isSame || tries === mostTries) break
    if (!step.article) return // a person has taken up what was to go
    const again = await rendering(articleAt(ledger, step.path), step.article, now)
    if ('problem' in again) return
    Object.assign(step, again)
  }
  if (step.after === undefined) removeIn(vault, fileOf(step.path))
  else if (writeIn(vault, fileOf(step.path), step.after) === undefined)
    throw new Error(`${step.path}: a link is in the way`)
}

function save(ledger: Ledger, vault: string, { path, after, article, rendered }: Step): void {
  if (!article || !rendered || !after) {
    dropArticle(ledger, path)
    return
  }
  const found = lookAt(vault, fileOf(path))
  const { kind, head, summary } = article
  saveArticle(ledger, {
    path,
    kind,
    project: head.project,
    topic: head.topic,
    title: head.title,
    summary,
    head: rendered.head,
    sections: rendered.sections,
    said: saidIn(head, after),
    stamp: found.kind === 'file' ? found.stamp : '',
  })
}

export function fileOf(path: string): string {
  return `${path}.md`
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
