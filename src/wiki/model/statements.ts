// Extracts the statements of a draft with their sources, and renders citations. Statements without
// a known source are dropped.

import { shortId } from '../../core/session.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { MemoryTrust } from '../../memory/memory.ts'
import { inlineCode } from '../../text/markdown.ts'
import { truncate } from '../../text/truncate.ts'
import { dayLink, sessionName } from '../compile/statement-text.ts'
import { linkTargets, resolveLink } from '../links.ts'
import { type ExistingArticle, keyOf, type ShownArticle } from './existing.ts'
import { modelProse } from './prose.ts'
import type { ArticleDraft, DraftStatement } from './question.ts'

export interface DraftedStatement {
  text: string
  sources: CitedSource[]
}

export interface DraftStatements {
  keyPoints: DraftedStatement[]
  details: DraftedStatement[]
  evidence: DraftedStatement[]
}

/** A draft that becomes an article; its texts are not sanitised yet. */
export interface AcceptedDraft extends ExistingArticle, DraftStatements {
  draft: ArticleDraft
  /** The article that it updates. */
  existing: ShownArticle | undefined
  /** The model has read that article and may replace its text. */
  isShown: boolean
  /** All sources. */
  sources: CitedSource[]
}

export const maxOfParagraph = 1300

export function statementsOf(draft: ArticleDraft, citable: CitableSources): DraftStatements {
  const article = sourcesNamed(draft.sources, citable)
  const cited = (statements: readonly DraftStatement[], max: number) =>
    statements
      .map(withoutCitation)
      .filter(({ text }) => textProblem(text, 'agent said') === undefined)
      .flatMap(({ text, sessions }) => {
        // Without a session, the only session of the article is meant; an unknown session is
        // invented.
        const sources = sessions.length === 0 && article.length === 1 ? article : sourcesNamed(sessions, citable)
        return sources.length > 0 ? { text, sources } : []
      })
      .slice(0, max)
  return { keyPoints: cited(draft.keyPoints, 5), details: cited(draft.details, 6), evidence: cited(draft.evidence, 8) }
}

/** A model that rewrites an article copies the citations of its statements. */
function withoutCitation({ text, sessions }: DraftStatement): DraftStatement {
  const [citation] = /\s*\(\[\[journal\/[^()]*\)\s*$/.exec(text) ?? ['']
  const cited = [...citation.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
  return { text: text.slice(0, text.length - citation.length), sessions: sessions.length > 0 ? sessions : cited }
}

/** All sources that a draft names. */
export function sourcesUsed(
  { keyPoints, details, evidence, sources }: ArticleDraft,
  known: CitableSources,
): CitedSource[] {
  return sourcesNamed(
    [...[...keyPoints, ...details, ...evidence].flatMap(({ sessions }) => sessions), ...sources],
    known,
  )
}

/** Why a text is refused: articles follow the exclusion rules of memories. */
export function textProblem(text: string, trust: MemoryTrust): string | undefined {
  const said = modelProse(text, maxOfParagraph, () => undefined)
  if (said === '') return 'it is empty'
  // Check the sanitised and the original text: escaping could hide a match.
  return excluded({ text: said, trust }) ?? excluded({ text: truncate(text, maxOfParagraph), trust })
}

function sourcesNamed(called: readonly string[], known: CitableSources): CitedSource[] {
  return [...new Set(called.flatMap((one) => known.get(one.trim().replace(/^\[?(?:session )?|\]$/g, '')) ?? []))]
}

/** A session with its journal day; without a session, the day itself. */
export interface CitedSource {
  day: string
  session: string | null
  /** Project of the session, if it is in the current chunk. */
  project?: string | null
}

/** By the names that a model may use. */
export type CitableSources = ReadonlyMap<string, CitedSource>

/**
 * Sources of a chunk. A chunk without sessions was written by a person, and the day is the source.
 */
export function sourcesOfDay(day: string, sessions: ReadonlyMap<string, string | null>): CitableSources {
  if (sessions.size === 0) return new Map([day, `journal/${day}`].map((called) => [called, { day, session: null }]))
  const sources = new Map<string, CitedSource>()
  for (const [uid, project] of sessions) {
    const source = { day, session: sessionName(uid), project }
    for (const called of [uid, uid.slice(uid.indexOf(':') + 1), shortId(uid), source.session])
      sources.set(called, source)
  }
  return sources
}

/** Sources that an article cites. */
export function sourcesOfArticle(sections: ShownArticle['sections']): CitableSources {
  const sources = new Map<string, CitedSource>()
  for (const [, day = '', rest = ''] of sections.flatMap(({ text }) => [...text.matchAll(citation)])) {
    const sessions = [...rest.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
    for (const session of sessions) sources.set(session, { day, session })
    if (sessions.length === 0) sources.set(day, { day, session: null })
  }
  return sources
}

/** Citation after a statement. */
export function citationOf(sources: readonly CitedSource[]): string {
  const days = Map.groupBy(sources, ({ day }) => day)
  const groups = [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, ofDay]) => {
      const sessions = new Set(ofDay.flatMap(({ session }) => (session === null ? [] : inlineCode(session))))
      return [dayLink(day), ...sessions].join(', ')
    })
  return `(${groups.join('; ')})`
}

const citation = /\[\[journal\/(\d{4}-\d\d-\d\d)\|[^\]\n]*\]\]((?:[,:] `[^`\n]+`)*)/g

/** Finds pages by path and name, and articles by title and alias. */
export function pageFinder(
  paths: Iterable<string>,
  articles: Iterable<{ path: string; head: { title: string; aliases: readonly string[] } }>,
): (called: string) => string | undefined {
  const targets = linkTargets(paths)
  const named = new Map<string, string>()
  for (const { path, head } of articles) {
    for (const name of [head.title, ...head.aliases]) if (!named.has(keyOf(name))) named.set(keyOf(name), path)
  }
  return (called) => (leadsUp.test(called) ? undefined : (resolveLink(called, targets) ?? named.get(keyOf(called))))
}

const leadsUp = /^[/\\]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)/
