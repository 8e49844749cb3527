// Reads the articles of the vault. Never follows symbolic links.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../core/paths.ts'
import { markdownFilesIn, readVaultBytes, statVaultFile, vaultFolderState } from '../core/vault/files.ts'
import { type ArticleKind, articleFolders, articleKinds } from './article.ts'
import { type ArticleFile, readArticle } from './article-file.ts'
import { safePath } from './links.ts'

export interface WikiPage extends ArticleFile {
  kind: ArticleKind
  /** Below the vault, without extension. */
  path: string
}

/** All articles, ordered by path; one that cannot be read has a `problem`. */
export async function readPages(layout: Layout): Promise<WikiPage[]> {
  const pages: WikiPage[] = []
  for (const kind of articleKinds) {
    for (const name of markdownFilesIn(layout.vault, articleFolders[kind])) {
      const path = `${articleFolders[kind]}/${name.slice(0, -'.md'.length)}`
      if (statVaultFile(layout.vault, `${path}.md`).kind === 'file')
        pages.push({ kind, path, ...(await readPage(layout.vault, path)) })
    }
  }
  return pages.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A page below `wiki/`, also one that is not an article; undefined if there is none. */
export async function readWikiPage(layout: Layout, path: string): Promise<ArticleFile | undefined> {
  const safe = path.startsWith('wiki/') ? safePath(path) : undefined
  if (safe === undefined) return undefined
  const isInVault = vaultFolderState(layout.vault, safe.slice(0, safe.lastIndexOf('/'))) === 'folder'
  if (!isInVault || statVaultFile(layout.vault, `${safe}.md`).kind !== 'file') return undefined
  return readPage(layout.vault, safe)
}

async function readPage(vault: string, path: string): Promise<ArticleFile> {
  try {
    return await readArticle(readVaultBytes(vault, `${path}.md`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return { head: {}, problem: 'It cannot be read', body: '', bodyLine: 1 }
  }
}

/** Paths of all Markdown files of the vault, without extension: the possible targets of links. */
export function vaultPaths(layout: Layout): string[] {
  return markdownBelow(layout.vault, '').sort()
}

function markdownBelow(folder: string, below: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return markdownBelow(join(folder, entry.name), path)
    return entry.isFile() && path.endsWith('.md') ? path.slice(0, -'.md'.length) : []
  })
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  } catch (error) {
    // A file in its place, or a folder without permission, has no link targets.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) return []
    throw error
  }
}
