// Exports the wiki, the journal and the memories: as Markdown with standard links, as JSON lines,
// or as an HTML site that opens from disk.
import type { Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { type ExportedFile, type ExportFormat, jsonFiles, loadExportData } from './export-data.ts'
import { type FolderReport, writeFolder } from './folder.ts'

export async function exportTo(
  ledger: Ledger,
  { format, folder, zone }: { format: ExportFormat; folder: string; zone: Zone },
): Promise<FolderReport> {
  return writeFolder(ledger.layout, { folder, format, files: await filesOf(ledger, format, zone) })
}

async function filesOf(ledger: Ledger, format: ExportFormat, zone: Zone): Promise<ExportedFile[]> {
  switch (format) {
    case 'markdown':
      return (await import('./markdown.ts')).markdownFiles(ledger.layout)
    case 'json':
      return jsonFiles(await loadExportData(ledger))
    case 'html': {
      const [{ siteFiles }, { sessionPages }] = await Promise.all([
        import('./html/site.ts'),
        import('./html/session-page.ts'),
      ])
      const data = await loadExportData(ledger)
      return siteFiles({ ...data, sessionPages: sessionPages(ledger, data.memories, zone) })
    }
    default:
      return format satisfies never
  }
}
