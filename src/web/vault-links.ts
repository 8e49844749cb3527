// Addresses of the page for what files of the vault name: articles, days, memories and sessions.
import { projectFolder, statVaultFile } from '../core/vault/files.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryFileAt } from '../store/memories/files.ts'
import { projectNames } from '../store/sessions/projects.ts'
import { type ListedArticle, listedArticles } from '../store/wiki/article-list.ts'
import { type LinkTargets, linkTargets, resolveLink, safePath } from '../wiki/links.ts'
import { urlOfSession } from './request.ts'

export function urlOfDay(day: string): string {
  return `/journal/${day}`
}

/** `path` is below the vault, without extension. */
export function urlOfArticle(path: string): string {
  const parts = path.replace(/^wiki\//, '').split('/')
  return `/wiki/${parts.map(encodeURIComponent).join('/')}`
}

export function urlOfMemory(id: string): string {
  return `/memories/${encodeURIComponent(id)}`
}

/** Resolves link targets; undefined if nothing is shown there. */
export function vaultLinks(ledger: Ledger): (target: string) => string | undefined {
  const { vault } = ledger.layout
  return (target) => {
    const path = safePath(target)
    if (path === undefined) return undefined
    const day = /^(?:journal\/)?(\d{4}-\d\d-\d\d)$/.exec(path)?.[1]
    if (day !== undefined) return isFile(vault, `journal/${day}`) ? urlOfDay(day) : undefined
    if (path.startsWith('memory/')) return urlInMemories(ledger, path)
    if (/^(?:wiki\/)?index$/.test(path)) return '/wiki'
    const article = resolveLink(path, articleTargets(listedArticles(ledger)))
    if (article !== undefined) return urlOfArticle(article)
    return path.startsWith('wiki/') && isFile(vault, path) ? urlOfArticle(path) : undefined
  }
}

const targets = new WeakMap<readonly ListedArticle[], LinkTargets>()

/** Thousands of names are normalised once for each state of the ledger. */
export function articleTargets(articles: readonly ListedArticle[]): LinkTargets {
  const known = targets.get(articles) ?? linkTargets(articles.map(({ path }) => path))
  targets.set(articles, known)
  return known
}

function isFile(vault: string, path: string): boolean {
  return statVaultFile(vault, `${path}.md`).kind === 'file'
}

/** A memory, or the memories of a project. */
function urlInMemories(ledger: Ledger, path: string): string | undefined {
  const file = memoryFileAt(ledger, `${path}.md`)
  if (file) return urlOfMemory(file.memory)
  const folder = /^memory\/([^/]+)\/MEMORY$/.exec(path)?.[1]
  if (folder === undefined) return undefined
  const project = [...projectNames(ledger).keys()].find((key) => projectFolder(key) === folder)
  return project === undefined ? '/memories' : `/memories?project=${encodeURIComponent(project)}`
}

/**
 * Resolves the names of sessions that articles have in code spans: `claude-code:a673bc7e-8925`. The
 * reader finds a session by a part of its id.
 */
export function sessionMarks(agents: readonly { id: string }[]): (code: string) => string | undefined {
  const known = new Set(agents.map(({ id }) => id))
  return (code) => {
    const [, agent = '', native = ''] = /^([a-z][a-z\d-]*):([^\s:]\S*)$/.exec(code) ?? []
    if (!known.has(agent)) return undefined
    // Of names with a time or a folder, the end is shown.
    return urlOfSession(/[/@]/.test(native) ? native : code)
  }
}
