// Articles that are there already, as far as one line of the index tells of them; their text is read only where it is needed.
import type { ArticleRow } from '../../store/articles.ts'
import type { Article, ArticleHead, ArticleKind } from '../article.ts'
import { goneStamp } from '../look.ts'
import type { FramedSection } from '../sections.ts'

export interface Known extends Omit<Article, 'sections'> {
  /** A person has deleted it. */
  isDeleted?: boolean
}

/** With its text, as a model was given it to read. */
export interface Shown extends Known {
  sections: readonly FramedSection[]
}

export function knownArticles(rows: readonly ArticleRow[]): Known[] {
  return rows.map(({ path, kind, title, project, topic, summary, head, stamp }) => ({
    path,
    // As every row has been written.
    kind: kind as ArticleKind,
    summary,
    head: { ...emptyHead, ...(head as Partial<ArticleHead>), title, project, topic },
    ...(stamp === goneStamp ? { isDeleted: true } : {}),
  }))
}

/** The head of an article that a person has made may lack anything. */
const emptyHead: ArticleHead = {
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
