// The folder of a window, and the list of its chat sessions.
import { dirname, join } from 'node:path'
import { readForeignText } from '../../core/files.ts'
import { rowsAt } from '../database.ts'
import { absolutePath } from '../file-changes.ts'
import { asArray, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { pathOfUri } from '../user-folders.ts'

export interface Workspace {
  /** The folder that is open; the first one if there are several. */
  folder: string | undefined
  /** The entry of a session in the list. */
  entryOf(session: string): JsonObject
}

export function workspaceOf(storage: string): Workspace {
  return {
    folder: openFolder(storage),
    entryOf(session) {
      const sql = "SELECT value FROM ItemTable WHERE key = 'chat.ChatSessionStore.index'"
      const [row] = rowsAt(join(storage, 'state.vscdb'), sql)
      const value: unknown = row?.value
      const source = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
      const list = typeof source === 'string' ? asObject(parseJson(source)) : {}
      return asObject(asObject(list.entries)[session])
    },
  }
}

/** `{folder}`, or `{workspace}` with the path of a file that lists folders. */
function openFolder(storage: string): string | undefined {
  const window = objectAt(join(storage, 'workspace.json'))
  const folder = pathOfUri(asString(window.folder))
  const file = pathOfUri(asString(window.workspace) || asString(window.configuration))
  if (folder || !file) return folder
  const first = asObject(asArray(objectAt(file).folders)[0])
  const path = optionalString(first.path) ?? pathOfUri(asString(first.uri))
  return path ? absolutePath(path, dirname(file)) : undefined
}

function objectAt(path: string): JsonObject {
  try {
    return asObject(parseJson(readForeignText(path)))
  } catch {
    return {} // an empty window, or a file of another machine
  }
}
