import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { temporaryPath } from './leftovers.ts'

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
    if (modified) utimesSync(unfinished, modified, modified)
    linkAcross(unfinished, path)
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

/** A link fails if the file exists, which a rename does not. Another file system needs a copy beside the target. */
function linkAcross(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const beside = temporaryPath(to)
    try {
      copyFileSync(from, beside)
      linkSync(beside, to)
    } finally {
      rmSync(beside, { force: true })
    }
  }
}
