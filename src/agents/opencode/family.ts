// Makes an agent of a program of the OpenCode family: a SQLite database, and before it (to the end of
// 2025) trees of JSON files. Members differ in names, and in what a dialect says.
import { basename, isAbsolute, join } from 'node:path'
import { statOrUndefined } from '../../core/files.ts'
import type { Machine } from '../../core/paths.ts'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { listEntries } from '../files.ts'
import { readDatabase } from './database.ts'
import type { OpenCodeDialect } from './reader.ts'
import { treeTranscripts } from './trees.ts'

export interface OpenCodeMember
  extends Pick<Agent, 'id' | 'name' | 'aliases' | 'resume' | 'hooks' | 'mcp' | 'userReplies'> {
  /** The folder with the database. */
  folder(machine: Machine): string
  /** Names of the database. */
  database: RegExp
  /** Environment variable with the path or name of the database. */
  variable?: string
  dialect: OpenCodeDialect
  /** An older program of the same name that kept its sessions in another way. */
  predecessor?: Pick<Agent, 'roots' | 'find'>
}

export function openCodeAgent(member: OpenCodeMember): Agent {
  const { folder, database, variable, dialect, predecessor, ...agent } = member
  return {
    ...agent,
    roots(machine) {
      const data = folder(machine)
      const configured = variable && machine.env[variable]
      const others = predecessor?.roots(machine) ?? []
      if (!configured || configured === ':memory:') return [data, ...others]
      const path = isAbsolute(configured) ? configured : join(data, configured)
      const isInside = path.startsWith(data) && database.test(basename(path))
      return isInside ? [data, ...others] : [data, path, ...others]
    },
    *find(root) {
      const databases = databasesIn(root, database)
      for (const path of databases) yield databaseTranscript(path, dialect)
      yield* treeTranscripts(root, databases, dialect)
      if (predecessor) yield* predecessor.find(root)
    },
  }
}

function databasesIn(root: string, database: RegExp): string[] {
  if (statOrUndefined(root)?.isFile()) return [root] // a configured one may have any name
  return listEntries(root)
    .filter((entry) => entry.isFile() && database.test(entry.name))
    .map((entry) => join(root, entry.name))
}

function databaseTranscript(path: string, dialect: OpenCodeDialect): DocumentTranscript {
  return {
    shape: 'document',
    path,
    also: [`${path}-wal`],
    read: (out, memo) => readDatabase({ path, dialect, out, memo }),
  }
}
