// Which articles link to which, in both directions.
import { type LinkTargets, resolveLink } from './links.ts'

export interface LinkGraph {
  /** Articles that an article links to. */
  outgoing: ReadonlyMap<string, readonly string[]>
  /** Articles that link to a path of the vault. */
  backlinks: ReadonlyMap<string, readonly string[]>
}

interface LinkingArticle {
  path: string
  /** As written. */
  targets: readonly string[]
}

export function linkGraph(articles: readonly LinkingArticle[], targets: LinkTargets): LinkGraph {
  const isArticle = new Set(articles.map(({ path }) => path))
  const resolved = new Map<string, string | undefined>()
  const resolve = (target: string) => {
    if (!resolved.has(target)) resolved.set(target, resolveLink(target, targets))
    return resolved.get(target)
  }
  const outgoing = new Map<string, string[]>()
  const backlinks = new Map<string, string[]>()
  for (const { path, targets: written } of articles) {
    const others = new Set(written.flatMap((target) => resolve(target) ?? []))
    others.delete(path)
    outgoing.set(
      path,
      [...others].filter((other) => isArticle.has(other)),
    )
    for (const other of others) {
      const known = backlinks.get(other)
      if (known) known.push(path)
      else backlinks.set(other, [path])
    }
  }
  return { outgoing, backlinks }
}
