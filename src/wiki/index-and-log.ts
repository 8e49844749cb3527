// Writes wiki/index.md, a table of articles for each project, and appends to wiki/log.md. Text that
// a person writes around the tables is kept.

import { isoTime } from '../core/clock.ts'
import { openVault, readVaultBytes, statVaultFile, writeVaultFile } from '../core/vault/files.ts'
import { fromByteString, readByteString } from '../core/vault/lines.ts'
import { projectNames } from '../store/sessions/projects.ts'
import { articleRows } from '../store/wiki/articles.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'
import { maxSummaryLength } from './article.ts'
import { forgetIndexDue } from './due.ts'
import { wikilink } from './links.ts'
import { writeSections } from './sections.ts'
import { fileOf, type WikiContext } from './write.ts'

export const indexPath = 'wiki/index'

/** Does nothing if a symbolic link or a folder is in its place. */
export function writeIndex({ ledger }: WikiContext): void {
  const vault = openVault(ledger.layout.vault)
  updateIndex(ledger, vault)
  forgetIndexDue(ledger)
}

function updateIndex(ledger: WikiContext['ledger'], vault: string): void {
  const file = fileOf(indexPath)
  const found = statVaultFile(vault, file)
  if (found.kind === 'other') return
  const before = found.kind === 'file' ? readVaultBytes(vault, file) : undefined
  const { content } = writeSections(
    before ?? Buffer.from('# Wiki\n'),
    [{ name: 'index', text: indexText(ledger, vault) }],
    {
      order: ['index'],
      known: {},
      replacesEdited: true,
    },
  )
  if (!before?.equals(content)) writeVaultFile(vault, file, content)
}

interface IndexLine {
  path: string
  title: string
  summary: string
  sources: string[]
  updated: string
}

function indexText(ledger: WikiContext['ledger'], vault: string): string {
  const names = projectNames(ledger)
  const rows = articleRows(ledger).filter(({ path }) => statVaultFile(vault, fileOf(path)).kind === 'file')
  const projects = [...Map.groupBy(rows, ({ project }) => project ?? '')].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const tables = projects.map(([project, articles]) => {
    const title = project === '' ? 'Everywhere' : escapeMarkdown(names.get(project) ?? project, 80)
    const lines = articles.map(({ path, title, summary, head }) =>
      rowText({ path, title, summary, sources: (head.sources ?? []) as string[], updated: String(head.updated ?? '') }),
    )
    return [`## ${title}`, '', '| article | about | sources | updated |', '|---|---|---|---|', ...lines].join('\n')
  })
  return tables.length === 0 ? 'There are no articles yet.' : tables.join('\n\n')
}

const maxSources = 3

/** Shows only the latest sources. */
function rowText({ path, title, summary, sources, updated }: IndexLine): string {
  const links = sources
    .filter((source) => source.startsWith('journal/'))
    .toSorted()
    .slice(-maxSources)
    .map((source) => `[[${source}\\|${source.slice('journal/'.length)}]]`)
  return `| [[${path}\\|${cell(title)}]] | ${cell(ellipsize(oneLine(summary), maxSummaryLength))} | ${links.join(', ')} | ${updated} |`
}

function cell(text: string): string {
  return oneLine(text).replace(/[[\]]/g, ' ').replaceAll('|', '\\|').trim()
}

const logPath = 'wiki/log'

const maxLinked = 20

interface LogLine {
  what: 'build' | 'ask' | 'lint'
  atMs: number
  /** Texts with the paths of articles. */
  says: [words: string, paths: readonly string[]][]
}

export function appendToLog({ ledger }: WikiContext, { what, atMs, says }: LogLine): void {
  const vault = openVault(ledger.layout.vault)
  const found = statVaultFile(vault, fileOf(logPath))
  if (found.kind === 'other') return
  const before = found.kind === 'file' ? readVaultBytes(vault, fileOf(logPath)) : Buffer.from('# What was built\n\n')
  const texts = says.map(([words, paths]) => (paths.length === 0 ? words : `${words}: ${linkList(paths)}`))
  const gap = before.length === 0 || before.at(-1) === 10 ? '' : '\n'
  const line = `${gap}- ${isoTime(atMs)} ${what}: ${texts.join('; ')}\n`
  writeVaultFile(vault, fileOf(logPath), Buffer.concat([before, Buffer.from(line)]))
}

/** Removes the names of articles that are no longer there. */
export function forgetMissingInLog({ ledger }: WikiContext): void {
  const vault = openVault(ledger.layout.vault)
  if (statVaultFile(vault, fileOf(logPath)).kind !== 'file') return
  const before = readByteString(readVaultBytes(vault, fileOf(logPath)))
  const after = before.replace(/\[\[(wiki\/[^\]|\n]+)(?:\|[^\]\n]*)?\]\]/g, (link, path: string) =>
    statVaultFile(vault, fileOf(fromByteString(path))).kind === 'missing' ? '(deleted)' : link,
  )
  if (after !== before) writeVaultFile(vault, fileOf(logPath), Buffer.from(after, 'latin1'))
}

function linkList(paths: readonly string[]): string {
  const links = paths.slice(0, maxLinked).map((path) => wikilink(path, path.slice(path.lastIndexOf('/') + 1)))
  return paths.length > maxLinked ? `${links.join(', ')} and ${paths.length - maxLinked} more` : links.join(', ')
}
