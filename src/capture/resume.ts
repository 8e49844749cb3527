// Where to go on in a log that has changed. Agents truncate, rewrite and rotate their files, so what was read before is
// recognised by its bytes, not by its name.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Json } from '../core/session.ts'
import type { Cursor } from '../store/cursors.ts'

export interface ResumePoint {
  from: number
  state: Json | undefined
}

const fromTheStart: ResumePoint = { from: 0, state: undefined }

export function resumePoint(cursor: Cursor | undefined, path: string, size: number): ResumePoint {
  if (!cursor || cursor.offset === 0 || size < cursor.offset) return fromTheStart
  const { head, tail } = witnesses(path, cursor.offset)
  if (!cursor.head?.equals(head) || !cursor.tail?.equals(tail)) return fromTheStart
  return { from: cursor.offset, state: cursor.state }
}

const witnessed = 1024

/** Hashes of the first bytes and of the last ones before the offset: if both are as they were, the file only grew. */
export function witnesses(path: string, offset: number): { head: Buffer; tail: Buffer } {
  const file = openSync(path, 'r')
  try {
    const length = Math.min(witnessed, offset)
    return { head: hashOf(file, 0, length), tail: hashOf(file, offset - length, length) }
  } finally {
    closeSync(file)
  }
}

function hashOf(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, from)
  return createHash('sha1').update(bytes).digest().subarray(0, 12)
}

/** Tells a file from another one that took its name, and from itself with another beginning. */
export function identityOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { dev, ino, size } = fstatSync(file)
    return `${dev}:${ino}:${hashOf(file, 0, Math.min(64, size)).toString('hex')}`
  } finally {
    closeSync(file)
  }
}
