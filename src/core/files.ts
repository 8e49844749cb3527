import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Replaces a file as a whole: after a crash the old content or the new one is there, never a part. A link stays a link, and
 * a file keeps its mode and owner; `mode` is for a new one.
 */
export function writeAtomically(path: string, content: string | Buffer, mode = 0o600): void {
  const target = linkTarget(path)
  const old = statSync(target, { throwIfNoEntry: false })
  const temporary = `${target}.${process.pid}.tmp`
  try {
    const file = openSync(temporary, 'w', 0o600)
    try {
      writeFileSync(file, content)
      // Under sudo the user's own file would become root's, and their agent could not write it any more.
      if (old && process.getuid?.() === 0) fchownSync(file, old.uid, old.gid)
      fchmodSync(file, old ? old.mode & 0o7777 : mode)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Where a link leads in the end, whether or not there is anything; any other path is its own target. */
export function linkTarget(path: string): string {
  let target = path
  // As many links as Linux follows.
  for (let followed = 0; followed < 40; followed++) {
    const next = readLink(target)
    if (next === undefined) return target
    target = resolve(dirname(target), next)
  }
  throw new Error(`${path} is a link that leads back to itself`)
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR' || code === 'UNKNOWN') return undefined
    throw error
  }
}

/** What a file says; nothing where it cannot be read. */
export function readTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
