// Writes the briefs of the projects whose sessions have changed: the text for people, the same as a JSON string for the start
// hook, and for every folder and remote of the project the name of its brief.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../core/files.ts'
import { findRepository, normaliseRemote, remoteOf } from '../core/project.ts'
import { projectFolder } from '../core/vault.ts'
import { saveBriefContents } from '../store/memories/usage.ts'
import {
  allProjects,
  foldersOfProject,
  markBriefWritten,
  type ProjectRow,
  projectsWithStaleBrief,
} from '../store/sessions/projects.ts'
import { type Brief, type BriefContext, composeBrief } from './brief.ts'
import { placeOfFolder, placeOfRemote, pointerName } from './brief-files.ts'

/** Gives back the number of briefs that were written: of the projects that have changed since theirs was, or of all. */
export function prepareBriefs(context: BriefContext, which: 'due' | 'all' = 'all'): number {
  const { ledger } = context
  const due = which === 'due' ? projectsWithStaleBrief(ledger) : allProjects(ledger)
  if (due.length === 0) return 0
  const projects = existsSync(ledger.layout.briefs) ? due : allProjects(ledger)
  for (const project of projects) {
    prepare(context, project)
    markBriefWritten(ledger, project.id)
  }
  removeOthers(context)
  return projects.length
}

function prepare(context: BriefContext, project: ProjectRow): void {
  const { briefs } = context.ledger.layout
  const name = projectFolder(project.key)
  const brief = composeBrief(context, project.key)
  saveBriefContents(context.ledger, project.id, context.clock.nowMs(), brief?.memories ?? [])
  if (!brief) {
    for (const extension of ['md', 'json']) rmSync(join(briefs, `${name}.${extension}`), { force: true })
    return
  }
  write(briefs, name, brief)
  for (const place of placesOf(context, project)) point(join(briefs, place), name)
}

/** Sessions move to another project when their remote becomes known; the brief of the old one is nobody's then. */
function removeOthers({ ledger }: BriefContext): void {
  const { briefs } = ledger.layout
  if (!existsSync(briefs)) return
  const names = new Set(allProjects(ledger).map(({ key }) => projectFolder(key)))
  for (const entry of readdirSync(briefs, { withFileTypes: true })) {
    const isOther = entry.isFile() && !names.has(entry.name.replace(/\.(?:md|json)$/, ''))
    if (isOther) rmSync(join(briefs, entry.name), { force: true })
  }
}

function write(briefs: string, name: string, { text }: Brief): void {
  mkdirSync(briefs, { recursive: true, mode: 0o700 })
  writeAtomically(join(briefs, `${name}.md`), text)
  writeAtomically(join(briefs, `${name}.json`), JSON.stringify(text))
}

function placesOf({ ledger }: BriefContext, project: ProjectRow): Set<string> {
  const places = new Set<string>()
  if (project.kind === 'remote' && project.key.includes('/')) places.add(placeOfRemote(project.key))
  for (const folder of foldersOfProject(ledger, project.id)) {
    places.add(placeOfFolder(folder))
    // Of a folder that is gone, what lies around it now may be something else.
    const repository = existsSync(folder) ? findRepository(folder) : undefined
    if (!repository) continue
    places.add(placeOfFolder(repository.folder)).add(placeOfFolder(repository.root))
    // The project may have another name, given by the user; a new clone is looked up by its remote.
    const remote = normaliseRemote(remoteOf(repository.gitFolder) ?? '')
    if (remote) places.add(placeOfRemote(remote))
  }
  return places
}

/** A folder whose name cannot be mirrored (too long, or that of a pointer) is found through its repository, if at all. */
function point(folder: string, name: string): void {
  const path = join(folder, pointerName)
  try {
    if (existsSync(path) && readFileSync(path, 'utf8') === `${name}\n`) return
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeAtomically(path, `${name}\n`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!code || !unnameable.has(code)) throw error
  }
}

const unnameable = new Set(['ENAMETOOLONG', 'ENOTDIR', 'EISDIR', 'EEXIST', 'EINVAL', 'ERR_INVALID_ARG_VALUE'])
