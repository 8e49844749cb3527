// Exports the current memories of a project into an agent's own memory folder: only on command, as
// edits that are shown first and can be removed byte for byte. Exported files that the agent or a
// person has changed are left alone and reported.

import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { UserError } from '../../core/errors.ts'
import type { Machine } from '../../core/paths.ts'
import { findRepository } from '../../core/project/project.ts'
import { frontmatterFence, yamlString } from '../../core/vault/frontmatter.ts'
import { descriptionOf, fileNameOf } from '../../memory/file-name.ts'
import type { Memory, MemoryKind } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { sessionFolders } from '../../store/memories/files.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { renderBody } from '../files/body.ts'
import { indexName } from '../files/folders.ts'
import { indexLimits, indexLine } from '../files/index-file.ts'

export interface ExportContext {
  ledger: Ledger
  machine: Machine
}

export interface ExportPlan {
  folders: string[]
  edits: { path: string; before: string | undefined; after: string | undefined }[]
  /** Memories that fit into the agent's index, and those that do not. */
  exported: number
  left: number
  /** Exported files that were changed since. */
  changed: string[]
}

export function planExport(context: ExportContext, agent: Agent, project: string, isRemoval = false): ExportPlan {
  const plan: ExportPlan = { folders: [], edits: [], exported: 0, left: 0, changed: [] }
  const place = agent.memories?.exportFolder
  if (!place) throw new UserError(`Nothing can be exported to ${agent.name}`, 'For example: --to claude-code')
  const memories = isRemoval ? [] : ranked(listMemories(context.ledger, { project, state: 'kept', isCurrent: true }))
  for (const root of rootsOf(context.ledger, project)) {
    const { home, folder } = place(context.machine, root)
    checkPlain(home, folder)
    planFolder(plan, folder, memories.filter(isNotFrom(folder)))
  }
  if (plan.folders.length === 0)
    throw new UserError(
      `There is no folder of ${project} on this machine`,
      'Run a session there first, then: recollect sweep',
      1,
    )
  return plan
}

/** Main working trees of the project's sessions: agents keep one memory for all worktrees. */
function rootsOf(ledger: Ledger, project: string): string[] {
  const folders = sessionFolders(ledger).filter((one) => one.project === project && existsSync(one.cwd))
  return [...new Set(folders.map(({ cwd }) => findRepository(cwd)?.root ?? cwd))]
}

/** A link below the agent's home could lead anywhere. */
function checkPlain(home: string, folder: string): void {
  let path = home
  for (const part of relative(home, folder).split(sep)) {
    path = join(path, part)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new UserError(`${path} is a link`, 'Replace the link by the folder itself.')
  }
}

/** Excludes memories that were imported from this folder. */
function isNotFrom(folder: string): (memory: Memory) => boolean {
  return ({ evidence }) => !evidence.some(({ file }) => file?.startsWith(folder + sep))
}

const order: Record<MemoryKind, number> = {
  correction: 0,
  preference: 0,
  decision: 1,
  fact: 2,
  debugging: 2,
  workaround: 2,
  operational: 2,
}

function ranked(memories: readonly Memory[]): Memory[] {
  return memories.toSorted(
    (a, b) => order[a.kind] - order[b.kind] || b.importance - a.importance || b.counts.said - a.counts.said,
  )
}

function planFolder(plan: ExportPlan, folder: string, memories: readonly Memory[]): void {
  plan.folders.push(folder)
  const indexPath = join(folder, indexName)
  const index = textOrUndefined(indexPath)
  const existing = exportedNames(folder)
  const files = new Map(memories.map((memory) => [memory.id, renderExport(memory, existing)]))
  const section = withSection(
    index,
    memories.map(({ id, text }) => ({ id, text, name: files.get(id)!.name })),
  )
  const wanted = new Map(section.listed.map((id) => [files.get(id)!.name, files.get(id)!.content]))
  plan.exported += wanted.size
  plan.left += memories.length - wanted.size
  for (const [name, content] of wanted) planFile(plan, join(folder, name), content)
  for (const name of existing) if (!wanted.has(name)) planFile(plan, join(folder, name), undefined)
  const after = wanted.size > 0 ? section.content : withoutSection(index)
  if (after !== index) plan.edits.push({ path: indexPath, before: index, after })
}

