// Sessions as small JSON files: one for the session, one per message, one per part. Written to the end of 2025.
import { basename, join } from 'node:path'
import type { ReaderOutput } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import { listEntries } from '../folders.ts'
import { asArray, asObject, type JsonObject, optionalString } from '../json-values.ts'
import { readMessage } from './message.ts'
import { createdAt, readSession, type StoredMessage, type StoredPart, sessionOf } from './session.ts'

export interface Tree {
  /** The folder with one file per session. */
  sessions: string
  messagesOf(session: string): string
  partsOf(session: string, message: string): string
}

export function readTree(path: string, tree: Tree, out: ReaderOutput): void {
  const info = readJsonFile(path, out)
  if (info === undefined) return
  const stored = sessionOf({ ...asObject(info), id: optionalString(asObject(info).id) ?? basename(path, '.json') })
  const messages = jsonFiles(tree.messagesOf(stored.id), out).map(({ name, data }) => {
    const id = optionalString(data.id) ?? name
    return { id, data, parts: partsOf(tree.partsOf(stored.id, id), data, out) }
  })
  messages.sort(byTime)
  stored.directory ??= messages.map(({ data }) => optionalString(asObject(data.path).cwd)).find(Boolean)
  readSession(out, stored, messages, readMessage())
}

/** The first versions kept the parts inside their message. */
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
