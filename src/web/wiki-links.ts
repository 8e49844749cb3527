// The links between articles, kept in memory: the ledger does not have them, and reading thousands
// of files for each view would take too long. Only files with a new stamp are read again.
import { readVaultBytes } from '../core/vault/files.ts'
import type { Ledger } from '../store/ledger.ts'
import { articleStamps, deletedStamp } from '../store/wiki/articles.ts'
import { type LinkGraph, linkGraph } from '../wiki/link-graph.ts'
import { linkTargets, wikilinksIn } from '../wiki/links.ts'

interface KnownLinks {
  stamp: string
  targets: string[]
}

interface VaultLinks {
  files: Map<string, KnownLinks>
  graph: LinkGraph
}

const known = new Map<string, VaultLinks>()

/** Articles that are not read yet; a view with many of them should not wait for it. */
export function unreadArticles(ledger: Ledger): number {
  const files = known.get(ledger.layout.vault)?.files
  return currentStamps(ledger).filter(([path, stamp]) => files?.get(path)?.stamp !== stamp).length
}

export function wikiLinkGraph(ledger: Ledger): LinkGraph {
  const { vault } = ledger.layout
  const before = known.get(vault)
  const stamps = currentStamps(ledger)
  const isSame = before?.files.size === stamps.length
  if (isSame && stamps.every(([path, stamp]) => before.files.get(path)?.stamp === stamp)) return before.graph
  const files = new Map(stamps.map(([path, stamp]) => [path, linksOf(vault, path, stamp, before?.files.get(path))]))
  const articles = [...files].map(([path, { targets }]) => ({ path, targets }))
  const graph = linkGraph(articles, linkTargets(files.keys()))
  known.set(vault, { files, graph })
  return graph
}

function currentStamps(ledger: Ledger): [path: string, stamp: string][] {
  return [...articleStamps(ledger)].filter(([, stamp]) => stamp !== deletedStamp)
}

function linksOf(vault: string, path: string, stamp: string, before: KnownLinks | undefined): KnownLinks {
  if (before?.stamp === stamp) return before
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
