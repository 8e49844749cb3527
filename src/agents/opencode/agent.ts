// OpenCode to 1.x and its second schema: a SQLite database, and before it (to the end of 2025)
// trees of small JSON files, one per session, message and part, which remain.
import { basename, isAbsolute, join } from 'node:path'
import type { Agent, DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listEntries, listSubfolders, readJsonFile } from '../files.ts'
import { asArray, asObject, type JsonObject, optionalString } from '../json-values.ts'
import { openCodeMcp } from '../mcp-files.ts'
import { holdsSession, readDatabase } from './database.ts'
import { configFolder, openCodeHooks } from './hooks.ts'
import { createMessageReader } from './messages.ts'
import { createdAt, readSession, type StoredMessage, type StoredPart, sessionOf } from './reader.ts'

export const openCode: Agent = {
  id: 'opencode',
  name: 'OpenCode',
  resume: 'opencode --session <id>',
  roots({ home, env }) {
    const data = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode')
    const configured = env.OPENCODE_DB
    if (!configured || configured === ':memory:') return [data]
    const database = isAbsolute(configured) ? configured : join(data, configured)
    return database.startsWith(data) && databaseName.test(basename(database)) ? [data] : [data, database]
  },
  *find(root) {
    const databases = databasesIn(root)
    for (const path of databases) yield databaseTranscript(path)
    const seen = new Set<string>()
    for (const tree of trees(root)) {
      for (const path of sessionFiles(tree)) {
        if (seen.has(basename(path))) continue // moved to the newer layout, but not deleted
        seen.add(basename(path))
        yield treeTranscript(path, tree, databases)
      }
    }
  },
  hooks: openCodeHooks,
  mcp: openCodeMcp(configFolder),
  // Answers have the form of Claude Code's.
  userReplies: {
    denials: [String.raw`(?:\w*Error: )?The user rejected[^\n]{0,300}?\bwith(?: the following)? feedback:`],
    questionTools: ['question'],
  },
}

/** Release channels have their own databases: opencode-dev.db. */
const databaseName = /^opencode(?:-[\w.]+)?\.db$/

function databasesIn(root: string): string[] {
  if (root.endsWith('.db')) return [root]
  return listEntries(root)
    .filter((entry) => entry.isFile() && databaseName.test(entry.name))
    .map((entry) => join(root, entry.name))
}

function databaseTranscript(path: string): DocumentTranscript {
  return { shape: 'document', path, also: [`${path}-wal`], read: (out, memo) => readDatabase(path, out, memo) }
}

/** Newest layout first: a session that is in two of them is read from the newest. */
function trees(root: string): Tree[] {
  const storage = join(root, 'storage')
  return [
    ...listSubfolders(join(storage, 'session'))
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

function treeTranscript(path: string, tree: Tree, databases: string[]): DocumentTranscript {
  const messages = tree.messagesOf(basename(path, '.json'))
  const newest = listEntries(messages).at(-1) // rewritten when its answer is complete; earlier ones do not change
  return {
    shape: 'document',
    path,
    also: [messages, ...(newest ? [join(messages, newest.name)] : [])],
    read(out) {
      const isMoved = databases.some((database) => holdsSession(database, basename(path, '.json')))
      if (!isMoved) readTree(path, tree, out)
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

function readTree(path: string, tree: Tree, out: ReaderOutput): void {
  const info = readJsonFile(path, out)
  if (info === undefined) return
  const stored = sessionOf({ ...asObject(info), id: optionalString(asObject(info).id) ?? basename(path, '.json') })
  const messages = jsonFiles(tree.messagesOf(stored.id), out).map(({ name, data }) => {
    const id = optionalString(data.id) ?? name
    return { id, data, parts: partsOf(tree.partsOf(stored.id, id), data, out) }
  })
  messages.sort(byTime)
  stored.directory ??= messages.map(({ data }) => optionalString(asObject(data.path).cwd)).find(Boolean)
  readSession(out, stored, messages, createMessageReader())
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
