import type { Ledger } from '../store/ledger.ts'
import { type EditedFile, editedFilesNamed } from '../store/sessions/file-edits.ts'
import { type AskedFile, isSameFile } from './blame-path.ts'

export interface BlameContext {
  ledger: Ledger
  project: string | null
  file: AskedFile
  env: Readonly<Record<string, string | undefined>>
}

/** What one session did to a file, under whatever paths it named it. */
export interface FileTouch extends EditedFile {
  isFile(path: string): boolean
}

/** The last that touched it first. */
export function touchesOf({ ledger, project }: BlameContext, file: AskedFile): FileTouch[] {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const rows = editedFilesNamed(ledger, { name, project, absolute: file.absolute }).filter((row) =>
    isSameFile(row, file),
  )
  return [...Map.groupBy(rows, ({ session }) => session).values()].map(joined)
}

function joined(rows: EditedFile[]): FileTouch {
  const paths = new Set(rows.map(({ path }) => path))
  const [newest] = rows
  const oldest = rows.reduce((one, other) => ((other.first ?? 0) < (one.first ?? 0) ? other : one))
  return {
    ...newest!,
    times: rows.reduce((sum, { times }) => sum + times, 0),
    added: rows.reduce((sum, { added }) => sum + added, 0),
    removed: rows.reduce((sum, { removed }) => sum + removed, 0),
    first: oldest.first,
    firstAt: oldest.firstAt,
    last: rows.some(({ last }) => last === null) ? null : Math.max(...rows.map(({ last }) => last!)),
    isFile: (path) => paths.has(path),
  }
}

/** Other files of the same name in the project, as sessions named them. */
export function alike({ ledger, project, file }: BlameContext): string[] {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const paths = editedFilesNamed(ledger, { name, project, absolute: file.absolute }).map(({ path }) => path)
  return [...new Set(paths)].slice(0, 3)
}
