// An accepted draft as an article: sections with their headings, every statement with where it comes from.
import { escapeMarkdown } from '../../text/markdown.ts'
import { freeSlug, slugKey, slugOf } from '../../text/slug.ts'
import {
  type Article,
  type ArticleHead,
  type ArticleKind,
  type ArticleSection,
  articleFolders,
  maxSummaryLength,
  type SectionName,
} from '../article.ts'
import { wikilink, wikilinksIn } from '../links.ts'
import { keyOf } from './existing.ts'
import { modelName, modelProse } from './prose.ts'
import type { ArticleDraft } from './question.ts'
import {
  type AcceptedDraft,
  type CitedSource,
  citationOf,
  type DraftedStatement,
  maxOfParagraph,
  sourcesOfArticle,
} from './statements.ts'

type FindPage = (called: string) => string | undefined

export interface PageIndex {
  /** The page that a link or a name means. */
  find: FindPage
  titles: ReadonlyMap<string, string>
}

const maxOfSummary = 1000
const maxOfPoint = 500
/** Of what is added to an article that the model has not read, so that it does not grow without end: the latest stay. */
const maxPoints = 12
const maxParagraphs = 12

export function renderDraft(accepted: AcceptedDraft, { find, titles }: PageIndex, author: string): Article {
  const { draft, path, head } = accepted
  const pathOf: FindPage = (called) => {
    const found = find(called)
    return found === path ? undefined : found
  }
  const pathsOf = (called: string) => pathOf(called) ?? []
  const related = new Set([...head.connects, ...[...relatedBefore(accepted), ...draft.related].flatMap(pathsOf)])
  const links = [...related].map((to) => wikilink(to, titles.get(to) ?? to.slice(to.lastIndexOf('/') + 1)))
  const kept = keptSections(accepted)
  const summary = modelProse(draft.summary, maxOfSummary, pathOf)
  const says: Partial<Record<SectionName, string>> = {
    summary:
      kept.get('summary') ??
      withHeading('Summary', `${summary}\n\n_Written by ${escapeMarkdown(author, 80)} from the journal._`),
    ...(draft.kind === 'concept' ? conceptParts() : connectionParts()),
    // What rules have compiled has these already, and keeps them up to date.
    ...(head.topic === null ? { related: listText('Related', links), sources: sourcesText(accepted) } : {}),
  }
  const sections = Object.entries(says).flatMap(([name, text]): ArticleSection[] =>
    text === '' ? [] : [{ name: name as SectionName, text, isByModel: true }],
  )
  const line = modelProse(draft.summary, maxSummaryLength - 2, () => undefined)
  const { existing } = accepted
  return { kind: draft.kind, path, head, summary: kept.has('summary') && existing ? existing.summary : line, sections }

  function conceptParts(): Partial<Record<SectionName, string>> {
    const points = accepted.keyPoints.map((one) => `- ${citedText(one, maxOfPoint, pathOf)}`)
    const paragraphs = accepted.details.map((one) => citedText(one, maxOfParagraph, pathOf))
    const seeAlso = head.topic !== null && links.length > 0 ? [`See also ${links.join(', ')}.`] : []
    return {
      'key points': withHeading(
        'Key points',
        appendItems(linesOf(kept.get('key points')), points, maxPoints).join('\n'),
      ),
      details: withHeading(
        'Details',
        [...appendItems(paragraphsOf(kept.get('details')), paragraphs, maxParagraphs), ...seeAlso].join('\n\n'),
      ),
    }
  }

  function connectionParts(): Partial<Record<SectionName, string>> {
    const evidence = accepted.evidence.map((one) => `- ${citedText(one, maxOfPoint, pathOf)}`)
    return {
      insight: kept.get('insight') ?? withHeading('Insight', modelProse(draft.insight, maxOfParagraph, pathOf)),
      evidence: withHeading('Evidence', appendItems(linesOf(kept.get('evidence')), evidence, maxPoints).join('\n')),
    }
  }
}

/** What a model has written before and this one has not read: that is added to, not replaced. */
function keptSections({ existing, isShown }: AcceptedDraft): Map<string, string> {
  const sections = isShown ? [] : (existing?.sections ?? []).filter(({ isByModel }) => isByModel)
  return new Map(sections.map(({ name, text }) => [name, text]))
}

