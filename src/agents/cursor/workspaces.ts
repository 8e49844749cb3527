// Which folder a session belongs to, for builds that keep that only beside each workspace.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rowsAt } from '../database.ts'
import { subfolders } from '../folders.ts'
import { fields, list, parseJson, text } from '../values.ts'
import { decode } from './decode.ts'

export function workspaceFolders(storage: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const workspace of subfolders(storage)) {
    const folder = folderOf(workspace)
    if (folder) for (const composer of composersOf(workspace)) found.set(composer, folder)
  }
  return found
}

function folderOf(workspace: string): string | undefined {
  try {
    const { folder } = fields(parseJson(readFileSync(join(workspace, 'workspace.json'), 'utf8')))
    return text(folder).startsWith('file:') ? fileURLToPath(text(folder)) : undefined
  } catch {
    return undefined // a window without a folder, or one on another machine
  }
}

function composersOf(workspace: string): string[] {
  const sql = "SELECT value FROM ItemTable WHERE key = 'composer.composerData'"
  const [row] = rowsAt(join(workspace, 'state.vscdb'), sql)
  return list(fields(decode(row?.value)).allComposers).map((composer) => text(fields(composer).composerId))
}
