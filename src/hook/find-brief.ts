// Finds the prepared brief of a folder, as the JSON string that a start hook prints: the folder's
// own, else that of the repository around it, of its main worktree, or of its remote, which may be a
// folder.
import { join } from 'node:path'
import { folderPointer, remotePointer } from '../brief/brief-files.ts'
import { readTextOrEmpty } from '../core/files.ts'
import { findRepository, localRemote, normaliseRemote, remoteOf } from '../core/project/project.ts'

export function findBrief(root: string, cwd: string): string | undefined {
  const repository = findRepository(cwd)
  const origin = (repository && remoteOf(repository.gitFolder)) ?? ''
  const remote = normaliseRemote(origin)
  const local = localRemote(origin)
  const places = [
    folderPointer(cwd),
    ...(repository ? [folderPointer(repository.folder), folderPointer(repository.root)] : []),
    ...(remote ? [remotePointer(remote)] : []),
    ...(local ? [folderPointer(local)] : []),
  ]
  for (const place of places) {
    const name = readTextOrEmpty(join(root, 'briefs', place, '.brief')).trim()
    const text = name ? readTextOrEmpty(join(root, 'briefs', `${name}.json`)) : ''
    if (text) return text
  }
  return undefined
}
