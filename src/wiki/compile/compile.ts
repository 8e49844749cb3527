// Compiles the articles of a project by rules: one for each topic and one for the project, from
// memories and the journal. Pure: the same input gives the same articles.
import { plural } from '../../core/units.ts'
import type { Memory } from '../../memory/memory.ts'
import type { ArticleTopic, JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { freeSlug, slugKey, slugOf } from '../../text/slug.ts'
import { type Article, type ArticleSection, articleFolders } from '../article.ts'
import type { ProjectInput } from './load-input.ts'
import { isCommonTopic, isProjectTopic, nearTopics, projectTopic } from './neighbours.ts'
import {
  articleSources,
  groupStatements,
  historySection,
  relatedSection,
  type SectionStatements,
  sourceNames,
  sourcesSection,
  statementSections,
} from './sections.ts'
import { countsText, summaryLine, summarySection } from './summary.ts'
import { compare, type Topic, type Topics, topicsOf } from './topics.ts'

/** The planned articles of a project with their paths. */
export interface ProjectPlan extends Topics {
  input: ProjectInput
  /** By topic, including the project's own; empty if there is nothing to write. */
  places: Map<string, ArticlePlace>
}

/** A project without memories and with few sessions gets no articles. */
export function planProject(given: ProjectInput): ProjectPlan {
  const input = { ...given, sessions: given.sessions.toSorted(byStart) }
  if (input.memories.length === 0 && input.sessions.length < minSessions)
    return { input, places: new Map(), topics: [], rest: { memories: [], sessions: [] } }
  const { topics, rest } = stableTopics(input)
  return { input, topics, rest, places: placeArticles(input, topics) }
}

const maxTries = 5

/** Existing articles attract memories, so repeats the assignment until it is stable. */
function stableTopics(input: ProjectInput): Topics {
  let known = input.articles.filter(({ topic }) => topic !== projectTopic(input.key))
  for (let tries = 1; ; tries++) {
    const found = topicsOf({ ...input, articles: known })
    const keys = new Set(known.map(({ topic }) => topic))
    const isSettled = keys.size === found.topics.length && found.topics.every(({ key }) => keys.has(key))
    if (isSettled || tries === maxTries) return found
    known = found.topics.map(({ key, title }) => ({ topic: key, title, path: '', isDeleted: false }))
  }
}

/** `placed`: the articles of all projects, including the planned ones. */
export function compileProject(plan: ProjectPlan, placed: readonly ArticleTopic[]): Article[] {
  const { input, topics, rest, places } = plan
  if (places.size === 0) return []
  const elsewhere = placed.filter(({ project, isDeleted }) => project !== input.key && !isDeleted)
  const context = contextOf(plan, elsewhere)
  const articles = topics.map((topic) => articleOf(topic, context))
  return [...articles.map(({ article }) => article), projectArticle(rest, articles, context)]
}

const minSessions = 3

function byStart(a: JournaledSession, b: JournaledSession): number {
  return compare(a.day, b.day) || compare(a.start ?? '', b.start ?? '') || compare(a.session, b.session)
}

interface CompileContext {
  input: ProjectInput
  places: Map<string, ArticlePlace>
  near: Map<string, string[]>
  /** Articles of other projects, by topic. */
  elsewhere: ReadonlyMap<string, ArticleTopic[]>
  byId: ReadonlyMap<string, Memory>
  /** Escaped project name. */
  name: string
}

interface CompiledArticle {
  article: Article
  statements: SectionStatements
}

function contextOf({ input, topics, places }: ProjectPlan, elsewhere: readonly ArticleTopic[]): CompileContext {
  return {
    input,
    places,
    near: nearTopics(topics),
    elsewhere: Map.groupBy(elsewhere, ({ topic }) => topic),
    byId: new Map(input.memories.map((memory) => [memory.id, memory])),
    name: escapeMarkdown(input.name, 80),
  }
}

function articleOf(topic: Topic, context: CompileContext): CompiledArticle {
  const { input, places, name } = context
  const place = places.get(topic.key)!
  const own = [projectTopic(input.key), ...(context.near.get(topic.key) ?? [])].map((key) => places.get(key)!)
  const elsewhere = isCommonTopic(topic.key) ? [] : (context.elsewhere.get(topic.key) ?? []).slice(0, maxElsewhere)
  const named = new RegExp(`(?<![\\w])(?:${[topic.title, ...topic.aliases].map(escapeRegExp).join('|')})(?![\\w])`, 'i')
  const related = relatedSection({
    own: own.filter(({ isDeleted }) => !isDeleted),
    elsewhere,
    memoryIndex: input.memoryIndex,
  })
  return makeArticle(topic, place, context, {
    what: `${topic.key.startsWith('word:') ? escapeMarkdown(topic.title, 80) : inlineCode(topic.title)} in ${name}`,
    isNamed: ({ text }) => named.test(text),
    more: `recollect search ${quotedWord(topic.title)} --in memories --project ${quotedWord(input.name)}`,
    related,
    aliases: topic.aliases,
    tags: [slugOf(input.name), tagOf(topic.key)],
  })
}

const maxElsewhere = 5
const maxHomes = 60

function projectArticle(rest: Topics['rest'], topics: readonly CompiledArticle[], context: CompileContext): Article {
  const { input, places, name } = context
  const place = places.get(projectTopic(input.key))!
  const contents = topics
    .filter(({ article }) => !places.get(article.head.topic!)!.isDeleted)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .map(({ article, statements }) => ({ path: article.path, title: article.head.title, note: countsText(statements) }))
  // The global article links to every project, and every project to it.
  const homes = [...context.elsewhere.values()]
    .flat()
    .filter(({ topic }) => (input.key === null ? isProjectTopic(topic) : topic === projectTopic(null)))
    .slice(0, maxHomes)
  return makeArticle(rest, place, context, {
    what:
      input.key === null
        ? 'What holds in every project'
        : `${name}${topics.length > 0 ? `, apart from its ${plural(topics.length, 'topic')} (below)` : ''}`,
    worked: input.sessions,
    isNamed: () => false,
    more: `recollect memories${input.key === null ? '' : ` --project ${quotedWord(input.name)}`}`,
    related: relatedSection({ own: [...contents, ...homes], elsewhere: [], memoryIndex: input.memoryIndex }),
    aliases: input.key === null ? [] : [input.name],
    tags: [slugOf(input.name), 'project'],
  }).article
}

function sizeOf({ article }: CompiledArticle): number {
  return article.sections.reduce((sum, { text }) => sum + text.length, 0)
}

interface ArticleWording {
  what: string
  /** Sessions for the summary, if different from those of the history. */
  worked?: readonly JournaledSession[]
  isNamed(memory: Memory): boolean
  more: string
  related: string
  aliases: string[]
  tags: string[]
}

function makeArticle(
  { memories, sessions }: { memories: readonly Memory[]; sessions: readonly JournaledSession[] },
  place: ArticlePlace,
  { input, byId }: CompileContext,
  { what, worked, isNamed, more, related, aliases, tags }: ArticleWording,
): CompiledArticle {
  const { days } = input
  const statements = groupStatements(memories, isNamed)
  const superseded = memories.filter(({ supersededBy }) => supersededBy !== null).toReversed()
  const subject = { what, statements, superseded, sessions: worked ?? sessions }
  const successorOf = ({ supersededBy }: Memory) => byId.get(supersededBy ?? '')
  const own = articleSources(memories, sessions, days)
  // If all memories have topics, the project article cites all sources.
  const sources = own.last === '' ? articleSources(input.memories, input.sessions, days) : own
  const names = sourceNames(sources)
  const sections: ArticleSection[] = [
    { name: 'summary', text: summarySection(subject) },
    ...statementSections(statements, { days, more }),
    { name: 'history', text: historySection({ superseded, sessions, days, successorOf, more }) },
    { name: 'related', text: related },
    { name: 'sources', text: sourcesSection(sources) },
  ]
  const article: Article = {
    kind: 'concept',
    path: place.path,
    head: {
      title: place.title,
      aliases,
      tags,
      project: input.key,
      topic: place.topic,
      connects: [],
      question: null,
      // Memories that were added by hand have no session.
      sources: names.length === 0 && input.memoryIndex !== null ? [input.memoryIndex] : names,
      created: sources.first,
      updated: sources.last,
    },
    summary: summaryLine(subject),
    sections: sections.filter(({ text }) => text !== ''),
  }
  return { article, statements }
}

function tagOf(key: string): string {
  return key.startsWith('file:') ? 'module' : key.startsWith('symbol:') ? 'symbol' : 'subject'
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Quotes a word for a command line. */
function quotedWord(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N} ._/-]+/gu, ' ').trim()
  return /\s/.test(plain) ? `"${plain}"` : plain
}

