// wiki/index.md: a row for every article, a table for every project. It is made from the articles, never by a model; what a
// person writes around the tables stays.

import { openVault, readVaultBytes, statVaultFile, writeVaultFile } from '../core/vault.ts'
import { projectNames } from '../store/sessions/projects.ts'
import { articleRows } from '../store/wiki/articles.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'
import { maxSummary } from './article.ts'
import { forgetIndexDue } from './due.ts'
import { putSections } from './sections.ts'
import { fileOf, type WikiContext } from './write.ts'

export const indexPath = 'wiki/index'

/** Where a link or a folder has its place, there is no index. */
export function writeIndex({ ledger }: WikiContext): void {
  const vault = openVault(ledger.layout.vault)
  putIndex(ledger, vault)
  forgetIndexDue(ledger)
}

function putIndex(ledger: WikiContext['ledger'], vault: string): void {
  const file = fileOf(indexPath)
  const found = statVaultFile(vault, file)
  if (found.kind === 'other') return
  const before = found.kind === 'file' ? readVaultBytes(vault, file) : undefined
  const { content } = putSections(
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

interface Row {
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

/** The last sources stand for all of them. */
function rowText({ path, title, summary, sources, updated }: Row): string {
  const links = sources
    .filter((source) => source.startsWith('journal/'))
    .toSorted()
    .slice(-maxSources)
    .map((source) => `[[${source}\\|${source.slice('journal/'.length)}]]`)
  return `| [[${path}\\|${cell(title)}]] | ${cell(ellipsize(oneLine(summary), maxSummary))} | ${links.join(', ')} | ${updated} |`
}

function cell(text: string): string {
  return oneLine(text).replace(/[[\]]/g, ' ').replaceAll('|', '\\|').trim()
}
