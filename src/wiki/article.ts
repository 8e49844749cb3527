// An article of the wiki as data; article-file.ts renders it into a file that people may edit.

export const articleKinds = ['concept', 'connection', 'answer'] as const
export type ArticleKind = (typeof articleKinds)[number]

export const articleFolders: Readonly<Record<ArticleKind, string>> = {
  concept: 'wiki/concepts',
  connection: 'wiki/connections',
  answer: 'wiki/answers',
}

/** Frontmatter of the file. Paths are below the vault, without extension. */
export interface ArticleHead {
  title: string
  aliases: string[]
  tags: string[]
  /** Key of the project; null for global articles and for several projects. */
  project: string | null
  /** Stable key of a concept, independent of its title: `subject:release note`, `project:/home/dev/app`. */
  topic: string | null
  /** Concepts of a connection. */
  connects: string[]
  /** Question of an answer. */
  question: string | null
  /** Days of the journal, and sessions without a journal entry. */
  sources: string[]
  /** Days. */
  created: string
  updated: string
}

/** Defaults for articles by people or models. */
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

/** A section of ours with its heading; not overwritten after a person has edited it. */
export interface ArticleSection {
  name: SectionName
  text: string
}

/** In the order of the file. */
export const sectionNames = [
  'summary',
  'topics',
  'rules',
  'decisions',
  'traps',
  'running',
  'knowledge',
  'doubtful',
  'insight',
  'answer',
  'evidence',
  'open',
  'details',
  'related',
  'sources',
] as const
export type SectionName = (typeof sectionNames)[number]

export interface Article {
  kind: ArticleKind
  /** Below the vault, without extension: `wiki/concepts/retries`. */
  path: string
  head: ArticleHead
  /** For the index: one line, at most 200 characters. */
  summary: string
  sections: ArticleSection[]
}

export const maxSummaryLength = 200
