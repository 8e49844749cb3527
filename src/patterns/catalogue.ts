// The catalogue of practices: `vault/practices/*.md`. The files are authoritative; deleting one
// removes the practice.
import { UserError } from '../core/errors.ts'
import type { Layout } from '../core/paths.ts'
import {
  markdownFilesIn,
  openVault,
  readVaultBytes,
  removeVaultFile,
  statVaultFile,
  writeVaultFile,
} from '../core/vault/files.ts'
import { freeSlug, slugKey } from '../text/slug.ts'
import { parsePractice } from './practice-file.ts'
import { renderPractice } from './practice-render.ts'
import type { Practice } from './types.ts'

export interface CatalogueProblem {
  /** Relative to the vault. */
  file: string
  line: number
  reason: string
}

export interface PracticeCatalogue {
  practices: Practice[]
  /** Unreadable files, which are not changed. */
  problems: CatalogueProblem[]
}

export const practicesFolder = 'practices'

/** Sorted by file name. */
export async function readPractices(layout: Layout): Promise<Practice[]> {
  return (await readCatalogue(layout)).practices
}

/** `known` maps ids to paths, to recognise copies of a file. */
export async function readCatalogue(
  layout: Layout,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<PracticeCatalogue> {
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
    const read = await parsePractice(practicePath(file), readVaultBytes(vault, file))
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
      file: practiceFile(path),
      line: 2,
      reason: `Another file has the id ${id}, too: delete the line to make this a practice of its own`,
    })
  return {
    practices: practices.filter((practice) => !copies.includes(practice)),
    problems: problems.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
  }
}

/** Updates the existing file or creates one. An unreadable file is never overwritten. */
export async function savePractice(layout: Layout, practice: Practice): Promise<void> {
  const vault = openVault(layout.vault)
  const file = practiceFile(practice.path)
  const found = statVaultFile(vault, file)
  const existing = found.kind === 'file' ? readVaultBytes(vault, file) : undefined
  const content = await renderPractice(practice, existing)
  if (!Buffer.isBuffer(content))
    throw new UserError(`${file}:${content.line}: ${content.reason}`, 'Repair the file, and try again.', 3)
  if (existing?.equals(content)) return
  if (found.kind === 'other' || writeVaultFile(vault, file, content) === undefined)
    throw new UserError(`${file} is a link or a folder`, 'Nothing is written outside of the vault: move it away.', 3)
}

/** Content of the file; undefined where there is none. */
export function practiceBytes(layout: Layout, path: string): Buffer | undefined {
  const vault = openVault(layout.vault)
  return statVaultFile(vault, practiceFile(path)).kind === 'file'
    ? readVaultBytes(vault, practiceFile(path))
    : undefined
}

export function removePractice(layout: Layout, path: string): void {
  removeVaultFile(openVault(layout.vault), practiceFile(path))
}

/** An unused path, also on case-insensitive disks. */
export function freePracticePath(layout: Layout, title: string, id: string): string {
  const taken = new Set(
    markdownFilesIn(openVault(layout.vault), practicesFolder).map((name) => slugKey(name.slice(0, -'.md'.length))),
  )
  const slug = freeSlug(title, { qualifier: 'practice', identity: id, isTaken: (key) => taken.has(key) })
  return `${practicesFolder}/${slug}`
}

export function practiceFile(path: string): string {
  return `${path}.md`
}

function practicePath(file: string): string {
  return file.slice(0, -'.md'.length)
}
