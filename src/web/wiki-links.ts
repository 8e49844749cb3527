// The links between articles, kept in memory: the ledger does not have them, and reading thousands
// of files for each view would take too long. Only files with a new stamp are read again.
import { readVaultBytes } from '../core/vault/files.ts'
import type { Ledger } from '../store/ledger.ts'
import { type ListedArticle, listedArticles } from '../store/wiki/article-list.ts'
import { type LinkGraph, linkGraph } from '../wiki/link-graph.ts'
import { wikilinksIn } from '../wiki/links.ts'
import { articleTargets } from './vault-links.ts'

interface KnownLinks {
  stamp: string
  targets: string[]
}

interface VaultLinks {
  /** The state of the ledger that the graph was made from. */
  articles: readonly ListedArticle[]
  files: ReadonlyMap<string, KnownLinks>
  graph: LinkGraph
}

const known = new Map<string, VaultLinks>()

/** Articles that are not read yet; a view with many of them should not wait for it. */
export function unreadArticles(ledger: Ledger): number {
  const before = known.get(ledger.layout.vault)
  const articles = listedArticles(ledger)
  if (before?.articles === articles) return 0
  return articles.filter(({ path, stamp }) => before?.files.get(path)?.stamp !== stamp).length
}

export function wikiLinkGraph(ledger: Ledger): LinkGraph {
  const { vault } = ledger.layout
  const before = known.get(vault)
  const articles = listedArticles(ledger)
  if (before?.articles === articles) return before.graph
  const files = new Map(articles.map((article) => [article.path, linksOf(vault, article, before)]))
  const isSame = files.size === before?.files.size && [...files].every(([path, one]) => before.files.get(path) === one)
  const links = [...files].map(([path, { targets }]) => ({ path, targets }))
  const graph = isSame ? before.graph : linkGraph(links, articleTargets(articles))
  known.set(vault, { articles, files, graph })
  return graph
}

function linksOf(vault: string, { path, stamp }: ListedArticle, before: VaultLinks | undefined): KnownLinks {
  const read = before?.files.get(path)
  if (read?.stamp === stamp) return read
  const targets = wikilinksIn(textAt(vault, path)).map(({ target }) => target)
  return { stamp, targets: [...new Set(targets)] }
}

/** A file that was deleted since the last build has no links. */
function textAt(vault: string, path: string): string {
  try {
    return readVaultBytes(vault, `${path}.md`).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return ''
  }
}
