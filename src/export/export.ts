// Everything that was learned and written, as files for elsewhere: Markdown with links that any program follows, JSON lines for a
// program, a site that opens from disk.
import type { Ledger } from '../store/ledger.ts'
import { type FolderReport, writeFolder } from './folder.ts'
import { materialOf } from './material.ts'

export const exportFormats = ['markdown', 'json', 'html'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Its path is below the folder, with slashes. */
export interface ExportFile {
  path: string
  content: string
}

export async function exportTo(ledger: Ledger, format: ExportFormat, folder: string): Promise<FolderReport> {
  return writeFolder(ledger.layout, { folder, format, files: await filesOf(ledger, format) })
}

async function filesOf(ledger: Ledger, format: ExportFormat): Promise<ExportFile[]> {
  switch (format) {
    case 'markdown':
      return (await import('./markdown.ts')).markdownFiles(ledger.layout)
    case 'json':
      return (await import('./json.ts')).jsonFiles(await materialOf(ledger))
    case 'html':
      return (await import('./html/site.ts')).siteFiles(await materialOf(ledger))
    default:
      return format satisfies never
  }
}
