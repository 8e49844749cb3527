// Our block at the end of a TOML file. Whatever is planned is parsed before it is written: appending to TOML is only right
// when the tables above allow it.
import { isDeepStrictEqual } from 'node:util'
import { UserError } from '../core/errors.ts'
import type { IsOurs } from './ours.ts'
import { applySplices, type Splice } from './splices.ts'
import { blocksOf, type TomlOurs } from './toml-blocks.ts'
import { holds, holdsOurs, parseToml, type TomlValue, tryToml, withoutOurs } from './toml-value.ts'

/** `earlier` is what an install before this one has left there. */
export function planToml(text: string, path: string, wanted: string, earlier: TomlOurs): Splice[] {
  const ours = knowing({ ...earlier, texts: [...earlier.texts, wanted] })
  const value = parseToml(text, path)
  const want = parseToml(wanted, path)
  if (isInstalled(value, want, ours.isOurs)) return []
  for (const splices of [renewText(text, wanted, earlier), renewBlocks(text, wanted, ours)]) {
    const after = tryToml(applySplices(text, splices))
    if (after && isInstalled(after, want, ours.isOurs) && isSameOtherwise(value, after, ours.isOurs)) return splices
  }
  throw conflict(text, path, Object.keys(want))
}

/** The text without our blocks, whatever has become of them. */
export function removeToml(text: string, path: string, known: TomlOurs): string {
  const ours = knowing(known)
  if (!holdsOurs(parseToml(text, path), ours.isOurs)) return text
  const after = applySplices(
    text,
    blocksOf(text, ours).map(({ start, end }) => cutLines(text, start, end)),
  )
  if (isTakenOut(text, after, path, ours)) return after
  throw new UserError(
    `${path}: our hooks cannot be taken out without touching other things`,
    'Nothing was changed. Take them out by hand, then run the command again.',
  )
}

/** Whether `after` is `before` without our items, and nothing else is different. */
export function isTakenOut(before: string, after: string, path: string, known: TomlOurs): boolean {
  const { isOurs } = knowing(known)
  const value = tryToml(after)
  return value !== undefined && !holdsOurs(value, isOurs) && isSameOtherwise(parseToml(before, path), value, isOurs)
}

/** What we have written is ours, even if an older program wrote it in a form that is not recognised any more. */
function knowing({ isOurs, texts }: TomlOurs): TomlOurs {
  const values = texts.map(tryToml)
  return { texts, isOurs: (item) => isOurs(item) || values.some((value) => value && holdsItem(value, item)) }
}

/** All of ours is there, and nothing of ours in another form. */
function isInstalled(value: TomlValue, want: TomlValue, isOurs: IsOurs): boolean {
  return holds(value, want) && !holdsOurs(value, (item) => isOurs(item) && !holdsItem(want, item))
}

function holdsItem(want: TomlValue, item: unknown): boolean {
  return holdsOurs(want, (other) => isDeepStrictEqual(other, item))
}

function isSameOtherwise(before: TomlValue, after: TomlValue, isOurs: IsOurs): boolean {
  return isDeepStrictEqual(withoutOurs(before, isOurs), withoutOurs(after, isOurs))
}

/** The block as an earlier install has written it gives its place to the new one. */
function renewText(text: string, wanted: string, { texts }: TomlOurs): Splice[] {
  const added = inLinesOf(text, wanted)
  for (const old of texts.map((other) => inLinesOf(text, other))) {
    const at = text.indexOf(old)
    if (old !== '' && at >= 0) return [{ at, removed: old, added }]
  }
  return []
}

/** Blocks of ours in any other form go; the first of them gives its place to the new one. */
function renewBlocks(text: string, wanted: string, ours: TomlOurs): Splice[] {
  const [first, ...rest] = blocksOf(text, ours)
  if (!first) return [append(text, wanted)]
  const removed = text.slice(first.start, first.end)
  return [
    { at: first.start, removed, added: inLinesOf(text, wanted.trimEnd()) },
    ...rest.map(({ start, end }) => cutLines(text, start, end)),
  ]
}

function append(text: string, wanted: string): Splice {
  const eol = lineEnd(text)
  const isEmpty = /^\uFEFF?$/.test(text)
  const gap = isEmpty || /\n[ \t]*\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol
  return { at: text.length, removed: '', added: gap + inLinesOf(text, wanted) }
}

/** With the line break behind it and the empty line before it; no file begins with an empty line because of us. */
function cutLines(text: string, start: number, end: number): Splice {
  const gap = /(?:^|\n)([ \t]*\r?\n)$/.exec(text.slice(0, start))?.[1] ?? ''
  const at = start - gap.length
  const ending = at === 0 ? /^(?:[ \t]*\r?\n)*/ : /^[ \t]*(?:\r?\n|$)/
  const tail = ending.exec(text.slice(end))?.[0] ?? ''
  return { at, removed: text.slice(at, end + tail.length), added: '' }
}

function inLinesOf(text: string, ours: string): string {
  return ours.replaceAll(/\r?\n/g, lineEnd(text))
}

function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

function conflict(text: string, path: string, keys: string[]): UserError {
  const lines = text.split('\n')
  const line = lines.findIndex((candidate) => keys.includes(/^\s*\[?\s*"?([\w-]+)/.exec(candidate)?.[1] ?? '')) + 1
  return new UserError(
    `${path}${line > 0 ? `:${line}` : ''}: ${keys.join(', ')} is written there in a way that nothing can be added to it`,
    `Nothing was changed. Write it as ${keys.map((key) => `[[${key}]]`).join(', ')}, then run the command again.`,
  )
}
