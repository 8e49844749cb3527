// Whether a path leads into a folder, after every link on its way was followed. When in doubt it does not.
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** `path` as a tool was given it; relative ones begin at `from`, and without one they lead nowhere. */
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

/** Tools trim a path, normalise it and expand a tilde before they use it; then it is not the one that was looked at. */
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

/** What is not there yet lies where its folder lies; a link that leads nowhere has no place. */
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
