// Articles that are there already, as far as one line of the index tells of them; their text is read only where it is needed.
import { type ArticleRow, deletedStamp } from '../../store/wiki/articles.ts'
import { type Article, type ArticleHead, type ArticleKind, emptyHead } from '../article.ts'
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
    ...(stamp === deletedStamp ? { isDeleted: true } : {}),
  }))
}
