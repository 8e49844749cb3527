// Exports the wiki, the journal and the memories: as Markdown with standard links, as JSON lines,
// or as an HTML site that opens from disk.
import type { Ledger } from '../store/ledger.ts'
import { type ExportedFile, type ExportFormat, jsonFiles, loadExportData } from './export-data.ts'
import { type FolderReport, writeFolder } from './folder.ts'

export async function exportTo(ledger: Ledger, format: ExportFormat, folder: string): Promise<FolderReport> {
  return writeFolder(ledger.layout, { folder, format, files: await filesOf(ledger, format) })
}

async function filesOf(ledger: Ledger, format: ExportFormat): Promise<ExportedFile[]> {
  switch (format) {
    case 'markdown':
      return (await import('./markdown.ts')).markdownFiles(ledger.layout)
    case 'json':
      return jsonFiles(await loadExportData(ledger))
    case 'html':
      return (await import('./html/site.ts')).siteFiles(await loadExportData(ledger))
    default:
      return format satisfies never
  }
}
