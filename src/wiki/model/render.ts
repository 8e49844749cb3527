// Renders an accepted draft as an article: sections with headings, statements with sources. Path
// and head are computed: a model only proposes a title and names.
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

interface PageIndex {
  /** Resolves a link or a name. */
  find: FindPage
  titles: ReadonlyMap<string, string>
}

const maxOfSummary = 1000
const maxOfPoint = 500
/** Limits an article that the model extends without having read it: the latest items stay. */
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
    // Articles by rules have these sections already.
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

/** Earlier text by a model that this one has not read is extended, not replaced. */
function keptSections({ existing, isShown }: AcceptedDraft): Map<string, string> {
  const sections = isShown ? [] : (existing?.sections ?? []).filter(({ isByModel }) => isByModel)
  return new Map(sections.map(({ name, text }) => [name, text]))
}

/** Links that the model was not shown are kept. */
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

/** One line per day. */
function sourcesText({ sources, existing }: AcceptedDraft): string {
  const before = existing ? [...sourcesOfArticle(existing.sections).values()] : []
  const days = Map.groupBy([...before, ...sources] satisfies CitedSource[], ({ day }) => day)
  const lines = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, ofDay]) => citationOf(ofDay).slice(1, -1))
  return listText('Sources', lines)
}

export const maxTitle = 100
const maxAlias = 60
const maxAliases = 6
const maxTag = 40
const maxTags = 8

interface NewArticle {
  kind: ArticleKind
  title: string
  project: string | null
  /** Project name, to qualify a file name that is in use. */
  projectName: string
}

/** `taken`: paths of the vault. */
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

/** A new title becomes an alias, unless another article has that name. */
export function updatedHead(
  head: ArticleHead,
  { draft, title, connects, sources }: HeadUpdate,
  others: NameKeys,
): ArticleHead {
  const fresh = [title, ...draft.aliases.map((alias) => modelName(alias, maxAlias))].filter(
    (alias) => alias !== '' && keyOf(alias) !== keyOf(head.title) && !others.has(keyOf(alias)),
  )
  const tags = draft.tags.map((tag) => modelName(tag, maxTag)).filter((tag) => tag !== '')
  const allSources = [...new Set([...head.sources, ...sources.map(({ day }) => `journal/${day}`)])].sort()
  const days = sources.map(({ day }) => day)
  return {
    ...head,
    aliases: extendList(head.aliases, fresh, maxAliases),
    tags: extendList(head.tags, tags.map(slugOf), maxTags),
    connects: extendList(head.connects, connects, Number.POSITIVE_INFINITY),
    sources: allSources,
    created: [head.created, ...days].filter((day) => day !== '').sort()[0] ?? '',
    updated: [head.updated, ...days].sort().at(-1)!,
  }
}

/** Normalised names. */
type NameKeys = ReadonlySet<string>

export function nameKeysOf(articles: Iterable<{ head: Pick<ArticleHead, 'title' | 'aliases'> }>): NameKeys {
  return new Set([...articles].flatMap(({ head }) => [head.title, ...head.aliases].map(keyOf)))
}

/** Keeps the old items and adds new ones up to `max`. */
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
