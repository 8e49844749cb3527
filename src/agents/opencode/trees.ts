// Reads the trees of small JSON files that OpenCode wrote to the end of 2025: one per session, message
// and part. They remain after the database was introduced.
import { basename, join } from 'node:path'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listEntries, listSubfolders, readJsonFile } from '../files.ts'
import { asArray, asObject, type JsonObject, optionalString } from '../json-values.ts'
import { holdsSession } from './database.ts'
import { createMessageReader } from './messages.ts'
import {
  createdAt,
  type OpenCodeDialect,
  readSession,
  type StoredMessage,
  type StoredPart,
  sessionOf,
} from './reader.ts'

/** The sessions below a data folder, except for those that are in one of the databases. */
export function* treeTranscripts(
  root: string,
  databases: string[],
  dialect: OpenCodeDialect,
): Iterable<DocumentTranscript> {
  const seen = new Set<string>()
  for (const tree of trees(root)) {
    for (const path of sessionFiles(tree)) {
      if (seen.has(basename(path))) continue // moved to the newer layout, but not deleted
      seen.add(basename(path))
      yield treeTranscript(path, tree, databases, dialect)
    }
  }
}

/** Newest layout first: a session that is in two of them is read from the newest. */
function trees(root: string): Tree[] {
  const storage = join(root, 'storage')
  // MiMo Code has its sessions in `session_diff`, where OpenCode has only files.
  const projects = ['session', 'session_diff'].flatMap((name) => listSubfolders(join(storage, name)))
  return [
    ...projects
      .filter((folder) => !olderFolders.has(basename(folder)))
      .map((sessions) => ({
        sessions,
        messagesOf: (session: string) => join(storage, 'message', session),
        partsOf: (_session: string, message: string) => join(storage, 'part', message),
      })),
    olderTree(storage),
    ...listSubfolders(join(root, 'project')).map((project) => olderTree(join(project, 'storage'))),
  ]
}

const olderFolders = new Set(['info', 'message', 'part'])

function olderTree(storage: string): Tree {
  return {
    sessions: join(storage, 'session', 'info'),
    messagesOf: (session) => join(storage, 'session', 'message', session),
    partsOf: (session, message) => join(storage, 'session', 'part', session, message),
  }
}

function sessionFiles({ sessions }: Tree): string[] {
  return listEntries(sessions)
    .filter((entry) => entry.isFile() && /^[^.].*\.json$/.test(entry.name))
    .map((entry) => join(sessions, entry.name))
}

function treeTranscript(path: string, tree: Tree, databases: string[], dialect: OpenCodeDialect): DocumentTranscript {
  const messages = tree.messagesOf(basename(path, '.json'))
  const newest = listEntries(messages).at(-1) // rewritten when its answer is complete; earlier ones do not change
  return {
    shape: 'document',
    path,
    also: [messages, ...(newest ? [join(messages, newest.name)] : [])],
    read(out) {
      const isMoved = databases.some((database) => holdsSession(database, basename(path, '.json')))
      if (!isMoved) readTree(path, tree, dialect, out)
      return undefined
    },
  }
}

interface Tree {
  /** The folder with one file per session. */
  sessions: string
  messagesOf(session: string): string
  partsOf(session: string, message: string): string
}

function readTree(path: string, tree: Tree, dialect: OpenCodeDialect, out: ReaderOutput): void {
  const info = readJsonFile(path, out)
  if (info === undefined) return
  const stored = sessionOf({ ...asObject(info), id: optionalString(asObject(info).id) ?? basename(path, '.json') })
  const messages = jsonFiles(tree.messagesOf(stored.id), out).map(({ name, data }) => {
    const id = optionalString(data.id) ?? name
    return { id, data, parts: partsOf(tree.partsOf(stored.id, id), data, out) }
  })
  messages.sort(byTime)
  stored.directory ??= messages.map(({ data }) => optionalString(asObject(data.path).cwd)).find(Boolean)
  readSession({ out, dialect }, stored, messages, createMessageReader())
}

/** The first versions stored parts inside their message. */
function partsOf(folder: string, message: JsonObject, out: ReaderOutput): StoredPart[] {
  const files = jsonFiles(folder, out).map(({ name, data }) => ({ id: optionalString(data.id) ?? name, data }))
  if (files.length > 0) return files
  return asArray(message.parts).map((part, index) => ({ id: String(index), data: asObject(part) }))
}

function jsonFiles(folder: string, out: ReaderOutput): { name: string; data: JsonObject }[] {
  return listEntries(folder)
    .filter((entry) => entry.isFile() && /^[^.].*\.json$/.test(entry.name))
    .map((entry) => ({
      name: basename(entry.name, '.json'),
      data: asObject(readJsonFile(join(folder, entry.name), out)),
    }))
}

function byTime(a: StoredMessage, b: StoredMessage): number {
  return createdAt(a) - createdAt(b) || (a.id < b.id ? -1 : 1)
}
