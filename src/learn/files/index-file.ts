// Renders and writes MEMORY.md: one line per memory, most important first, small enough to be read
// whole. It is generated; lines that a person adds stay, below a marker.

import { rmdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  readVaultFile,
  removeVaultFile,
  statVaultFile,
  vaultFolderState,
  writeVaultFile,
} from '../../core/vault/files.ts'
import { normaliseNewlines } from '../../core/vault/frontmatter.ts'
import { spaceText } from '../../memory/attribution.ts'
import { descriptionOf, plainLine, titleOf } from '../../memory/file-name.ts'
import type { MemoryKind } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  hasKeptMemories,
  type IndexedMemory,
  indexedMemories,
  type MemoryOwner,
  memoryFilesBelow,
} from '../../store/memories/files.ts'
import { projectOfFolder } from '../../store/sessions/projects.ts'
import { ellipsize } from '../../text/truncate.ts'
import { archiveOf, folderOf, indexName, teamFolderOf } from './folders.ts'

/** Agents load this much of such a file; a line has at most `line` characters. */
export const indexLimits = { lines: 200, bytes: 25_000, line: 150 }

const mark = '<!-- Anything below this line is yours and is kept. -->'
/** Also in the wording of earlier versions. */
const isMark = /^<!-- .* below this line is yours.* -->$/

export interface IndexScope {
  project: string | null
  whose: MemoryOwner
  /** Whether there is an index of teams beside this one. */
  hasTeam: boolean
}

/** `before` is the current file. */
export function renderIndex(
  { project, whose, hasTeam }: IndexScope,
  memories: readonly IndexedMemory[],
  before = '',
): string {
  const entries = sections.flatMap(({ title, kinds }) => {
    const some = memories.filter(({ kind }) => kinds.includes(kind))
    return some.length === 0 ? [] : ['', `## ${title}`, '', ...some.map(entryOf)]
  })
  const about = project === null ? 'Memories for all projects' : plainLine(project)
  const title = whose === 'own' ? `# ${about}` : `# Team memories: ${about}`
  const room = { lines: indexLimits.lines - 2, bytes: indexLimits.bytes - Buffer.byteLength(mark) - 2 }
  const kept = withinLimits([title, ...(hasTeam ? ['', teamLink] : []), ...entries], room)
  const own = userLines(before)
  return `${[...kept, '', mark, ...own].join('\n')}\n`
}

const teamLink = `[Team memories](team/${indexName})`

/** Memories of others name their space and author. */
function entryOf({ text, path, name, description, space, author }: IndexedMemory): string {
  const own = { name, description }
  if (space === null) return indexLine(text, nameIn(path), 0, own)
  const by = ` (${ellipsize(plainLine(author === null ? spaceText(space) : `${spaceText(space)}, ${author}`), 50)})`
  return `${indexLine(text, nameIn(path), by.length, own)}${by}`
}

const sections: readonly { title: string; kinds: readonly MemoryKind[] }[] = [
  { title: 'Rules', kinds: ['correction', 'preference'] },
  { title: 'Decisions', kinds: ['decision'] },
  { title: 'Knowledge', kinds: ['fact', 'debugging', 'workaround', 'operational'] },
]

/**
 * `- [name](file.md): description`, cut to the line limit; `behind` is the length of what follows.
 * What a person wrote in the file stands for what is derived from the text.
 */
export function indexLine(
  text: string,
  file: string,
  behind = 0,
  own: Partial<Pick<IndexedMemory, 'name' | 'description'>> = {},
): string {
  const name = file.replace(/[\s()<>%\\\p{C}]/gu, inPercent)
  // A file name given by a person can be too long for a link.
  const title = own.name ? ellipsize(plainLine(own.name), maxOwnName) : titleOf(text)
  const link = `- [${title}](${name.length > 80 ? '' : name})`
  const description = own.description ? plainLine(own.description) : descriptionOf(text)
  return `${link}: ${ellipsize(description, indexLimits.line - link.length - 2 - behind)}`
}

/** Leaves room for the description. */
const maxOwnName = 50

