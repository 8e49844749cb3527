// What of a model's answer becomes articles. It is checked in code: names of files are ours, whatever it cites and links to is
// there, and an article that cannot be made good is refused as a whole, with the reason.
import { type Article, emptyHead } from '../article.ts'
import { safePath } from '../links.ts'
import { type Draft, maxDrafts, type WikiAnswer } from './answer.ts'
import { maxTitle, namesOf, newPath, updatedHead } from './head.ts'
import type { Known, Shown } from './known.ts'
import { name } from './prose.ts'
import { pageFinder, type Source, type Sources, sourcesOfArticle } from './references.ts'
import { articleOf } from './render.ts'
import { sameArticle } from './same.ts'
import { refusedText, type Statements, sourcesUsed, statementsOf } from './statements.ts'

/** What the model was shown, and what there is besides. */
export interface Ground {
  /** What the part of the journal may be cited by. */
  sources: Sources
  known: readonly Known[]
  /** Every page of the vault, below it and without ending. */
  paths: readonly string[]
  /** Articles that the model has read as a whole; what it says of others is added to what they say. */
  shown: readonly Shown[]
  read(article: Known): Shown['sections']
  projectName(project: string): string
  /** Who was asked. */
  author: string
}

export interface Refused {
  title: string
  reason: string
}

export interface Validated {
  articles: Article[]
  refused: Refused[]
}

export function validated({ articles: drafts }: WikiAnswer, ground: Ground): Validated {
  const refused = drafts.slice(maxDrafts).map(({ title }) => refusal(title, `more than ${maxDrafts} articles`))
  const accepted: Accepted[] = []
  // Connections come last: they may connect concepts of the same answer.
  const ordered = drafts.slice(0, maxDrafts).toSorted((a, b) => rank(a) - rank(b))
  for (const draft of ordered) {
    const checked = checkedDraft(draft, ground, accepted)
    if (typeof checked === 'string') refused.push(refusal(draft.title, checked))
    else accepted.push(checked)
  }
  const titles = new Map([...ground.known, ...accepted].map(({ path, head }) => [path, head.title]))
  const pages = { find: finderOf(ground, accepted), titles }
  return { articles: accepted.map((one) => articleOf(one, pages, ground.author)), refused }
}

/** A draft that may become an article; its texts are still as the model wrote them. */
export interface Accepted extends Known, Statements {
  draft: Draft
  /** The article that it updates, with its text. */
  existing: Shown | undefined
  /** Whether the model has read that, so that it may replace it. */
  isShown: boolean
  /** Everything that it comes from. */
  sources: Source[]
}

const maxArticle = 40_000

/** A reason not to take it, in words. */
function checkedDraft(draft: Draft, ground: Ground, accepted: readonly Accepted[]): Accepted | string {
  const title = name(draft.title, maxTitle)
  if (title === '') return 'it has no title that can be used'
  if (JSON.stringify(draft).length > maxArticle) return `longer than ${maxArticle} characters`
  if (draft.path && safePath(draft.path) === undefined) return 'its path leads out of the wiki'
  const fresh = sourcesUsed(draft, ground.sources)
  if (fresh.length === 0) return 'it names no session of the evidence'
  const project = projectOf(fresh)
  const known = knownFor(draft, { title, project }, [...accepted, ...ground.known])
  const obstacle = known && obstacleTo(known, draft, fresh, accepted)
  if (obstacle) return obstacle

  const shown = known && ground.shown.find(({ path }) => path === known.path)
  const existing = known && (shown ?? { ...known, sections: ground.read(known) })
  const citable = new Map([...(existing ? sourcesOfArticle(existing.sections) : []), ...ground.sources])
  const said = statementsOf(draft, citable)
  const connects = connectedBy(draft, ground, accepted)
  const lack = lackOf(draft, said, connects)
  if (lack) return lack

  const others = [...ground.known, ...accepted]
  const projectName = project === null ? 'everywhere' : ground.projectName(project)
  const taken = [...ground.paths, ...others.map(({ path }) => path)]
  const path = known?.path ?? newPath({ kind: draft.kind, title, project, projectName }, taken)
  const statements = [...said.keyPoints, ...said.details, ...said.evidence]
  const sources = [...new Set([...fresh, ...statements.flatMap((one) => one.sources)])]
  const names = namesOf(others.filter((other) => other.path !== path))
  const head = updatedHead(known?.head ?? { ...emptyHead, title, project }, { draft, title, connects, sources }, names)
  const { kind, summary } = draft
  return { ...said, draft, kind, path, head, summary, existing, isShown: shown !== undefined, sources }
}

function refusal(title: string, reason: string): Refused {
  return { title: name(title.slice(0, maxTitle), maxTitle) || 'Untitled', reason }
}

function rank({ kind }: Draft): number {
  return kind === 'connection' ? 1 : 0
}

/** The one project of all of them; null where there are several. */
function projectOf(sources: readonly Source[]): string | null {
  const projects = new Set(sources.map(({ project }) => project ?? null))
  return projects.size === 1 ? [...projects][0]! : null
}

/** By its path where there is such an article, else by what it is called. A path that is not there is a model's own idea. */
function knownFor(
  { kind, path, aliases }: Draft,
  { title, project }: { title: string; project: string | null },
  known: readonly Known[],
): Known | undefined {
  const place = path?.replace(/\.md$/, '')
  const byPath = place ? known.find((one) => one.path === place || one.path === `wiki/${place}`) : undefined
  const names = aliases.map((alias) => name(alias, maxTitle)).filter((alias) => alias !== '')
  return byPath ?? sameArticle({ kind, title, aliases: names, project }, known)
}

/** Why an article that is there may not be updated by this draft. */
function obstacleTo(
  known: Known,
  { kind }: Draft,
  fresh: readonly Source[],
  accepted: readonly Accepted[],
): string | undefined {
  if (known.isDeleted) return 'a person has deleted this article'
  if (known.kind !== kind) return `${known.path} is no ${kind}`
  if (accepted.some(({ path }) => path === known.path)) return 'the same article a second time'
  const { project } = known.head
  const isOfIt = (source: Source) => (source.project ?? null) === null || source.project === project
  return project === null || fresh.some(isOfIt) ? undefined : 'it is an article of another project'
}

/** What is missing for an article that says something. */
function lackOf(draft: Draft, said: Statements, connects: readonly string[]): string | undefined {
  const summary = refusedText(draft.summary, 'user said')
  if (summary) return `its summary: ${summary}`
  if (draft.kind === 'concept') return said.keyPoints.length > 0 ? undefined : 'no key point with a session is left'
  const insight = refusedText(draft.insight, 'user said')
  if (insight) return `its insight: ${insight}`
  if (said.evidence.length === 0) return 'no evidence with a session is left'
  return connects.length < 2 ? 'it connects fewer than two concepts that are there' : undefined
}

function connectedBy(draft: Draft, ground: Ground, accepted: readonly Accepted[]): string[] {
  if (draft.kind !== 'connection') return []
  const find = finderOf(ground, accepted)
  const concepts = new Set([
    ...[...ground.known, ...accepted]
      .filter(({ kind, isDeleted }) => kind === 'concept' && !isDeleted)
      .map(({ path }) => path),
  ])
  return [...new Set(draft.connects.flatMap((called) => find(called) ?? []))].filter((path) => concepts.has(path))
}

function finderOf({ paths, known }: Ground, accepted: readonly Accepted[]): (called: string) => string | undefined {
  const there = [...accepted, ...known.filter(({ isDeleted }) => !isDeleted)]
  return pageFinder([...paths, ...there.map(({ path }) => path)], there)
}
