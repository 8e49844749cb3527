// Where to go on in a log that has changed. Agents truncate, rewrite and rotate their files, so what was read before is
// recognised by its bytes, not by its name: by the first ones, and by the last ones before the offset.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import type { Json } from '../core/session.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'

export interface ResumePoint {
  from: number
  state: Json | undefined
  witness: Witness
}

/** The bytes by which a file is known again, as they were read: the file may be another one by the time we are done. */
export interface Witness {
  /** Takes what was read next. */
  take(bytes: Buffer, isWhole: boolean): void
  hashes(): { head: Buffer; tail: Buffer }
}

const witnessed = 1024

export function resumePoint(cursor: Cursor | undefined, path: string, size: number): ResumePoint {
  const fromTheStart = { from: 0, state: undefined, witness: newWitness(Buffer.alloc(0), Buffer.alloc(0)) }
  if (!cursor || cursor.offset === 0 || size < cursor.offset) return fromTheStart
  const { head, tail } = readEnds(path, cursor.offset)
  if (!isHashOf(cursor.head, head) || !isHashOf(cursor.tail, tail)) return fromTheStart
  return { from: cursor.offset, state: cursor.state, witness: newWitness(head, tail) }
}

function readEnds(path: string, offset: number): { head: Buffer; tail: Buffer } {
  const file = openSync(path, 'r')
  try {
    const length = Math.min(witnessed, offset)
    const head = Buffer.alloc(length)
    const tail = Buffer.alloc(length)
    readSync(file, head, 0, length, 0)
    readSync(file, tail, 0, length, offset - length)
    return { head, tail }
  } finally {
    closeSync(file)
  }
}

function newWitness(head: Buffer, tail: Buffer): Witness {
  let first = head
  const last = Buffer.alloc(2 * witnessed)
  let length = tail.copy(last)
  const newline = Buffer.from('\n')
  const add = (bytes: Buffer) => {
    if (first.length < witnessed) first = Buffer.concat([first, bytes.subarray(0, witnessed - first.length)])
    const end = bytes.subarray(-witnessed)
    if (length + end.length > last.length) {
      last.copyWithin(0, length - witnessed, length)
      length = witnessed
    }
    length += end.copy(last, length)
  }
  return {
    take(bytes, isWhole) {
      add(bytes)
      if (isWhole) add(newline)
    },
    hashes: () => ({ head: hashOf(first), tail: hashOf(last.subarray(Math.max(0, length - witnessed), length)) }),
  }
}

/** A cursor that was handed to the reading thread has plain arrays of bytes. */
function isHashOf(hash: Uint8Array | null, bytes: Buffer): boolean {
  return hash !== null && hashOf(bytes).equals(hash)
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest().subarray(0, 12)
}
