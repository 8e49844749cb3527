// The current memories of a project as files in an agent's own memory folder: on command only, as edits that are shown first, and
// removable to the byte. What the agent or a person has changed in such a file since is theirs: it is left, and told.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { UserError } from '../../core/errors.ts'
import type { Machine } from '../../core/machine.ts'
import { findRepository } from '../../core/project.ts'
import type { Memory, MemoryKind } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { sessionFolders } from '../../store/memories/files.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { indexName } from '../files/index-file.ts'
import { exportPrefix, isUnmodified, renderExport } from './export-file.ts'
import { withoutSection, withSection } from './export-index.ts'

export interface ExportContext {
  ledger: Ledger
  machine: Machine
}

export interface ExportPlan {
  folders: string[]
  edits: { path: string; before: string | undefined; after: string | undefined }[]
  /** Memories that find room in the agent's index, and those that do not. */
  exported: number
  left: number
  /** Files of ours that somebody has changed. */
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
      `No folder of ${project} is on this machine`,
      'Run a session there first, then: recollect sweep',
      1,
    )
  return plan
}

/** The main working trees in which sessions of the project ran: agents keep one memory for all worktrees. */
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
      throw new UserError(`${path} is a link`, 'Nothing is written through it. Put the folder itself there.')
  }
}

/** What came from there is there. */
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

/** A link or a folder with the name of one of our files is none of ours. */
function textOrUndefined(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  if (!stats.isFile())
    throw new UserError(`${join(basename(dirname(path)), basename(path))} is not a plain file`, `Look at ${path}`)
  return readFileSync(path, 'utf8')
}
