// Parses and resolves wikilinks: `[[target]]`, `[[target|shown]]`, `[[target#heading|shown]]`.
// Targets are paths below the vault without `.md`; the prefix `wiki/` is optional.

import { closedFences } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'

interface Wikilink {
  /** As written, without heading and extension. */
  target: string
  shown: string | null
  /** Line of the text, from 1. */
  line: number
  /** Offsets in the text. */
  from: number
  to: number
}

/** Finds links outside of code that are not escaped. */
export function wikilinksIn(text: string): Wikilink[] {
  const lines = text.split('\n')
  const isCode = closedFences(lines)
  const links: Wikilink[] = []
  let offset = 0
  for (const [at, line] of lines.entries()) {
    if (!isCode[at]) links.push(...linksInLine(line, at + 1, offset))
    offset += line.length + 1
  }
  return links
}

const pattern = /(\\?)\[\[([^[\]\n]+?)\]\]/g

function linksInLine(line: string, number: number, offset: number): Wikilink[] {
  if (!line.includes('[[')) return []
  const code = [...line.matchAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g)].map((match) => [
    match.index,
    match.index + match[0].length,
  ])
  return [...line.matchAll(pattern)].flatMap((match) => {
    const isInCode = code.some(([from, to]) => match.index >= from! && match.index < to!)
    if (isInCode || match[1] === '\\') return []
    // In a table the bar is escaped.
    const [place = '', ...shown] = match[2]!.split(/\\?\|/)
    return {
      target: place.split('#')[0]!.trim().replace(/\.md$/i, ''),
      shown: shown.length > 0 ? shown.join('|').trim() : null,
      line: number,
      from: offset + match.index,
      to: offset + match.index + match[0].length,
    }
  })
}

/** Renders a link; removes characters from `shown` that would end it. */
export function wikilink(path: string, shown?: string): string {
  const text = shown === undefined ? '' : oneLine(shown.replace(/[[\]|]/g, ' '))
  return text === '' ? `[[${path}]]` : `[[${path}|${text}]]`
}

/** Normalises a target; undefined if it leads out of the vault or is not a valid path. */
export function safePath(target: string): string | undefined {
  const path = target.normalize('NFC')
  if (path === '' || /[\0-\x1f\\<>:"|?*]/.test(path) || path.startsWith('/')) return undefined
  const parts = path.split('/')
  return parts.some((part) => part.trim() === '' || part.startsWith('.') || part !== part.trim()) ? undefined : path
}

/** Files of the vault by the names that links may use. */
export interface LinkTargets {
  paths: ReadonlyMap<string, string>
}

/** `paths` are below the vault, without extension. */
export function linkTargets(paths: Iterable<string>): LinkTargets {
  const known = new Map<string, string>()
  const short = new Map<string, string>()
  for (const path of paths) {
    known.set(keyOf(path), path)
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (!short.has(keyOf(name))) short.set(keyOf(name), path)
    if (path.startsWith('wiki/')) short.set(keyOf(path.slice('wiki/'.length)), path)
  }
  return { paths: new Map([...short, ...known]) }
}

/** Resolves a link by path or, as in Obsidian, by file name; undefined if there is no such file. */
export function resolveLink(target: string, { paths }: LinkTargets): string | undefined {
  const safe = safePath(target)
  return safe === undefined ? undefined : paths.get(keyOf(safe))
}

function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
