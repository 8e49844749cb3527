// Articles against what they were compiled from.
import { shortId } from '../../core/session.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoriesChangedSince } from '../../store/memories/files.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { wikiDays } from '../../store/wiki/articles.ts'
import { changedDays } from '../days.ts'
import { lastCompiled } from '../due.ts'
import { type Finding, found } from './finding.ts'
import type { Wiki } from './read-wiki.ts'

export function orphanSources({ pages, days }: Wiki): Finding[] {
  const cited = new Set([...pages.values()].flatMap(({ cites }) => [...cites]))
  return days
    .filter((day) => !cited.has(`journal/${day}`))
    .map((day) => found('orphan-source', `journal/${day}`, null, 'No article cites it'))
}

/** A day that was written since it was compiled, or a memory that changed since then. */
export function staleArticles({ pages }: Wiki, ledger: Ledger): Finding[] {
  const compiled = wikiDays(ledger)
  const changed = changedDays(ledger, { isAll: false }).filter(({ day }) => compiled.has(day))
  const days = new Set(changed.map(({ day }) => `journal/${day}`))
  const sessions = sessionsOfChanges(ledger)
  return [...pages.values()].flatMap((page) => {
    const day = [...page.cites].sort().find((path) => days.has(path))
    if (day !== undefined) return found('stale-article', page.path, null, `${day} has changed since it was compiled`)
    const session = sessionsIn(page.body).find((id) => sessions.get(page.head.project ?? null)?.has(id))
    if (session === undefined) return []
    return found('stale-article', page.path, null, `A memory from ${session} has changed since it was compiled`)
  })
}

/** Sessions that memories come from which have changed since the last build, by project. */
function sessionsOfChanges(ledger: Ledger): Map<string | null, Set<string>> {
  const compiled = lastCompiled(ledger)
  const sessions = new Map<string | null, Set<string>>()
  if (!compiled) return sessions
  for (const id of memoriesChangedSince(ledger, compiled.change)) {
    const memory = memoryById(ledger, id)
    const known = sessions.get(memory?.project ?? null) ?? new Set()
    for (const { session } of memory?.evidence ?? []) if (session !== null) known.add(asCited(session))
    sessions.set(memory?.project ?? null, known)
  }
  return sessions
}

/** Articles may name a session by the beginning of its id. */
function asCited(session: string): string {
  return `${session.slice(0, session.indexOf(':'))}:${shortId(session)}`
}

function sessionsIn(body: string): string[] {
  return [...body.matchAll(/`([a-z][a-z\d-]*:[^`\s]+)`/g)].map((match) => asCited(match[1]!))
}