function planFile(plan: ExportPlan, path: string, after: string | undefined): void {
  const before = textOrUndefined(path)
  if (before === after) return
  if (before !== undefined && !isUnmodified(before)) plan.changed.push(path)
  else plan.edits.push({ path, before, after })
}

function exportedNames(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => name.startsWith(exportPrefix) && name.endsWith('.md'))
}

/** Rejects links and folders with the name of an exported file. */
function textOrUndefined(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  if (!stats.isFile())
    throw new UserError(`${join(basename(dirname(path)), basename(path))} is not a plain file`, `Check ${path}`)
  return readFileSync(path, 'utf8')
}

// Renders a memory as an agent's own memory file, with a hash by which later changes are detected.

/** File name prefix of exported memories. The agent's reader skips files with it. */
const exportPrefix = 'recollect-'

interface NativeMemoryFile {
  name: string
  content: string
}

/**
 * Keeps the name of an existing export. Format of Claude Code 2.1.325; `type` is also at the top
 * level, where earlier versions read it.
 */
function renderExport(memory: Memory, existing: readonly string[]): NativeMemoryFile {
  const own = fileNameOf(memory)
  const known = existing.find((one) => one.endsWith(own.slice(own.lastIndexOf('-'))))
  const name = known ?? exportPrefix + own
  const head = [
    `name: ${yamlString(name.replace(/\.md$/, ''))}`,
    `description: ${yamlString(descriptionOf(memory.text))}`,
    `type: ${memory.type}`,
    'metadata:',
    '  node_type: memory',
    `  type: ${memory.type}`,
  ]
  const since = `Told by Recollect: ${memory.id}, ${memory.trust}, last on ${memory.confirmedAt.slice(0, 10)}.`
  const rest = `${[frontmatterFence, ...head, frontmatterFence].join('\n')}\n\n${renderBody({ ...memory, tail: [since] })}`
  return {
    name,
    content: rest.replace(`\n${frontmatterFence}\n\n`, `\n  recollect: ${hashOf(rest)}\n${frontmatterFence}\n\n`),
  }
}

const hashLine = /^ {2}recollect: ([\w-]+)\n/m

function isUnmodified(content: string): boolean {
  const hash = hashLine.exec(content)?.[1]
  return hash !== undefined && hash === hashOf(content.replace(hashLine, ''))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

// Our section of an agent's own MEMORY.md, between two markers, within the size that the agent
// loads. Removing it restores the rest byte for byte.

interface IndexEntry {
  id: string
  text: string
  name: string
}

const begin = '<!-- recollect:begin; "recollect export --to claude-code --remove" takes this out -->'
const end = '<!-- recollect:end -->'
const section = /<!-- recollect:begin[^\n]*\n[\s\S]*?<!-- recollect:end -->\n?/

/** Adds entries in their order until the limits are reached. */
export function withSection(
  before: string | undefined,
  entries: readonly IndexEntry[],
): { content: string; listed: string[] } {
  const rest = withoutSection(before) ?? ''
  const endsLine = rest === '' || rest.endsWith('\n')
  const lines: string[] = []
  const listed: string[] = []
  // The markers and the line about left-out memories count, too.
  let bytes = Buffer.byteLength(rest) + Buffer.byteLength(begin + end) + 100
  const maxLines = indexLimits.lines - rest.split('\n').length - 3
  for (const { id, text, name } of entries) {
    const line = indexLine(text, name)
    bytes += Buffer.byteLength(line) + 1
    if (lines.length >= maxLines || bytes > indexLimits.bytes) break
    lines.push(line)
    listed.push(id)
  }
  const left = entries.length - listed.length
  if (left > 0) lines.push(`${left} more memories found no room here: recollect memories`)
  const own = [begin, ...lines, end].join('\n')
  // If the section does not end with a line break, the one before it is ours.
  return { content: endsLine ? `${rest}${own}\n` : `${rest}\n${own}`, listed }
}

/** Undefined if nothing is left of the file. */
export function withoutSection(content: string | undefined): string | undefined {
  const match = content === undefined ? null : section.exec(content)
  if (!content || !match) return content
  const isAtEnd = match.index + match[0].length === content.length && !match[0].endsWith('\n')
  const head = content.slice(0, match.index)
  const rest = (isAtEnd ? head.replace(/\n$/, '') : head) + content.slice(match.index + match[0].length)
  return rest === '' ? undefined : rest
}
