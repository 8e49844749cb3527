// Where an article of a model lies, and what stands at its head. A model chooses neither: it says a title and names, and what is
// there already keeps its own.

import { freeSlug, slugKey, slugOf } from '../../text/slug.ts'
import { type ArticleHead, type ArticleKind, articleFolders } from '../article.ts'
import type { Draft } from './answer.ts'
import { name } from './prose.ts'
import type { Source } from './references.ts'
import { keyOf } from './same.ts'

export const maxTitle = 100
const maxAlias = 60
const maxAliases = 6
const maxTag = 40
const maxTags = 8

export interface NewArticle {
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

export interface Said {
  draft: Draft
  title: string
  /** Paths. */
  connects: readonly string[]
  sources: readonly Source[]
}

/** Another title than it has is one more name for it, unless that is the name of another article. */
export function updatedHead(head: ArticleHead, { draft, title, connects, sources }: Said, others: Names): ArticleHead {
  const fresh = [title, ...draft.aliases.map((alias) => name(alias, maxAlias))].filter(
    (alias) => alias !== '' && keyOf(alias) !== keyOf(head.title) && !others.has(keyOf(alias)),
  )
  const tags = draft.tags.map((tag) => name(tag, maxTag)).filter((tag) => tag !== '')
  const told = [...new Set([...head.sources, ...sources.map(({ day }) => `journal/${day}`)])].sort()
  const days = sources.map(({ day }) => day)
  return {
    ...head,
    aliases: extended(head.aliases, fresh, maxAliases),
    tags: extended(head.tags, tags.map(slugOf), maxTags),
    connects: extended(head.connects, connects, Number.POSITIVE_INFINITY),
    sources: told,
    created: [head.created, ...days].filter((day) => day !== '').sort()[0] ?? '',
    updated: [head.updated, ...days].sort().at(-1)!,
  }
}

/** Keys of names. */
export type Names = ReadonlySet<string>

export function namesOf(articles: Iterable<{ head: Pick<ArticleHead, 'title' | 'aliases'> }>): Names {
  return new Set([...articles].flatMap(({ head }) => [head.title, ...head.aliases].map(keyOf)))
}

/** What is there stays; of what is added, as much as there is room for. */
function extended(old: readonly string[], added: readonly string[], max: number): string[] {
  const list = [...old]
  const keys = new Set(old.map(keyOf))
  for (const one of added) {
    if (list.length >= max || keys.has(keyOf(one))) continue
    keys.add(keyOf(one))
    list.push(one)
  }
  return list
}
