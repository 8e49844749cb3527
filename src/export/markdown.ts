// Exports the vault as Markdown with standard links between files instead of wikilinks.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dirname, relative } from 'node:path/posix'
import type { Layout } from '../core/paths.ts'
import { redact } from '../core/redact/redact.ts'
import { type LinkTargets, linkTargets, resolveLink, wikilinksIn } from '../wiki/links.ts'
import { isMarkerLine } from '../wiki/marker-lines.ts'
import { vaultPaths } from '../wiki/pages.ts'
import type { ExportedFile } from './export-data.ts'

const folders = /^(?:wiki|journal|memory|inbox)\//

export function markdownFiles(layout: Layout): ExportedFile[] {
  const paths = vaultPaths(layout).filter((path) => folders.test(path))
  const targets = linkTargets(paths)
  return paths.map((path) => {
    const content = readFileSync(join(layout.vault, `${path}.md`), 'utf8')
    // People may write secrets into these files, and an export may be shared.
    return { path: `${path}.md`, content: plainMarkdown(redact([content]).texts[0]!, path, targets) }
  })
}

/**
 * Removes our markers, and replaces wikilinks by standard links; a broken link becomes its text.
 */
export function plainMarkdown(content: string, path: string, targets: LinkTargets): string {
  const text = content
    .split('\n')
    .filter((line) => !isMarkerLine(line.replace(/\r$/, '')))
    .join('\n')
  let at = 0
  let result = ''
  for (const { from, to, target, shown } of wikilinksIn(text)) {
    const isEmbedded = text[from - 1] === '!'
    result += text.slice(at, isEmbedded ? from - 1 : from)
    result += linkTo(resolveLink(target, targets), shown ?? target, path)
    at = to
  }
  return result + text.slice(at)
}

function linkTo(found: string | undefined, shown: string, from: string): string {
  const words = shown.replace(/[\\`*_<>]/g, '\\$&')
  return found === undefined ? words : `[${words}](${relativeUrl(`${from}.md`, `${found}.md`)})`
}

/** URL from one file of the export to another; keeps the anchor of the target. */
export function relativeUrl(from: string, to: string): string {
  const [file = '', anchor] = to.split('#')
  const way = relative(dirname(from), file)
    .split('/')
    .map((part) => (part === '..' ? part : encodeURIComponent(part).replace(/[()'!*]/g, percent)))
    .join('/')
  return anchor === undefined ? way : `${way}#${encodeURIComponent(anchor)}`
}

/** Escapes characters that would end a Markdown link. */
function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
}
