// Plans our block at the end of a TOML file. The result is parsed before it is written: appending
// is valid only if the tables above allow it.
import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { UserError } from '../../core/errors.ts'
import type { Json } from '../../core/session.ts'
import type { IsOwnedItem } from './owned-entries.ts'
import { applyTextEdits, type TextEdit } from './text-edits.ts'

/** `earlier`: the blocks of an earlier install. */
export function planToml(text: string, path: string, wanted: string, earlier: OwnedToml): TextEdit[] {
  const ours = withRecordedTexts({ ...earlier, texts: [...earlier.texts, wanted] })
  const value = parseToml(text, path)
  const want = parseToml(wanted, path)
  if (isInstalled(value, want, ours.isOurs)) return []
  for (const splices of [replaceEarlierText(text, wanted, earlier), replaceBlocks(text, wanted, ours)]) {
    const after = tryToml(applyTextEdits(text, splices))
    if (after && isInstalled(after, want, ours.isOurs) && isOtherwiseEqual(value, after, ours.isOurs)) return splices
  }
  throw conflict(text, path, Object.keys(want))
}

/** Removes our blocks, even if they were edited. */
export function removeOwnedToml(text: string, path: string, known: OwnedToml): string {
  const ours = withRecordedTexts(known)
  if (!containsOwned(parseToml(text, path), ours.isOurs)) return text
  const after = applyTextEdits(
    text,
    blocksOf(text, ours).map(({ start, end }) => cutLines(text, start, end)),
  )
  if (isCleanRemoval(text, after, path, ours)) return after
  throw new UserError(
    `${path}: our hooks cannot be removed without changing other settings`,
    'The file was not changed. Remove them by hand, then run the command again.',
  )
}

/** Whether `after` differs from `before` only by our items. */
export function isCleanRemoval(before: string, after: string, path: string, known: OwnedToml): boolean {
  const { isOurs } = withRecordedTexts(known)
  const value = tryToml(after)
  return (
    value !== undefined && !containsOwned(value, isOurs) && isOtherwiseEqual(parseToml(before, path), value, isOurs)
  )
}

/**
 * Also recognises recorded texts: an older version may have written a form that `isOurs` does not
 * know.
 */
function withRecordedTexts({ isOurs, texts }: OwnedToml): OwnedToml {
  const values = texts.map(tryToml)
  return { texts, isOurs: (item) => isOurs(item) || values.some((value) => value && containsItem(value, item)) }
}

/** Whether all our items are there, and none in another form. */
function isInstalled(value: TomlValue, want: TomlValue, isOurs: IsOwnedItem): boolean {
  return containsValue(value, want) && !containsOwned(value, (item) => isOurs(item) && !containsItem(want, item))
}

function containsItem(want: TomlValue, item: unknown): boolean {
  return containsOwned(want, (other) => isDeepStrictEqual(other, item))
}

function isOtherwiseEqual(before: TomlValue, after: TomlValue, isOurs: IsOwnedItem): boolean {
  return isDeepStrictEqual(withoutOwned(before, isOurs), withoutOwned(after, isOurs))
}

/** Replaces the exact text of an earlier install. */
function replaceEarlierText(text: string, wanted: string, { texts }: OwnedToml): TextEdit[] {
  const added = withLineEndingsOf(text, wanted)
  for (const old of texts.map((other) => withLineEndingsOf(text, other))) {
    const at = text.indexOf(old)
    if (old !== '' && at >= 0) return [{ at, removed: old, added }]
  }
  return []
}

/** Replaces the first of our blocks, whatever its form, and removes the others. */
function replaceBlocks(text: string, wanted: string, ours: OwnedToml): TextEdit[] {
  const [first, ...rest] = blocksOf(text, ours)
  if (!first) return [append(text, wanted)]
  const removed = text.slice(first.start, first.end)
  return [
    { at: first.start, removed, added: withLineEndingsOf(text, wanted.trimEnd()) },
    ...rest.map(({ start, end }) => cutLines(text, start, end)),
  ]
}

export function append(text: string, wanted: string): TextEdit {
  const eol = lineEnd(text)
  const isEmpty = /^\uFEFF?$/.test(text)
  const gap = isEmpty || /\n[ \t]*\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol
  return { at: text.length, removed: '', added: gap + withLineEndingsOf(text, wanted) }
}

/** Removes the line break after the block and the empty line before it. */
export function cutLines(text: string, start: number, end: number): TextEdit {
  const gap = /(?:^|\n)([ \t]*\r?\n)$/.exec(text.slice(0, start))?.[1] ?? ''
  const at = start - gap.length
  const ending = at === 0 ? /^(?:[ \t]*\r?\n)*/ : /^[ \t]*(?:\r?\n|$)/
  const tail = ending.exec(text.slice(end))?.[0] ?? ''
  return { at, removed: text.slice(at, end + tail.length), added: '' }
}