function inPercent(sign: string): string {
  return [...Buffer.from(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
}

function isEntry(line: string): boolean {
  return line.startsWith('- ')
}

/** Cuts lines first, then bytes; the last line says how many entries were left out and why. */
function withinLimits(lines: readonly string[], { lines: maxLines, bytes: maxBytes }: IndexLimits): string[] {
  const bytes = sizeOf(lines)
  const fired = [
    ...(lines.length > maxLines ? [`${lines.length} lines where ${maxLines} are the limit`] : []),
    ...(bytes > maxBytes ? [`${bytes} bytes where ${maxBytes} are the limit`] : []),
  ]
  if (fired.length === 0) return [...lines]
  const note = (left: number) => `${left} more are not listed here: ${fired.join(', ')}.`
  const total = lines.filter(isEntry).length
  const kept = lines.slice(0, Math.max(0, maxLines - 2))
  let size = sizeOf(kept) + Buffer.byteLength(note(total)) + 2
  while (kept.length > 0 && (size > maxBytes || !isEntry(kept.at(-1)!))) size -= sizeOf([kept.pop()!])
  return [...kept, '', note(total - kept.filter(isEntry).length)]
}

export interface IndexLimits {
  lines: number
  bytes: number
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}

/** Everything below the marker, and lines above it that Recollect cannot have written. */
export function userLines(before: string): string[] {
  const lines = normaliseNewlines(before).replace(/\n$/, '').split('\n')
  const at = lines.findIndex((line) => isMark.test(line))
  const above = (at < 0 ? lines : lines.slice(0, at)).filter((line) => !isGenerated(line))
  return [...above, ...(at < 0 ? [] : lines.slice(at + 1))]
}

function isGenerated(line: string): boolean {
  return /^(?:\s*$|# |## (?:Rules|Decisions|Knowledge)$|- \[[^\]]*\]\((?:[^)]*\.md)?\): |\[Team memories\]\(team\/MEMORY\.md\)$|\d+ more are not listed here: )/.test(
    line,
  )
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * What a person wrote into the index of a worktree goes to that of the repository, once the worktree
 * is no project any more. Lines that are there already are not repeated after a kill.
 */
export function moveOwnLines(ledger: Ledger, vault: string, project: string | null): void {
  const successor = project === null ? undefined : projectOfFolder(ledger, project)
  if (successor === undefined || successor === project || hasKeptMemories(ledger, project, 'own')) return
  const [from, to] = [`${folderOf(project)}/${indexName}`, `${folderOf(successor)}/${indexName}`]
  if (statVaultFile(vault, from).kind !== 'file' || statVaultFile(vault, to).kind === 'other') return
  const before = statVaultFile(vault, to).kind === 'file' ? readVaultFile(vault, to) : `${mark}\n`
  const known = new Set(userLines(before))
  const own = userLines(readVaultFile(vault, from)).filter((line) => !known.has(line))
  if (own.length > 0 && writeVaultFile(vault, to, `${before}${own.join('\n')}\n`) === undefined) return
  writeVaultFile(vault, from, '')
}

/**
 * Returns the number of files written or removed. The index of teams comes first, since the user's
 * own links to it.
 */
export function writeIndexes(ledger: Ledger, vault: string, project: string | null): number {
  return writeIndex(ledger, vault, project, 'teams') + writeIndex(ledger, vault, project, 'own')
}

/** 1, or 0 if the file is up to date. */
function writeIndex(ledger: Ledger, vault: string, project: string | null, whose: MemoryOwner): number {
  const folder = whose === 'own' ? folderOf(project) : teamFolderOf(project)
  const path = `${folder}/${indexName}`
  if (vaultFolderState(vault, folder) === 'link') return 0
  const found = statVaultFile(vault, path)
  if (found.kind === 'other') return 0
  const before = found.kind === 'file' ? readVaultFile(vault, path) : ''
  if (memoryFilesBelow(ledger, folder).length === 0 && userLines(before).length === 0) {
    if (found.kind === 'missing') return 0
    removeVaultFile(vault, path)
    removeEmptyFolders(vault, [archiveOf(folder), folder])
    return 1
  }
  const hasTeam = whose === 'own' && statVaultFile(vault, `${teamFolderOf(project)}/${indexName}`).kind === 'file'
  const after = renderIndex({ project, whose, hasTeam }, indexedMemories(ledger, project, whose), before)
  if (before === after) return 0
  return writeVaultFile(vault, path, after) === undefined ? 0 : 1
}

function removeEmptyFolders(vault: string, folders: string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(join(vault, folder))
    } catch {
      // The folder is not empty.
    }
  }
}
