// Finds where to resume a log that has changed. Agents truncate, rewrite and rotate their files, so
// the part that was read is recognised by its bytes (the first ones, and the last ones before the
// offset), not by its name.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import type { Json } from '../../core/session.ts'
import type { Cursor } from '../../store/sessions/transcripts.ts'

export interface ResumePoint {
  from: number
  state: Json | undefined
  witness: ByteWitness
}

/**
 * Hashes the identifying bytes as they are read, because the file may have been replaced by the end
 * of the read.
 */
export interface ByteWitness {
  /** Adds the next line; `isWhole` adds its line break. */
  take(bytes: Buffer, isWhole: boolean): void
  hashes(): { head: Buffer; tail: Buffer }
}

const witnessLength = 1024

/** The first `rewrittenBytes` may change in place, so they are no part of what is recognised. */
export function resumePoint(cursor: Cursor | undefined, path: string, size: number, rewrittenBytes = 0): ResumePoint {
  const nothing = Buffer.alloc(0)
  const fromTheStart = { from: 0, state: undefined, witness: createWitness(nothing, nothing, rewrittenBytes) }
  if (!cursor || cursor.offset <= rewrittenBytes || size < cursor.offset) return fromTheStart
  const { head, tail } = readEnds(path, rewrittenBytes, cursor.offset)
  if (!isHashOf(cursor.head, head) || !isHashOf(cursor.tail, tail)) return fromTheStart
  return { from: cursor.offset, state: cursor.state, witness: createWitness(head, tail, 0) }
}

function readEnds(path: string, start: number, offset: number): { head: Buffer; tail: Buffer } {
  const file = openSync(path, 'r')
  try {
    const length = Math.min(witnessLength, offset - start)
    const head = Buffer.alloc(length)
    const tail = Buffer.alloc(length)
    readSync(file, head, 0, length, start)
    readSync(file, tail, 0, length, offset - length)
    return { head, tail }
  } finally {
    closeSync(file)
  }
}

function createWitness(head: Buffer, tail: Buffer, skippedBytes: number): ByteWitness {
  let first = head
  let skipped = skippedBytes
  const last = Buffer.alloc(2 * witnessLength)
  let length = tail.copy(last)
  const newline = Buffer.from('\n')
  const add = (taken: Buffer) => {
    const bytes = taken.subarray(skipped)
    skipped -= taken.length - bytes.length
    if (first.length < witnessLength) first = Buffer.concat([first, bytes.subarray(0, witnessLength - first.length)])
    const end = bytes.subarray(-witnessLength)
    if (length + end.length > last.length) {
      last.copyWithin(0, length - witnessLength, length)
      length = witnessLength
    }
    length += end.copy(last, length)
  }
  return {
    take(bytes, isWhole) {
      add(bytes)
      if (isWhole) add(newline)
    },
    hashes: () => ({ head: hashOf(first), tail: hashOf(last.subarray(Math.max(0, length - witnessLength), length)) }),
  }
}

/** A cursor that was sent to the reading thread holds plain byte arrays. */
function isHashOf(hash: Uint8Array | null, bytes: Buffer): boolean {
  return hash !== null && hashOf(bytes).equals(hash)
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest().subarray(0, 12)
}
