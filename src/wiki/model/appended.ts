// What of a day a model has not read. Entries stand in the order of their start and change in place when their session goes on:
// only where the old content is still there to the byte is the rest all that is new.
import { createHash } from 'node:crypto'

/** What was read: its hash is taken of the very bytes that are asked about, before anybody is asked. */
export interface Asked {
  hash: string | null
  bytes: number
}

export function appendedPart(content: Buffer, asked: Asked): string {
  return content.subarray(isPrefix(content, asked) ? asked.bytes : 0).toString('utf8')
}

export function askedOf(content: Buffer): { hash: string; bytes: number } {
  return { hash: hashOf(content), bytes: content.length }
}

function isPrefix(content: Buffer, { hash, bytes }: Asked): boolean {
  return hash !== null && bytes <= content.length && hashOf(content.subarray(0, bytes)) === hash
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
