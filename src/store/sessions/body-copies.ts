// Reads the lines of transcripts that a body keeps, and joins them when a body is packed again.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { decompress } from '../../core/zstd.ts'
import { type BodyCopy, type BodyPart, bodyParts, decodeCopy, packCopy, readPart } from './body-frames.ts'
import { type CopyHead, moveReferences } from './copy-text.ts'

export interface KeptLines extends CopyHead {
  /** References count events from here. */
  base: number
  text: string
}

/** All lines that a body keeps, in the order in which they were written. Damage throws, or is skipped. */
export function* readCopies(
  folder: string,
  file: string,
  bytes: number,
  { isTolerant = false } = {},
): Generator<KeptLines> {
  const handle = openSync(join(folder, file), 'r')
  try {
    for (const part of bodyParts(handle, bytes)) {
      if (part.kind !== 'copy') continue
      const content = readPart(handle, part)
      const lines = isTolerant ? linesOrNone(content) : linesOf(decodeCopy(content ?? cutOff(part)))
      if (lines) yield lines
    }
  } finally {
    closeSync(handle)
  }
}

function cutOff({ at }: BodyPart): never {
  throw new Error(`the body ends within the lines at byte ${at}`)
}

function linesOrNone(content: Buffer | undefined): KeptLines | undefined {
  try {
    return content && linesOf(decodeCopy(content))
  } catch {
    return undefined
  }
}

export function linesOf(copy: BodyCopy): KeptLines {
  const source = decompress(copy.data)
  return { ...headOf(source), base: copy.base, text: source.toString('utf8', source.indexOf(10) + 1) }
}

/** Whether it holds the beginning of a transcript. */
export function isFirst(copy: BodyCopy): boolean {
  return headOf(decompress(copy.data)).from === 0
}

/** The first line; the kept lines follow. */
function headOf(source: Buffer): CopyHead {
  return JSON.parse(source.toString('utf8', 0, source.indexOf(10))) as CopyHead
}

export function encodeLines({ path, from, to }: CopyHead, text: Iterable<string>, base = 0): BodyCopy {
  return { base, ...packCopy([`${JSON.stringify({ path, from, to })}\n`, ...text]) }
}

/** Characters of lines in a frame; larger frames hardly compress better. */
export const copyFrameSize = 4 << 20

export interface MergeOptions {
  /** Keep what can be read of a damaged body; otherwise damage throws. */
  isTolerant?: boolean
  /** The lines with changes; their references count events from 0. */
  isWithoutCopies?: boolean
  changeCopy?(lines: Pick<KeptLines, 'text' | 'base'>): string
}

/**
 * The lines of a body in as few frames as possible, a frame at a time. A transcript that was read again
 * from its start replaces what was kept of it before.
 */
export function* mergedCopies(
  folder: string,
  { file, bytes, copyBytes }: { file: string; bytes: number; copyBytes: number },
  { isTolerant = false, isWithoutCopies, changeCopy }: MergeOptions,
): Generator<BodyCopy[]> {
  if (copyBytes === 0 || isWithoutCopies) return
  const starts = lastStarts(readCopies(folder, file, bytes, { isTolerant }))
  const open = new Map<string, OpenFrame>()
  const close = (path: string) => {
    const { head, text } = open.get(path)!
    open.delete(path)
    return [encodeLines(head, [text])]
  }
  let index = 0
  for (const { base, text, ...head } of readCopies(folder, file, bytes, { isTolerant })) {
    const { path, from, to } = head
    if (index++ < (starts.get(path) ?? 0)) continue
    const before = open.get(path)
    if (before && (before.head.to !== from || before.text.length >= copyFrameSize)) yield close(path)
    if (!open.has(path) && open.size >= maxOpen) yield close(open.keys().next().value!)
    const frame = open.get(path) ?? { head: { path, from, to: from }, text: '', last: 0 }
    const changed = changeCopy ? { text: changeCopy({ text, base }), base: 0 } : { text, base }
    const moved = moveReferences(changed.text, { from: changed.base, to: frame.last }, (event) => event)
    open.set(path, { head: { path, from: frame.head.from, to }, text: frame.text + moved.text, last: moved.last })
  }
  for (const path of [...open.keys()]) yield close(path)
}

/** Lines that more may follow. A session may be in several transcripts that grow in turn. */
interface OpenFrame {
  head: CopyHead
  text: string
  last: number
}

const maxOpen = 8

/** By path: the place of the first of the lines that were read last from the start. */
function lastStarts(copies: Iterable<KeptLines>): Map<string, number> {
  const starts = new Map<string, number>()
  let index = 0
  for (const { path, from } of copies) {
    if (from === 0) starts.set(path, index)
    index++
  }
  return starts
}
