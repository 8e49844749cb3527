// Writes the briefs of projects with changed sessions: as text for people, as a JSON string and as a
// script for the start hook, and a pointer for every folder and remote of the project.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../core/files.ts'
import { findRepository, normaliseRemote, remoteOf } from '../core/project/project.ts'
import { projectFolder } from '../core/vault/files.ts'
import { saveBriefContents } from '../store/memories/usage.ts'
import {
  allProjects,
  foldersOfProject,
  markBriefWritten,
  type ProjectRow,
  projectsWithStaleBrief,
} from '../store/sessions/projects.ts'
import { logWorkOnce } from '../store/work-log.ts'
import { type Brief, type BriefContext, composeBrief } from './brief.ts'
import { briefScript, folderPointer, pointerName, remotePointer } from './brief-files.ts'

/** Writes stale briefs or all of them; returns their number. */
export function prepareBriefs(context: BriefContext, which: 'due' | 'all' = 'all'): number {
  const { ledger } = context
  const due = which === 'due' ? projectsWithStaleBrief(ledger) : allProjects(ledger)
  if (due.length === 0) return 0
  const projects = existsSync(ledger.layout.briefs) ? due : allProjects(ledger)
  for (const project of projects) {
    prepareBrief(context, project)
    markBriefWritten(ledger, project.id)
  }
  removeStaleBriefs(context)
  return projects.length
}

function prepareBrief(context: BriefContext, project: ProjectRow): void {
  const { briefs } = context.ledger.layout
  const name = projectFolder(project.key)
  const brief = composeBrief(context, project.key)
  saveBriefContents(context.ledger, project.id, context.clock.nowMs(), brief?.memories ?? [])
  for (const { id, reason } of brief?.held ?? [])
    logWorkOnce(context.ledger, {
      atMs: context.clock.nowMs(),
      session: '',
      what: 'held back',
      detail: `${id}: ${reason}`,
    })
  if (!brief) {
    for (const extension of ['md', 'json', 'sh']) rmSync(join(briefs, `${name}.${extension}`), { force: true })
    return
  }
  writeBrief(briefs, name, brief)
  for (const place of pointersOf(context, project)) writePointer(join(briefs, place), name)
}

/** A project disappears when its sessions move to another one, once their remote is known. */
export function removeStaleBriefs({ ledger }: Pick<BriefContext, 'ledger'>): void {
  const { briefs } = ledger.layout
  if (!existsSync(briefs)) return
  const names = new Set(allProjects(ledger).map(({ key }) => projectFolder(key)))
  for (const entry of readdirSync(briefs, { withFileTypes: true })) {
    const isOther = entry.isFile() && !names.has(entry.name.replace(/\.(?:md|json|sh|fixes|files)$/, ''))
    if (isOther) rmSync(join(briefs, entry.name), { force: true })
  }
}

function writeBrief(briefs: string, name: string, { text }: Brief): void {
  mkdirSync(briefs, { recursive: true, mode: 0o700 })
  writeAtomically(join(briefs, `${name}.md`), text)
  writeAtomically(join(briefs, `${name}.json`), JSON.stringify(text))
  writeAtomically(join(briefs, `${name}.sh`), briefScript(text)) // last, because it must not be the older one
}

function pointersOf({ ledger }: BriefContext, project: ProjectRow): Set<string> {
  const places = new Set<string>()
  if (project.kind === 'remote' && project.key.includes('/')) places.add(remotePointer(project.key))
  // A bare repository, which no session runs in; new clones name it as their origin.
  if (project.kind === 'repository') places.add(folderPointer(project.key))
  for (const folder of foldersOfProject(ledger, project.id)) {
    places.add(folderPointer(folder))
    // Around a deleted folder there may be another repository by now.
    const repository = existsSync(folder) ? findRepository(folder) : undefined
    if (!repository) continue
    places.add(folderPointer(repository.folder)).add(folderPointer(repository.root))
    // The user may have given the project an alias; a new clone is found by its remote.
    const remote = normaliseRemote(remoteOf(repository.gitFolder) ?? '')
    if (remote) places.add(remotePointer(remote))
  }
  return places
}

/** Ignores folders whose path cannot be mirrored (too long, or named like a pointer). */
function writePointer(folder: string, name: string): void {
  const path = join(folder, pointerName)
  try {
    if (existsSync(path) && readFileSync(path, 'utf8') === `${name}\n`) return
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeAtomically(path, `${name}\n`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!code || !ignoredErrors.has(code)) throw error
  }
}

const ignoredErrors = new Set(['ENAMETOOLONG', 'ENOTDIR', 'EISDIR', 'EEXIST', 'EINVAL', 'ERR_INVALID_ARG_VALUE'])
