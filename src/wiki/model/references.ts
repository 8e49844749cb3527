// Who and what a model may point at: sessions that it was shown, and pages that are there or come with the same answer.
import { shortId } from '../../core/session.ts'
import { inlineCode } from '../../text/markdown.ts'
import { dayLink, sessionName } from '../compile/statement.ts'
import { resolveLink, targetsOf } from '../links.ts'
import type { Shown } from './known.ts'
import { keyOf } from './same.ts'

/** A session as articles cite it, and the day whose journal tells of it; without a session, the day itself. */
export interface Source {
  day: string
  session: string | null
  /** Of the session, where it is one that was just read. */
  project?: string | null
}

/** By what a model may call them. */
export type Sources = ReadonlyMap<string, Source>

/** The sessions of a part of the journal, with their projects. Where it tells of none a person wrote it, and the day is the source. */
export function sourcesOfDay(day: string, sessions: ReadonlyMap<string, string | null>): Sources {
  if (sessions.size === 0) return new Map([day, `journal/${day}`].map((called) => [called, { day, session: null }]))
  const sources = new Map<string, Source>()
  for (const [uid, project] of sessions) {
    const source = { day, session: sessionName(uid), project }
    for (const called of [uid, uid.slice(uid.indexOf(':') + 1), shortId(uid), source.session])
      sources.set(called, source)
  }
  return sources
}

/** Those that an article cites already. */
export function sourcesOfArticle(sections: Shown['sections']): Sources {
  const sources = new Map<string, Source>()
  for (const [, day = '', rest = ''] of sections.flatMap(({ text }) => [...text.matchAll(citation)])) {
    const sessions = [...rest.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
    for (const session of sessions) sources.set(session, { day, session })
    if (sessions.length === 0) sources.set(day, { day, session: null })
  }
  return sources
}

/** Behind a statement. */
export function citationOf(sources: readonly Source[]): string {
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
  const targets = targetsOf(paths)
  const named = new Map<string, string>()
  for (const { path, head } of articles) {
    for (const name of [head.title, ...head.aliases]) if (!named.has(keyOf(name))) named.set(keyOf(name), path)
  }
  return (called) => (leadsUp.test(called) ? undefined : (resolveLink(called, targets) ?? named.get(keyOf(called))))
}

const leadsUp = /^[/\\]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)/
