// Wikilinks: `[[target]]`, `[[target|shown]]`, `[[target#heading|shown]]`. Targets are paths below the vault without `.md`; those
// below `wiki/` may leave that out.

import { closedFences } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'

export interface Wikilink {
  /** Without heading and ending, as it was written otherwise. */
  target: string
  shown: string | null
  /** Of the text, counted from 1. */
  line: number
  /** Where it stands in the text. */
  from: number
  to: number
}

/** Those that a reader would follow: not in code, not embedded, not escaped. */
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
    // In a table the bar has a backslash before it.
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

/** `path` is below the vault, without ending. What is shown cannot end the link. */
export function wikilink(path: string, shown?: string): string {
  const text = shown === undefined ? '' : oneLine(shown.replace(/[[\]|]/g, ' '))
  return text === '' ? `[[${path}]]` : `[[${path}|${text}]]`
}

/** The path that a target names below a folder; undefined where it leads elsewhere: up, to a root, to nothing. */
export function safePath(target: string): string | undefined {
  const path = target.normalize('NFC')
  if (path === '' || /[\0-\x1f\\<>:"|?*]/.test(path) || path.startsWith('/')) return undefined
  const parts = path.split('/')
  return parts.some((part) => part.trim() === '' || part.startsWith('.') || part !== part.trim()) ? undefined : path
}

/** Files of the vault by what links may call them. */
export interface LinkTargets {
  paths: ReadonlyMap<string, string>
}

/** `paths` are below the vault, without ending. */
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

/** The file that a link leads to, by its path or, as in Obsidian, by its name alone; undefined where there is none. */
export function resolveLink(target: string, { paths }: LinkTargets): string | undefined {
  const safe = safePath(target)
  return safe === undefined ? undefined : paths.get(keyOf(safe))
}

function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
