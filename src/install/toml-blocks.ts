// Our `[[...]]` blocks in a TOML file, found by what is in them and not by where they were written.
import type { Json } from '../core/session.ts'
import type { IsOurs } from './ours.ts'
import { tryToml } from './toml-value.ts'

export interface TomlOurs {
  isOurs: IsOurs
  /** Our blocks as they were, or will be, written. */
  texts: readonly string[]
}

/** From the first line to the end of the last, without the line break. */
export interface Block {
  start: number
  end: number
}

export function blocksOf(text: string, ours: TomlOurs): Block[] {
  const headers = headersOf(text)
  const blocks: Block[] = []
  for (let index = 0; index < headers.length; index++) {
    const header = headers[index]!
    const after = headers.findIndex((other, place) => place > index && !isBelow(other, header))
    const end = headers[after]?.start ?? text.length
    if (!header.isList || !isOurBlock(text.slice(header.start, end), header, ours)) continue
    const start = withOurComments(text, header.start, ours)
    blocks.push({ start, end: header.start + withoutLastLines(text.slice(header.start, end)).length })
    index = (after < 0 ? headers.length : after) - 1
  }
  return blocks
}

interface Header {
  start: number
  keys: string[]
  isList: boolean
}

/** A line in brackets is a header unless it is in the middle of a value: then what stands before it does not parse. */
function headersOf(text: string): Header[] {
  return [...text.matchAll(/^\uFEFF?[ \t]*\[.*\][ \t]*(?:#.*)?\r?$/gm)].flatMap((match) => {
    const named = tryToml(match[0].trimEnd())
    if (!named || !tryToml(text.slice(0, match.index))) return []
    const start = match.index + (match[0].startsWith('\uFEFF') ? 1 : 0)
    return { start, keys: keysOf(named), isList: /^\uFEFF?[ \t]*\[\[/.test(match[0]) }
  })
}

function keysOf(value: unknown): string[] {
  const [entry] = Object.entries(Array.isArray(value) ? (value[0] as object) : (value as object))
  return entry ? [entry[0], ...keysOf(entry[1])] : []
}

function isBelow(header: Header, above: Header): boolean {
  return header.keys.length > above.keys.length && above.keys.every((key, index) => header.keys[index] === key)
}

function isOurBlock(block: string, { keys }: Header, { isOurs }: TomlOurs): boolean {
  let value: unknown = tryToml(block)
  for (const key of keys) {
    const table = (Array.isArray(value) ? value[0] : value) as Record<string, unknown> | undefined
    value = table?.[key]
  }
  return Array.isArray(value) && isOurs(value[0] as Json)
}

function withOurComments(text: string, start: number, { texts }: TomlOurs): number {
  const comments = new Set(texts.flatMap((ours) => ours.split(/\r?\n/).filter((line) => line.startsWith('#'))))
  let from = start
  for (;;) {
    const line = /(?:^|\n)([^\n]*)\n$/.exec(text.slice(0, from))?.[1]
    if (line === undefined || !comments.has(line.trimEnd())) return from
    from -= line.length + 1
  }
}

/** Empty lines and comments at the end belong to what comes next. */
function withoutLastLines(block: string): string {
  const lines = block.split('\n')
  while (/^\s*(?:#.*)?$/.test(lines.at(-1)!)) lines.pop()
  return lines.join('\n').replace(/\r$/, '')
}
