// Crush (source of August 2026): one SQLite database in each project, listed in the folder of the
// user's data.
import { basename, dirname, join, resolve } from 'node:path'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { listEntries, readJsonFile } from '../files.ts'
import { asArray, asObject, asString, optionalString } from '../json-values.ts'
import { readDatabase } from './database.ts'

export const crush: Agent = {
  id: 'crush',
  name: 'Crush',
  resume: 'crush --session <id>',
  roots({ home, env, platform }) {
    if (env.CRUSH_GLOBAL_DATA) return [env.CRUSH_GLOBAL_DATA]
    if (env.XDG_DATA_HOME) return [join(env.XDG_DATA_HOME, 'crush')]
    if (platform === 'win32') return [join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'crush')]
    return [join(home, '.local', 'share', 'crush')] // on macOS too
  },
  *find(root) {
    for (const [folder, project] of dataFolders(root)) {
      const isThere = listEntries(folder).some((entry) => entry.isFile() && entry.name === databaseName)
      if (isThere) yield databaseTranscript(join(folder, databaseName), project)
    }
  },
}

const databaseName = 'crush.db'

/**
 * The folders with databases, and the project of each. A folder below a project uses the database of
 * the project, so several rows may name one.
 */
function dataFolders(root: string): Map<string, string> {
  const folders = new Map<string, string>()
  const list = asObject(readJsonFile(join(root, 'projects.json'), { problem() {} }))
  for (const row of asArray(list.projects).map(asObject)) {
    if (!optionalString(row.path)) continue
    const project = resolve(root, asString(row.path))
    const folder = resolve(project, optionalString(row.data_dir) ?? '.crush')
    if (basename(folder) === '.crush') folders.set(folder, dirname(folder))
    else if (!folders.has(folder)) folders.set(folder, project)
  }
  return folders
}

function databaseTranscript(path: string, project: string): DocumentTranscript {
  return { shape: 'document', path, also: [`${path}-wal`], read: (out, memo) => readDatabase(path, project, out, memo) }
}
