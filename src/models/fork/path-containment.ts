// Whether a path is inside of a folder after all links are resolved. In doubt it is not.
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/**
 * `path` as a tool got it. Relative paths are resolved against `from`; without it they are
 * rejected.
 */
export function isInsideFolders(path: unknown, folders: readonly string[], from?: string): path is string {
  if (typeof path !== 'string' || !isPlain(path)) return false
  if (from === undefined && !isAbsolute(path)) return false
  const place = realPlace(resolve(from ?? sep, path))
  if (place === undefined) return false
  return folders.some((folder) => {
    const real = realPlace(folder)
    return real !== undefined && holds(real, place)
  })
}

/** Tools trim, normalise and expand paths before they use them: reject paths that would change. */
function isPlain(path: string): boolean {
  if (path === '' || path !== path.trim() || path !== path.normalize('NFC')) return false
  if (path.startsWith('~') || /^[\\/]{2}/.test(path)) return false
  if (/[\x00-\x1f\x7f]/.test(path)) return false
  return !path.split(/[\\/]/).includes('..')
}

function holds(folder: string, place: string): boolean {
  const way = relative(folder, place)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** A missing file is located by its folder; a dangling link has no location. */
function realPlace(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isMissing || isLink(path) || dirname(path) === path) return undefined
    const folder = realPlace(dirname(path))
    return folder === undefined ? undefined : join(folder, basename(path))
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
