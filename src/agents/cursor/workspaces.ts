// Which folder a session belongs to, for builds that keep that only beside each workspace.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rowsAt } from '../database.ts'
import { listSubfolders } from '../folders.ts'
import { asArray, asObject, asString, parseJson } from '../json-values.ts'
import { decode } from './decode.ts'

export function workspaceFolders(storage: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const workspace of listSubfolders(storage)) {
    const folder = folderOf(workspace)
    if (folder) for (const composer of composersOf(workspace)) found.set(composer, folder)
  }
  return found
}

function folderOf(workspace: string): string | undefined {
  try {
    const { folder } = asObject(parseJson(readFileSync(join(workspace, 'workspace.json'), 'utf8')))
    return asString(folder).startsWith('file:') ? fileURLToPath(asString(folder)) : undefined
  } catch {
    return undefined // a window without a folder, or one on another machine
  }
}

function composersOf(workspace: string): string[] {
  const sql = "SELECT value FROM ItemTable WHERE key = 'composer.composerData'"
  const [row] = rowsAt(join(workspace, 'state.vscdb'), sql)
  return asArray(asObject(decode(row?.value)).allComposers).map((composer) => asString(asObject(composer).composerId))
}
