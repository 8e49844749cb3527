// The catalogue of practices: `vault/practices/*.md`. The files are the truth; who deletes one has removed the practice.
import { UserError } from '../core/errors.ts'
import type { Layout } from '../core/paths.ts'
import {
  markdownFilesIn,
  openVault,
  readVaultBytes,
  removeVaultFile,
  statVaultFile,
  writeVaultFile,
} from '../core/vault.ts'
import { freeSlug, slugKey } from '../text/slug.ts'
import type { Practice } from './practice.ts'
import { readPractice } from './practice-file.ts'
import { renderPractice } from './practice-render.ts'

export interface CatalogueProblem {
  /** Below the vault. */
  file: string
  line: number
  reason: string
}

export interface Catalogue {
  practices: Practice[]
  /** Files that cannot be read: they are left to their person. */
  problems: CatalogueProblem[]
}

export const practicesFolder = 'practices'

/** In the order of their files' names. */
export async function readPractices(layout: Layout): Promise<Practice[]> {
  return (await readCatalogue(layout)).practices
}

/** `known` says which file is the practice's, where a person has copied one. */
export async function readCatalogue(
  layout: Layout,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<Catalogue> {
  const vault = openVault(layout.vault)
  const practices: Practice[] = []
  const problems: CatalogueProblem[] = []
  for (const name of markdownFilesIn(vault, practicesFolder)) {
    const file = `${practicesFolder}/${name}`
    const found = statVaultFile(vault, file)
    if (found.kind !== 'file') {
      problems.push({ file, line: 1, reason: 'This is a link or a folder, and is not followed' })
      continue
    }
    const read = await readPractice(pathOf(file), readVaultBytes(vault, file))
    if (read.kind === 'bad') problems.push({ file, line: read.line, reason: read.reason })
    if (read.kind === 'practice') practices.push(read.practice)
  }
  const isCopy = ({ id, path }: Practice) => {
    const same = practices.filter((other) => other.id === id)
    return same.length > 1 && path !== (same.find((other) => other.path === known.get(id)) ?? same[0])!.path
  }
  const copies = practices.filter(isCopy)
  for (const { id, path } of copies)
    problems.push({
      file: fileOf(path),
      line: 2,
      reason: `Another file has the id ${id}, too: delete the line to make this a practice of its own`,
    })
  return {
    practices: practices.filter((practice) => !copies.includes(practice)),
    problems: problems.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
  }
}

/** Into its file as it is, or a new one. A file that cannot be read is never written over. */
export async function savePractice(layout: Layout, practice: Practice): Promise<void> {
  const vault = openVault(layout.vault)
  const file = fileOf(practice.path)
  const found = statVaultFile(vault, file)
  const existing = found.kind === 'file' ? readVaultBytes(vault, file) : undefined
  const content = await renderPractice(practice, existing)
  if (!Buffer.isBuffer(content))
    throw new UserError(`${file}:${content.line}: ${content.reason}`, 'Repair the file, and try again.', 3)
  if (existing?.equals(content)) return
  if (found.kind === 'other' || writeVaultFile(vault, file, content) === undefined)
    throw new UserError(`${file} is a link or a folder`, 'Nothing is written outside of the vault: move it away.', 3)
}

/** The file as it is; undefined where there is none. */
export function practiceBytes(layout: Layout, path: string): Buffer | undefined {
  const vault = openVault(layout.vault)
  return statVaultFile(vault, fileOf(path)).kind === 'file' ? readVaultBytes(vault, fileOf(path)) : undefined
}

export function removePractice(layout: Layout, path: string): void {
  removeVaultFile(openVault(layout.vault), fileOf(path))
}

/** A path that no file has yet, also where the disk ignores case. */
export function freePath(layout: Layout, title: string, id: string): string {
  const taken = new Set(
    markdownFilesIn(openVault(layout.vault), practicesFolder).map((name) => slugKey(name.slice(0, -'.md'.length))),
  )
  const slug = freeSlug(title, { qualifier: 'practice', identity: id, isTaken: (key) => taken.has(key) })
  return `${practicesFolder}/${slug}`
}

export function fileOf(path: string): string {
  return `${path}.md`
}

function pathOf(file: string): string {
  return file.slice(0, -'.md'.length)
}
