// The wiki, the journal and the memories as Markdown files whose links lead from file to file, as every program understands them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../core/paths.ts'
import { redact } from '../core/redact.ts'
import { isFrameLine } from '../journal/day-file.ts'
import { resolveLink, type Targets, targetsOf, wikilinksIn } from '../wiki/links.ts'
import { vaultPaths } from '../wiki/pages.ts'
import { isSectionMark } from '../wiki/sections.ts'
import type { ExportFile } from './export.ts'
import { relativeUrl } from './urls.ts'

const folders = /^(?:wiki|journal|memory|inbox)\//

export function markdownFiles(layout: Layout): ExportFile[] {
  const paths = vaultPaths(layout).filter((path) => folders.test(path))
  const targets = targetsOf(paths)
  return paths.map((path) => {
    const content = readFileSync(join(layout.vault, `${path}.md`), 'utf8')
    // People write into these files, and what is exported may go anywhere.
    return { path: `${path}.md`, content: plainMarkdown(redact([content]).texts[0]!, path, targets) }
  })
}

/** Without our marks; a link that leads nowhere is its words. */
export function plainMarkdown(content: string, path: string, targets: Targets): string {
  const text = content
    .split('\n')
    .filter((line) => !isOurMark(line.replace(/\r$/, '')))
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

export function isOurMark(line: string): boolean {
  return isSectionMark(line) || isFrameLine(line)
}

function linkTo(found: string | undefined, shown: string, from: string): string {
  const words = shown.replace(/[\\`*_<>]/g, '\\$&')
  return found === undefined ? words : `[${words}](${relativeUrl(`${from}.md`, `${found}.md`)})`
}
