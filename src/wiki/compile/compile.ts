// Compiles the articles of a project from its memories: one for each topic with enough to say, and
// one for the project. Pure: the same input gives the same articles.
import type { Memory } from '../../memory/memory.ts'
import { type CitedText, statementMark } from '../../store/wiki/topic-plans.ts'
import { freeSlug, slugOf } from '../../text/slug.ts'
import { ellipsize, oneLine } from '../../text/truncate.ts'
import { type Article, type ArticleKind, type ArticleSection, articleFolders, emptyHead } from '../article.ts'
import { modelProse } from '../model-prose.ts'
import { type ProjectInput, pathKey } from './load-input.ts'
import {
  articleSources,
  openSection,
  type RelatedPage,
  relatedSection,
  sourceNames,
  sourcesSection,
  statementSections,
} from './sections.ts'
import { citationOf } from './statement-text.ts'
import { isWorthAnArticle, type Succession, successionsOf } from './successions.ts'
import { summaryOf } from './summary.ts'
import { type Topic, topicsOf } from './topics.ts'

/** Empty if the project has too little to say. */
export function compileProject(input: ProjectInput): Article[] {
  const { key, name, plan, articles } = input
  const successions = successionsOf(input.memories)
  const { topics, rest } = topicsOf({
    name,
    successions,
    known: new Set(articles.flatMap(({ topic }) => topic ?? [])),
    plan,
  })
  if (topics.length === 0 && !isWorthAnArticle(rest)) return []
  const place = placer(input)
  const context: CompileContext = { input, byId: new Map(input.memories.map((memory) => [memory.id, memory])) }
  const title = key === null ? 'Rules for every project' : `${name}: rules and decisions`
  const home = place('concept', projectTopic(key), title, { name: key === null ? 'every-project' : name })
  const pages = topics.map((topic) => ({
    topic,
    page: place('concept', topic.key, topic.title, { keepsTitle: topic.plan === undefined }),
  }))
  const connections = connectionArticles(context, pages, place)
  const linkedFrom = (path: string) =>
    connections
      .filter(({ head }) => head.connects.includes(path))
      .map(({ path, head }) => ({ path, title: head.title }))
  const compiled = pages.map(({ topic, page }) =>
    topicArticle(topic, page, context, [...(home.isDeleted ? [] : [home]), ...linkedFrom(page.path)]),
  )
  const contents = pages.flatMap(({ page }, at) =>
    page.isDeleted ? [] : { path: page.path, title: page.title, note: compiled[at]!.summary },
  )
  return [...compiled, ...connections, projectArticle({ successions, rest }, home, contents, context)]
}

/** The topic of the project's own article. */
export function projectTopic(project: string | null): string {
  return `project:${project ?? ''}`
}

interface CompileContext {
  input: ProjectInput
  byId: ReadonlyMap<string, Memory>
}

/** An article with its place in the vault. */
interface ArticlePlace extends RelatedPage {
  topic: string
  /** Without a person's edit. */
  ownTitle: string
  /** A person has deleted the file. */
  isDeleted: boolean
}

/** People type it. */
const maxSlug = 46

type PlaceArticle = (kind: ArticleKind, topic: string, title: string, options?: PlaceOptions) => ArticlePlace

interface PlaceOptions {
  /** The name of a new file; the title if it is missing. */
  name?: string
  /** An existing article keeps its title, so that rules do not rename it with each statement. */
  keepsTitle?: boolean
}

/** A topic keeps its path, and a title that a person gave it; a new one gets a free name. */
function placer({ key, name, articles, taken }: ProjectInput): PlaceArticle {
  // After a project was renamed, prefer the article that still exists.
  const known = new Map(
    articles.toSorted((a, b) => Number(b.isDeleted) - Number(a.isDeleted)).map((one) => [one.topic, one]),
  )
  const used = new Set([...taken, ...articles.map(({ path }) => pathKey(path))])
  return (kind, topic, title, { name: called = title, keepsTitle = false } = {}) => {
    const existing = known.get(topic)
    const ownTitle = oneLine(existing && keepsTitle ? existing.ownTitle : title)
    if (existing)
      return { topic, path: existing.path, title: existing.title ?? ownTitle, ownTitle, isDeleted: existing.isDeleted }
    const folder = articleFolders[kind]
    const slug = freeSlug(ellipsize(called, maxSlug).replace(/…$/, ''), {
      qualifier: name,
      identity: `${key ?? ''} ${topic}`,
      isTaken: (candidate) => used.has(`${folder}/${candidate}`),
    })
    const path = `${folder}/${slug}`
    used.add(pathKey(path))
    return { topic, path, title: ownTitle, ownTitle, isDeleted: false }
  }
}

function topicArticle(
  { successions, aliases, plan }: Topic,
  place: ArticlePlace,
  context: CompileContext,
  related: readonly RelatedPage[],
): Article {
  const { input } = context
  const own = summaryOf({ successions, names: [input.name, place.title, ...aliases] })
  const summary = plan?.summary ? validText(plan.summary, context) : undefined
  const details = (plan?.details ?? []).flatMap((one) => validText(one, context) ?? [])
  return article('concept', place, context, {
    memories: successions.flatMap(({ memory, earlier }) => [memory, ...earlier]),
    aliases,
    author: summary || details.length > 0 ? input.plan.by : null,
    summary: summary ? modelProse(summary.text, maxLine) : own,
    sections: [
      { name: 'summary', text: summary ? modelProse(summary.text, maxParagraph) : own },
      ...statementSections(successions, {
        journalDay: input.journalDay,
        project: input.name,
        more: moreCommand(input),
      }),
      {
        name: 'details',
        text: details.length === 0 ? '' : `## Background\n\n${details.map((one) => cited(one, context)).join('\n\n')}`,
      },
      { name: 'open', text: openSection(successions, input.inbox, input.journalDay) },
      { name: 'related', text: relatedSection('Related', related) },
    ],
  })
}