export function withLineEndingsOf(text: string, ours: string): string {
  return ours.replaceAll(/\r?\n/g, lineEnd(text))
}

function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

function conflict(text: string, path: string, keys: string[]): UserError {
  const lines = text.split('\n')
  const line = lines.findIndex((candidate) => keys.includes(/^\s*\[?\s*"?([\w-]+)/.exec(candidate)?.[1] ?? '')) + 1
  return new UserError(
    `${path}${line > 0 ? `:${line}` : ''}: ${keys.join(', ')} is written in a form that cannot be extended`,
    `The file was not changed. Write it as ${keys.map((key) => `[[${key}]]`).join(', ')}, then run the command again.`,
  )
}

interface OwnedToml {
  isOurs: IsOwnedItem
  /** Text of our blocks as written now or earlier. */
  texts: readonly string[]
}

/** From the first line to the end of the last, without its line break. */
interface TomlBlock {
  start: number
  end: number
}

function blocksOf(text: string, ours: OwnedToml): TomlBlock[] {
  const headers = headersOf(text)
  const blocks: TomlBlock[] = []
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

interface TomlHeader {
  start: number
  keys: string[]
  isList: boolean
}

/**
 * A line in brackets is a header unless it is inside of a value: then the text before it does not
 * parse.
 */
export function headersOf(text: string): TomlHeader[] {
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

export function isBelow(header: TomlHeader, above: TomlHeader): boolean {
  return header.keys.length > above.keys.length && above.keys.every((key, index) => header.keys[index] === key)
}

function isOurBlock(block: string, { keys }: TomlHeader, { isOurs }: OwnedToml): boolean {
  let value: unknown = tryToml(block)
  for (const key of keys) {
    const table = (Array.isArray(value) ? value[0] : value) as Record<string, unknown> | undefined
    value = table?.[key]
  }
  return Array.isArray(value) && isOurs(value[0] as Json)
}

function withOurComments(text: string, start: number, { texts }: OwnedToml): number {
  const comments = new Set(texts.flatMap((ours) => ours.split(/\r?\n/).filter((line) => line.startsWith('#'))))
  let from = start
  for (;;) {
    const line = /(?:^|\n)([^\n]*)\n$/.exec(text.slice(0, from))?.[1]
    if (line === undefined || !comments.has(line.trimEnd())) return from
    from -= line.length + 1
  }
}

/** Empty lines and comments at the end belong to the next block. */
export function withoutLastLines(block: string): string {
  const lines = block.split('\n')
  while (/^\s*(?:#.*)?$/.test(lines.at(-1)!)) lines.pop()
  return lines.join('\n').replace(/\r$/, '')
}

/** May contain dates and bigints, which are only compared. */
export type TomlValue = Record<string, unknown>

export function parseToml(text: string, path: string): TomlValue {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new UserError(
      `${path}:${error.line}:${error.column} is not valid TOML: ${error.message.split('\n')[0]}`,
      'The file was not changed. Correct that line, then run the command again.',
    )
  }
}

export function tryToml(text: string): TomlValue | undefined {
  try {
    return parseToml(text, '')
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Whether `whole` contains `part`: items of lists at any index, everything else at its key. */
export function containsValue(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole) && Array.isArray(part)) {
    return part.every((item) => whole.some((other) => isDeepStrictEqual(other, item)))
  }
  if (isTable(whole) && isTable(part))
    return Object.entries(part).every(([key, value]) => containsValue(whole[key], value))
  return isDeepStrictEqual(whole, part)
}

function containsOwned(value: unknown, isOurs: IsOwnedItem): boolean {
  if (Array.isArray(value)) return value.some((item) => isOurTable(item, isOurs) || containsOwned(item, isOurs))
  return isTable(value) && Object.values(value).some((inner) => containsOwned(inner, isOurs))
}

/** Drops empty lists and tables, too: they may have been created for our items. */
function withoutOwned(value: unknown, isOurs: IsOwnedItem): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isOurTable(item, isOurs)).map((item) => withoutOwned(item, isOurs))
  }
  if (!isTable(value)) return value
  const kept = Object.entries(value).map(([key, inner]) => [key, withoutOwned(inner, isOurs)] as const)
  return Object.fromEntries(kept.filter(([, inner]) => !isEmpty(inner)))
}

/** A string in a list is an argument of a user's command. */
function isOurTable(item: unknown, isOurs: IsOwnedItem): boolean {
  return isTable(item) && isOurs(item as Json)
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isTable(value) && Object.keys(value).length === 0
}

export function isTable(value: unknown): value is TomlValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
