// What a draft says, statement by statement, with the sessions that it comes from. What has none is left out.

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

/** A draft that may become an article; its texts are still as the model wrote them. */
export interface AcceptedDraft extends ExistingArticle, DraftStatements {
  draft: ArticleDraft
  /** The article that it updates, with its text. */
  existing: ShownArticle | undefined
  /** Whether the model has read that, so that it may replace it. */
  isShown: boolean
  /** Everything that it comes from. */
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
        // Where it names none, the one session of the article is meant; one that is not there is made up.
        const sources = sessions.length === 0 && article.length === 1 ? article : sourcesNamed(sessions, citable)
        return sources.length > 0 ? { text, sources } : []
      })
      .slice(0, max)
  return { keyPoints: cited(draft.keyPoints, 5), details: cited(draft.details, 6), evidence: cited(draft.evidence, 8) }
}

/** A model that writes an article anew copies what stands behind its statements. */
function withoutCitation({ text, sessions }: DraftStatement): DraftStatement {
  const [citation] = /\s*\(\[\[journal\/[^()]*\)\s*$/.exec(text) ?? ['']
  const cited = [...citation.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
  return { text: text.slice(0, text.length - citation.length), sessions: sessions.length > 0 ? sessions : cited }
}

/** Every source that a draft names anywhere. */
export function sourcesUsed(
  { keyPoints, details, evidence, sources }: ArticleDraft,
  known: CitableSources,
): CitedSource[] {
  return sourcesNamed(
    [...[...keyPoints, ...details, ...evidence].flatMap(({ sessions }) => sessions), ...sources],
    known,
  )
}

/** Why a text is not taken: what admission would not take as a memory is not told in an article either. */
export function textProblem(text: string, trust: MemoryTrust): string | undefined {
  const said = modelProse(text, maxOfParagraph, () => undefined)
  if (said === '') return 'it is empty'
  // As it will be read, without secrets; and as it came, before anything was escaped.
  return excluded({ text: said, trust }) ?? excluded({ text: truncate(text, maxOfParagraph), trust })
}

function sourcesNamed(called: readonly string[], known: CitableSources): CitedSource[] {
  return [...new Set(called.flatMap((one) => known.get(one.trim().replace(/^\[?(?:session )?|\]$/g, '')) ?? []))]
}

// Who and what a model may point at: sessions that it was shown, and pages that are there or come with the same answer.

/** A session as articles cite it, and the day whose journal tells of it; without a session, the day itself. */
export interface CitedSource {
  day: string
  session: string | null
  /** Of the session, where it is one that was just read. */
  project?: string | null
}

/** By what a model may call them. */
export type CitableSources = ReadonlyMap<string, CitedSource>

/** The sessions of a part of the journal, with their projects. Where it tells of none a person wrote it, and the day is the source. */
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

/** Those that an article cites already. */
export function sourcesOfArticle(sections: ShownArticle['sections']): CitableSources {
  const sources = new Map<string, CitedSource>()
  for (const [, day = '', rest = ''] of sections.flatMap(({ text }) => [...text.matchAll(citation)])) {
    const sessions = [...rest.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
    for (const session of sessions) sources.set(session, { day, session })
    if (sessions.length === 0) sources.set(day, { day, session: null })
  }
  return sources
}

/** Behind a statement. */
export function citationOf(sources: readonly CitedSource[]): string {
  const days = Map.groupBy(sources, ({ day }) => day)
  const told = [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, ofDay]) => {
      const sessions = new Set(ofDay.flatMap(({ session }) => (session === null ? [] : inlineCode(session))))
      return [dayLink(day), ...sessions].join(', ')
    })
  return `(${told.join('; ')})`
}

const citation = /\[\[journal\/(\d{4}-\d\d-\d\d)\|[^\]\n]*\]\]((?:[,:] `[^`\n]+`)*)/g

/** Pages by path, by name, and articles by title and alias, as models and people call them. */
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
