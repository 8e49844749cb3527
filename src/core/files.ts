import {
  appendFileSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Clock, isoTime } from './clock.ts'
import { temporaryPath } from './leftovers.ts'

/**
 * Replaces a file atomically: after a crash it has the old or the new content. Links are followed,
 * and an existing file keeps its mode and owner; `mode` applies to a new one.
 */
export function writeAtomically(path: string, content: string | Buffer, mode = 0o600): void {
  const target = linkTarget(path)
  const old = statSync(target, { throwIfNoEntry: false })
  const temporary = temporaryPath(target)
  try {
    const file = openSync(temporary, 'w', 0o600)
    try {
      writeFileSync(file, content)
      // Under sudo the user's file would otherwise become root's, and the agent could not write it.
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

/** Resolves a chain of links, also to a missing target; any other path is returned unchanged. */
export function linkTarget(path: string): string {
  let target = path
  // The same limit as Linux.
  for (let followed = 0; followed < 40; followed++) {
    const next = readLink(target)
    if (next === undefined) return target
    target = resolve(dirname(target), next)
  }
  throw new Error(`${path} is a link to itself`)
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

/**
 * Opens a file for reading. Refuses pipes, sockets and devices, which another program may have put
 * in its place: reading one could block forever or never end.
 */
export function openRegularFile(path: string): number {
  // Without O_NONBLOCK the call would wait for a writer of a pipe. Windows has neither.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error('not a regular file')
}

/** Content of a file that another program wrote, as text. */
export function readForeignText(path: string): string {
  return readForeignBytes(path).toString('utf8')
}

export function readForeignBytes(path: string): Buffer {
  const file = openRegularFile(path)
  try {
    if (fstatSync(file).size > maxForeignBytes) throw new Error(`larger than ${maxForeignBytes >> 20} MiB`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** A file that is read as a whole is in memory several times while it is parsed. */
const maxForeignBytes = 256 << 20

/** Undefined also for a link to itself and in a folder without permission. */
export function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Content of a file; '' when it cannot be read. */
export function readTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const maxLogBytes = 1_000_000

/**
 * Appends a line to a log file that has one rotated predecessor. Never throws: a log that cannot be
 * written must not stop the program.
 */
export function appendLog(folder: string, name: string, clock: Clock, text: string): void {
  const path = join(folder, `${name}.log`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) renameSync(path, `${path}.1`)
    appendFileSync(path, `${isoTime(clock.nowMs())} ${text.replaceAll('\n', ' | ')}\n`, { mode: 0o600 })
  } catch {
    // nothing left to report to
  }
}

export interface NewFileOptions {
  /** Folder of our own for the unfinished file; a killed process leaves it there. */
  staging: string
  /** Time of the last change, if it is not now. */
  modified?: Date | undefined
}

/**
 * Writes a file that must not exist yet. Other programs see all of it or nothing, whenever the process
 * is killed. Throws with the code EEXIST if there is a file.
 */
export function writeNewFile(path: string, chunks: Iterable<Uint8Array>, { staging, modified }: NewFileOptions): void {
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = temporaryPath(join(staging, basename(path)))
  try {
    writeChunks(unfinished, chunks)
    linkAcross(unfinished, path, modified)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function writeChunks(path: string, chunks: Iterable<Uint8Array>): void {
  const file = openSync(path, 'w', 0o600)
  try {
    for (const chunk of chunks)
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done, chunk.length - done)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * A link fails if the file exists, which a rename does not. Another file system needs a copy beside the
 * target; one without links gets a rename after a look.
 */
function linkAcross(from: string, to: string, modified: Date | undefined): void {
  const beside = temporaryPath(to)
  try {
    if (modified) utimesSync(from, modified, modified)
    linkSync(from, to)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code !== 'EXDEV' && !hasNoLinks.has(code)) throw error
    try {
      copyFileSync(from, beside)
      if (modified) utimesSync(beside, modified, modified)
      linkOrRename(beside, to)
    } finally {
      rmSync(beside, { force: true })
    }
  }
}

/** Codes of file systems without hard links, such as FAT and some network shares. */
const hasNoLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!hasNoLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    if (existsSync(to)) throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' })
    renameSync(from, to)
  }
}
