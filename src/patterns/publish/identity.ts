import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { linkTarget } from '../../core/files.ts'

/** Where a file really lies, or would: links are followed, its own and those of the folders around it. */
export function fileIdentity(path: string): string {
  return folded(resolve(linkTarget(path)))
}

function folded(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(folded(folder), basename(path))
  }
}