const maxLine = 200
const maxParagraph = 1300

/** Undefined if a memory that the text comes from has changed since. */
function validText(text: CitedText, { input, byId }: CompileContext): CitedText | undefined {
  const isAsRead = (id: string) => {
    const memory = byId.get(id)
    return memory !== undefined && statementMark(memory) === input.plan.read[id]
  }
  return text.memories.every(isAsRead) ? text : undefined
}

function cited({ text, memories }: CitedText, { input, byId }: CompileContext): string {
  return `${modelProse(text, maxParagraph)} ${citationOf(
    memories.map((id) => byId.get(id)!),
    input.journalDay,
  )}`
}

/** `rest`: the statements without a topic, which only this article tells. */
function projectArticle(
  { successions, rest }: { successions: readonly Succession[]; rest: readonly Succession[] },
  place: ArticlePlace,
  topics: readonly RelatedPage[],
  context: CompileContext,
): Article {
  const { input } = context
  const summary = summaryOf({
    successions: rest,
    names: [input.name],
    topics: topics.map(({ title }) => title),
  })
  return article('concept', place, context, {
    memories: (rest.length > 0 ? rest : successions).flatMap(({ memory, earlier }) => [memory, ...earlier]),
    isContents: rest.length === 0,
    aliases: input.key === null ? [] : [input.name],
    author: null,
    summary,
    sections: [
      { name: 'summary', text: summary },
      { name: 'topics', text: relatedSection('Topics', topics) },
      ...statementSections(rest, { journalDay: input.journalDay, project: input.name, more: moreCommand(input) }),
      { name: 'open', text: openSection(rest, input.inbox, input.journalDay) },
      {
        name: 'related',
        text:
          input.memoryIndex === null
            ? ''
            : relatedSection('Related', [
                { path: input.memoryIndex, title: 'All memories', note: `\`${moreCommand(input)}\`` },
              ]),
      },
    ],
  })
}

function connectionArticles(
  context: CompileContext,
  pages: readonly { topic: Topic; page: ArticlePlace }[],
  place: PlaceArticle,
): Article[] {
  const { input, byId } = context
  const byKey = new Map(pages.map(({ topic, page }) => [topic.key, page]))
  return input.plan.connections.flatMap((connection) => {
    const connected = connection.connects.flatMap((key) => byKey.get(key) ?? []).filter(({ isDeleted }) => !isDeleted)
    const insight = validText(connection.insight, context)
    const evidence = connection.evidence.flatMap((one) => validText(one, context) ?? [])
    if (!insight || connected.length < 2) return []
    const page = place('connection', connection.key, connection.title)
    const used = new Set([insight, ...evidence].flatMap(({ memories }) => memories))
    const made = article('connection', page, context, {
      memories: [...used].map((id) => byId.get(id)!),
      aliases: [],
      author: input.plan.by,
      summary: modelProse(insight.text, maxLine),
      sections: [
        { name: 'insight', text: cited(insight, context) },
        {
          name: 'evidence',
          text:
            evidence.length === 0
              ? ''
              : `## Evidence\n\n${evidence.map((one) => `- ${cited(one, context)}`).join('\n')}`,
        },
        { name: 'related', text: relatedSection('Related', connected) },
      ],
    })
    return { ...made, head: { ...made.head, connects: connected.map(({ path }) => path) } }
  })
}

interface ArticleParts {
  memories: readonly Memory[]
  /** It only lists other articles, which have the sources. */
  isContents?: boolean
  aliases: string[]
  /** The model that wrote the summary or the background. */
  author: string | null
  summary: string
  sections: ArticleSection[]
}

function article(
  kind: ArticleKind,
  place: ArticlePlace,
  { input }: CompileContext,
  { memories, isContents, aliases, author, summary, sections }: ArticleParts,
): Article {
  const sources = articleSources(memories, input.journalDay)
  const names = sourceNames(sources)
  return {
    kind,
    path: place.path,
    head: {
      ...emptyHead,
      title: place.ownTitle,
      aliases,
      tags: [slugOf(input.name)],
      project: input.key,
      topic: place.topic,
      // Memories that were added by hand have no session.
      sources: names.length === 0 && input.memoryIndex !== null ? [input.memoryIndex] : names,
      created: sources.first,
      updated: sources.last,
    },
    summary,
    sections: [
      ...sections,
      { name: 'sources' as const, text: isContents ? '' : sourcesSection(sources, { titles: input.titles, author }) },
    ].filter(({ text }) => text !== ''),
  }
}

function moreCommand({ key, name }: ProjectInput): string {
  return key === null ? 'recollect memories' : `recollect memories --project ${quotedWord(name)}`
}

/** Quotes a word for a command line. */
function quotedWord(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N} ._/-]+/gu, ' ').replace(/^[\s-]+|\s+$/g, '')
  return /\s/.test(plain) ? `"${plain}"` : plain
}