/** The model is not shown these, so they stay. */
function relatedBefore({ existing }: AcceptedDraft): string[] {
  const section = existing?.sections.find(({ name, isByModel }) => name === 'related' && isByModel)
  return wikilinksIn(section?.text ?? '').map(({ target }) => target)
}

function citedText({ text, sources }: DraftedStatement, max: number, pathOf: FindPage): string {
  return `${modelProse(text, max, pathOf)} ${citationOf(sources)}`
}

function appendItems(old: readonly string[], added: readonly string[], max: number): string[] {
  return [...new Set([...old, ...added])].slice(-Math.max(max, added.length))
}

function linesOf(section = ''): string[] {
  return section.split('\n').filter((line) => line.startsWith('- '))
}

function paragraphsOf(section = ''): string[] {
  return section.split('\n\n').filter((part) => !/^(?:## |See also )/.test(part) && part.trim() !== '')
}

function withHeading(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`
}

function listText(title: string, items: readonly string[]): string {
  return withHeading(title, items.map((item) => `- ${item}`).join('\n'))
}

/** A line for each day. */
function sourcesText({ sources, existing }: AcceptedDraft): string {
  const before = existing ? [...sourcesOfArticle(existing.sections).values()] : []
  const days = Map.groupBy([...before, ...sources] satisfies CitedSource[], ({ day }) => day)
  const lines = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, ofDay]) => citationOf(ofDay).slice(1, -1))
  return listText('Sources', lines)
}

// Where an article of a model lies, and what stands at its head. A model chooses neither: it says a title and names, and what is
// there already keeps its own.

export const maxTitle = 100
const maxAlias = 60
const maxAliases = 6
const maxTag = 40
const maxTags = 8

interface NewArticle {
  kind: ArticleKind
  title: string
  project: string | null
  /** The name of the project, for a file that would have the name of another. */
  projectName: string
}

/** `taken` are paths of the vault. */
export function newPath({ kind, title, project, projectName }: NewArticle, taken: Iterable<string>): string {
  const folder = `${articleFolders[kind]}/`
  const keys = new Set(
    [...taken].filter((path) => path.startsWith(folder)).map((path) => slugKey(path.slice(folder.length))),
  )
  const identity = `${project} ${title}`
  return `${folder}${freeSlug(title, { qualifier: projectName, identity, isTaken: (key) => keys.has(key) })}`
}

interface HeadUpdate {
  draft: ArticleDraft
  title: string
  /** Paths. */
  connects: readonly string[]
  sources: readonly CitedSource[]
}

/** Another title than it has is one more name for it, unless that is the name of another article. */
export function updatedHead(
  head: ArticleHead,
  { draft, title, connects, sources }: HeadUpdate,
  others: NameKeys,
): ArticleHead {
  const fresh = [title, ...draft.aliases.map((alias) => modelName(alias, maxAlias))].filter(
    (alias) => alias !== '' && keyOf(alias) !== keyOf(head.title) && !others.has(keyOf(alias)),
  )
  const tags = draft.tags.map((tag) => modelName(tag, maxTag)).filter((tag) => tag !== '')
  const told = [...new Set([...head.sources, ...sources.map(({ day }) => `journal/${day}`)])].sort()
  const days = sources.map(({ day }) => day)
  return {
    ...head,
    aliases: extendList(head.aliases, fresh, maxAliases),
    tags: extendList(head.tags, tags.map(slugOf), maxTags),
    connects: extendList(head.connects, connects, Number.POSITIVE_INFINITY),
    sources: told,
    created: [head.created, ...days].filter((day) => day !== '').sort()[0] ?? '',
    updated: [head.updated, ...days].sort().at(-1)!,
  }
}

/** Keys of names. */
type NameKeys = ReadonlySet<string>

export function nameKeysOf(articles: Iterable<{ head: Pick<ArticleHead, 'title' | 'aliases'> }>): NameKeys {
  return new Set([...articles].flatMap(({ head }) => [head.title, ...head.aliases].map(keyOf)))
}

/** What is there stays; of what is added, as much as there is room for. */
function extendList(old: readonly string[], added: readonly string[], max: number): string[] {
  const list = [...old]
  const keys = new Set(old.map(keyOf))
  for (const one of added) {
    if (list.length >= max || keys.has(keyOf(one))) continue
    keys.add(keyOf(one))
    list.push(one)
  }
  return list
}
