// Validates the drafts of a model: file names are ours, citations and links must exist, and a draft
// with a problem is refused as a whole, with a reason.
import { type Article, emptyHead } from '../article.ts'
import { safePath } from '../links.ts'
import type { ExistingArticle, ShownArticle } from './existing.ts'
import { matchExisting } from './existing.ts'
import { modelName } from './prose.ts'
import { type ArticleDraft, type DraftsAnswer, maxDrafts } from './question.ts'
import { maxTitle, nameKeysOf, newPath, renderDraft, updatedHead } from './render.ts'
import {
  type AcceptedDraft,
  type CitableSources,
  type CitedSource,
  type DraftStatements,
  pageFinder,
  sourcesOfArticle,
  sourcesUsed,
  statementsOf,
  textProblem,
} from './statements.ts'

/** What the model was shown, and the state of the wiki. */
export interface ValidationContext {
  /** Sources of the chunk. */
  sources: CitableSources
  known: readonly ExistingArticle[]
  /** Paths of all pages of the vault, without extension. */
  paths: readonly string[]
  /** Articles that the model has read; drafts for other articles extend them. */
  shown: readonly ShownArticle[]
  read(article: ExistingArticle): ShownArticle['sections']
  projectName(project: string): string
  /** The model. */
  author: string
}

export interface RefusedDraft {
  title: string
  reason: string
}

interface ValidatedDrafts {
  articles: Article[]
  refused: RefusedDraft[]
}

export function validateDrafts({ articles: drafts }: DraftsAnswer, ground: ValidationContext): ValidatedDrafts {
  const refused = drafts.slice(maxDrafts).map(({ title }) => refusal(title, `more than ${maxDrafts} articles`))
  const accepted: AcceptedDraft[] = []
  // Connections last: they may connect concepts of the same answer.
  const ordered = drafts.slice(0, maxDrafts).toSorted((a, b) => rank(a) - rank(b))
  for (const draft of ordered) {
    const checked = checkDraft(draft, ground, accepted)
    if (typeof checked === 'string') refused.push(refusal(draft.title, checked))
    else accepted.push(checked)
  }
  const titles = new Map([...ground.known, ...accepted].map(({ path, head }) => [path, head.title]))
  const pages = { find: pageFinderOf(ground, accepted), titles }
  return { articles: accepted.map((one) => renderDraft(one, pages, ground.author)), refused }
}

const maxArticle = 40_000

/** Returns the reason if the draft is refused. */
function checkDraft(
  draft: ArticleDraft,
  ground: ValidationContext,
  accepted: readonly AcceptedDraft[],
): AcceptedDraft | string {
  const title = modelName(draft.title, maxTitle)
  if (title === '') return 'it has no title that can be used'
  if (JSON.stringify(draft).length > maxArticle) return `longer than ${maxArticle} characters`
  if (draft.path && safePath(draft.path) === undefined) return 'its path leads out of the wiki'
  const fresh = sourcesUsed(draft, ground.sources)
  if (fresh.length === 0) return 'it names no session of the evidence'
  const project = projectOf(fresh)
  const known = existingFor(draft, { title, project }, [...accepted, ...ground.known])
  const obstacle = known && updateProblem(known, draft, fresh, accepted)
  if (obstacle) return obstacle

  const shown = known && ground.shown.find(({ path }) => path === known.path)
  const existing = known && (shown ?? { ...known, sections: ground.read(known) })
  const citable = new Map([...(existing ? sourcesOfArticle(existing.sections) : []), ...ground.sources])
  const said = statementsOf(draft, citable)
  const connects = connectedBy(draft, ground, accepted)
  const lack = missingContent(draft, said, connects)
  if (lack) return lack

  const others = [...ground.known, ...accepted]
  const projectName = project === null ? 'everywhere' : ground.projectName(project)
  const taken = [...ground.paths, ...others.map(({ path }) => path)]
  const path = known?.path ?? newPath({ kind: draft.kind, title, project, projectName }, taken)
  const statements = [...said.keyPoints, ...said.details, ...said.evidence]
  const sources = [...new Set([...fresh, ...statements.flatMap((one) => one.sources)])]
  const names = nameKeysOf(others.filter((other) => other.path !== path))
  const head = updatedHead(known?.head ?? { ...emptyHead, title, project }, { draft, title, connects, sources }, names)
  const { kind, summary } = draft
  return { ...said, draft, kind, path, head, summary, existing, isShown: shown !== undefined, sources }
}

function refusal(title: string, reason: string): RefusedDraft {
  return { title: modelName(title.slice(0, maxTitle), maxTitle) || 'Untitled', reason }
}

function rank({ kind }: ArticleDraft): number {
  return kind === 'connection' ? 1 : 0
}

/** The project of all sources; null for several. */
function projectOf(sources: readonly CitedSource[]): string | null {
  const projects = new Set(sources.map(({ project }) => project ?? null))
  return projects.size === 1 ? [...projects][0]! : null
}

/** Finds the article by path, otherwise by name: a model may invent paths. */
function existingFor(
  { kind, path, aliases }: ArticleDraft,
  { title, project }: { title: string; project: string | null },
  known: readonly ExistingArticle[],
): ExistingArticle | undefined {
  const place = path?.replace(/\.md$/, '')
  const byPath = place ? known.find((one) => one.path === place || one.path === `wiki/${place}`) : undefined
  const names = aliases.map((alias) => modelName(alias, maxTitle)).filter((alias) => alias !== '')
  return byPath ?? matchExisting({ kind, title, aliases: names, project }, known)
}

/** Why the draft may not update the existing article. */
function updateProblem(
  known: ExistingArticle,
  { kind }: ArticleDraft,
  fresh: readonly CitedSource[],
  accepted: readonly AcceptedDraft[],
): string | undefined {
  if (known.isDeleted) return 'a person has deleted this article'
  if (known.kind !== kind) return `${known.path} is no ${kind}`
  if (accepted.some(({ path }) => path === known.path)) return 'the same article a second time'
  const { project } = known.head
  const isOfIt = (source: CitedSource) => (source.project ?? null) === null || source.project === project
  return project === null || fresh.some(isOfIt) ? undefined : 'it is an article of another project'
}

/** What is missing for a useful article. */
function missingContent(draft: ArticleDraft, said: DraftStatements, connects: readonly string[]): string | undefined {
  const summary = textProblem(draft.summary, 'user said')
  if (summary) return `its summary: ${summary}`
  if (draft.kind === 'concept') return said.keyPoints.length > 0 ? undefined : 'no key point with a session is left'
  const insight = textProblem(draft.insight, 'user said')
  if (insight) return `its insight: ${insight}`
  if (said.evidence.length === 0) return 'no evidence with a session is left'
  return connects.length < 2 ? 'it connects fewer than two concepts that are there' : undefined
}

function connectedBy(draft: ArticleDraft, ground: ValidationContext, accepted: readonly AcceptedDraft[]): string[] {
  if (draft.kind !== 'connection') return []
  const find = pageFinderOf(ground, accepted)
  const concepts = new Set([
    ...[...ground.known, ...accepted]
      .filter(({ kind, isDeleted }) => kind === 'concept' && !isDeleted)
      .map(({ path }) => path),
  ])
  return [...new Set(draft.connects.flatMap((called) => find(called) ?? []))].filter((path) => concepts.has(path))
}

function pageFinderOf(
  { paths, known }: ValidationContext,
  accepted: readonly AcceptedDraft[],
): (called: string) => string | undefined {
  const there = [...accepted, ...known.filter(({ isDeleted }) => !isDeleted)]
  return pageFinder([...paths, ...there.map(({ path }) => path)], there)
}