interface ArticlePlace {
  topic: string
  path: string
  title: string
  /** A person has deleted the file. */
  isDeleted: boolean
}

/**
 * Assigns paths by topic, including the project's own. A topic keeps its path; a new one gets a
 * free name.
 */
function placeArticles(
  input: ProjectInput,
  topics: readonly Pick<Topic, 'key' | 'title'>[],
): Map<string, ArticlePlace> {
  const { key, name, articles, taken } = input
  // After a project was renamed, prefer the article that still exists.
  const known = new Map(
    articles.toSorted((a, b) => Number(b.isDeleted) - Number(a.isDeleted)).map((one) => [one.topic, one]),
  )
  const used = new Set([...taken, ...articles.map(({ path }) => slugKey(path.slice(path.lastIndexOf('/') + 1)))])
  const place = (topic: string, title: string, called: string): ArticlePlace => {
    const existing = known.get(topic)
    if (existing) return { topic, path: existing.path, title: existing.title, isDeleted: existing.isDeleted }
    const slug = freeSlug(called, {
      qualifier: name,
      identity: `${key ?? ''} ${topic}`,
      isTaken: (candidate) => used.has(candidate),
    })
    used.add(slugKey(slug))
    return { topic, path: `${articleFolders.concept}/${slug}`, title, isDeleted: false }
  }
  const own = projectTopic(key)
  const title =
    key === null ? 'Rules and ways of working everywhere' : `${escapeMarkdown(name, 80)}: rules and ways of working`
  return new Map([
    [own, place(own, title, key === null ? 'everywhere' : name)],
    ...topics.map((topic) => [topic.key, place(topic.key, topic.title, topic.title)] as const),
  ])
}
