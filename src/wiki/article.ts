// A page of the wiki as data. Whoever compiles one makes this; article-file.ts makes a file of it in which people write, too.

export const articleKinds = ['concept', 'connection', 'answer'] as const
export type ArticleKind = (typeof articleKinds)[number]

export const articleFolders: Readonly<Record<ArticleKind, string>> = {
  concept: 'wiki/concepts',
  connection: 'wiki/connections',
  answer: 'wiki/answers',
}

/** What stands at the head of the file. Paths are below the vault, without ending. */
export interface ArticleHead {
  title: string
  aliases: string[]
  tags: string[]
  /** The key of the project; null for what holds everywhere, or for several. */
  project: string | null
  /** What a concept is about, as long as its name may change: `file:src/retry.ts`, `word:billing`. */
  topic: string | null
  /** The concepts that a connection connects. */
  connects: string[]
  /** What an answer answers. */
  question: string | null
  /** Days of the journal, and sessions that no day tells of. */
  sources: string[]
  /** Days. */
  created: string
  updated: string
}

/** What may be missing where a person or a model has made it. */
export const emptyHead: ArticleHead = {
  title: '',
  aliases: [],
  tags: [],
  project: null,
  topic: null,
  connects: [],
  question: null,
  sources: [],
  created: '',
  updated: '',
}

/** A part of the article that is ours, with its heading in it; a person who edits one makes it theirs. */
export interface ArticleSection {
  name: SectionName
  text: string
  /** What a model wrote is replaced only by what a model wrote. */
  isByModel?: boolean
}

/** In the order in which they stand. */
export const sectionNames = [
  'summary',
  'key points',
  'details',
  'rules',
  'decisions',
  'traps',
  'knowledge',
  'doubtful',
  'insight',
  'evidence',
  'answer',
  'history',
  'related',
  'sources',
] as const
export type SectionName = (typeof sectionNames)[number]

export interface Article {
  kind: ArticleKind
  /** Below the vault, without ending: `wiki/concepts/retries`. */
  path: string
  head: ArticleHead
  /** For the index: one line, at most 200 characters. */
  summary: string
  sections: ArticleSection[]
}

export const maxSummaryLength = 200
