// Finds files in the home folder that look like conversations with an agent and that no reader
// reads, so that they can be reported or configured as a source. Says names of fields, never content.
import { closeSync, type Dirent, fstatSync, readdirSync, readSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { App } from '../app.ts'
import type { DiscoveredTranscript } from '../capture/context.ts'
import { discover, rootsOf } from '../capture/discover.ts'
import { readParts } from '../capture/reading/read-batches.ts'
import { isoTime } from '../core/clock.ts'
import { openRegularFile } from '../core/files.ts'
import { pathInside } from '../core/paths.ts'
import type { EventKind } from '../core/session.ts'

export interface UnknownTranscripts {
  /** The folder of one program. */
  folder: string
  files: number
  bytes: number
  /** ISO time of the last change. */
  newest: string
  /** The newest file that looks like a conversation. */
  example: string
  /** Names of its fields, or of its tables. */
  fields: string[]
  /** The agent whose reader finds a conversation in it, and the folder to configure for it. */
  format: { agent: string; folder: string } | null
}

export interface UnknownReport {
  folders: UnknownTranscripts[]
  /** The home has more entries than are looked at. */
  isPartial: boolean
}

export function findUnknownTranscripts(app: App): UnknownReport {
  const known = knownPlaces(app)
  const walk = { left: maxEntries }
  const folders = programFolders(app, walk)
    .filter((folder) => !known.isInside(folder))
    .flatMap((folder) => describeFolder(app, folder, known, walk) ?? [])
  return { folders: folders.sort((a, b) => (a.newest < b.newest ? 1 : -1)), isPartial: walk.left <= 0 }
}

const maxEntries = 100_000
const maxDepth = 7
/** Files of one folder whose content is looked at, the newest first. */
const maxLooked = 12
const maxBytes = 64 * 1024

/** Data of programs is below these folders, one folder for each program. */
function programFolders({ machine: { home } }: App, walk: Walk): string[] {
  const parents = [
    join(home, '.config'),
    join(home, '.local', 'share'),
    join(home, '.local', 'state'),
    join(home, 'Library', 'Application Support'),
    join(home, 'AppData', 'Roaming'),
    join(home, 'AppData', 'Local'),
  ]
  const isData = (name: string) => name.startsWith('.') && !notData.has(name)
  return [
    ...entries(home, walk)
      .filter(({ name }) => isData(name))
      .map(({ name }) => join(home, name)),
    ...parents.flatMap((parent) => entries(parent, walk).map(({ name }) => join(parent, name))),
  ]
}

const notData = new Set([
  '.config',
  '.local',
  '.cache',
  '.npm',
  '.cargo',
  '.rustup',
  '.nvm',
  '.pyenv',
  '.git',
  '.Trash',
])
const skipped = new Set([
  'node_modules',
  '.git',
  'Cache',
  'CachedData',
  'cache',
  'extensions',
  'plugins',
  'site-packages',
])

interface Walk {
  /** Entries that may still be looked at. */
  left: number
}

function entries(folder: string, walk: Walk): Dirent[] {
  if (walk.left <= 0) return []
  try {
    const found = readdirSync(folder, { withFileTypes: true })
    walk.left -= found.length
    return found
  } catch {
    return []
  }
}

interface KnownPlaces {
  isInside(path: string): boolean
  isRead(path: string): boolean
}

/** Aider's root is the home itself, and some agents share a folder with others. */
function knownPlaces(app: App): KnownPlaces {
  const { agents, machine, config, layout } = app
  const roots = [...agents.flatMap((agent) => rootsOf(agent, machine, config)), layout.root]
  const folders = roots.filter((root) => root !== machine.home)
  const read = new Set(discover(app).flatMap(({ transcript }) => [transcript.path, ...(transcript.also ?? [])]))
  const isInside = (path: string) => folders.some((folder) => pathInside(folder, path) !== undefined)
  return { isInside, isRead: (path) => read.has(path) || isInside(path) }
}

function describeFolder(app: App, folder: string, known: KnownPlaces, walk: Walk): UnknownTranscripts | undefined {
  const files = candidateFiles(folder, known, walk)
  const alike = files
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs)
    .slice(0, maxLooked)
    .flatMap((file) => {
      const fields = conversationFields(file.path)
      return fields ? [{ ...file, fields }] : []
    })
  const [newest] = alike
  if (!newest) return undefined
  const kind = extname(newest.path)
  const sameKind = files.filter(({ path }) => extname(path) === kind)
  return {
    folder,
    files: sameKind.length,
    bytes: sameKind.reduce((sum, { size }) => sum + size, 0),
    newest: isoTime(newest.mtimeMs),
    example: relative(folder, newest.path),
    fields: newest.fields,
    format: formatOf(app, folder, newest.path),
  }
}

interface CandidateFile {
  path: string
  size: number
  mtimeMs: number
}

function candidateFiles(folder: string, known: KnownPlaces, walk: Walk, depth = 0): CandidateFile[] {
  if (depth > maxDepth) return []
  return entries(folder, walk).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return skipped.has(entry.name) || known.isInside(path) ? [] : candidateFiles(path, known, walk, depth + 1)
    if (!entry.isFile() || !/\.(?:jsonl|json|db|sqlite3?)$/.test(entry.name) || known.isRead(path)) return []
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats && stats.size > 0 ? [{ path, size: stats.size, mtimeMs: stats.mtimeMs }] : []
  })
}

/** Undefined if the file does not look like a conversation. */
function conversationFields(path: string): string[] | undefined {
  const start = startOf(path)
  return /\.jsonl?$/.test(path) ? fieldsOfText(start) : tablesOf(start)
}

function startOf(path: string): string {
  try {
    const file = openRegularFile(path)
    try {
      const buffer = Buffer.alloc(Math.min(maxBytes, fstatSync(file).size))
      return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** Both sides speak: a setting may have one role, a conversation has two. */
const userSide = /"(?:role|type|kind|source|sender)"\s*:\s*"(?:user|human|user_message|user_input|prompt)"/i
const agentSide = /"(?:role|type|kind|source|sender)"\s*:\s*"(?:assistant|model|agent|ai|assistant_message|bot)"/i

function fieldsOfText(text: string): string[] | undefined {
  if (!userSide.test(text) || !agentSide.test(text)) return undefined
  const names = [...text.matchAll(/"([A-Za-z_][\w-]{0,30})"\s*:/g)].map((match) => match[1]!)
  return [...new Set(names)].slice(0, 12)
}

const conversationTable = /^(?:messages?|chat_messages?|conversations?|sessions?|threads?|turns|parts?)$/i

/** From the schema, which SQLite keeps as text on the first pages. */
function tablesOf(start: string): string[] | undefined {
  if (!start.startsWith('SQLite format 3')) return undefined
  const names = [...start.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?["'`[]?(\w+)/gi)].map((match) => match[1]!)
  return names.filter((name) => conversationTable.test(name)).length >= 2 ? names.slice(0, 12) : undefined
}

/** Tries every reader on every folder above the file, and takes the one that understands most. */
function formatOf(app: App, folder: string, path: string): UnknownTranscripts['format'] {
  const tried = foldersAbove(folder, path).flatMap((root) =>
    app.agents.flatMap((agent) => {
      const score = scoreOf(agent, root, path)
      return score > 0 ? [{ agent: agent.id, folder: root, score }] : []
    }),
  )
  const [best] = tried.sort((a, b) => b.score - a.score)
  return best ? { agent: best.agent, folder: best.folder } : null
}

function foldersAbove(top: string, path: string): string[] {
  const parts = relative(top, path).split(sep).slice(0, -1)
  return [top, ...parts.map((_, index) => join(top, ...parts.slice(0, index + 1)))]
}

/**
 * What the reader understands of the beginning: prompts, replies, calls and facts of the session,
 * less records that it does not know. Zero if it does not find the file.
 */
function scoreOf(agent: App['agents'][number], root: string, path: string): number {
  try {
    for (const transcript of agent.find(root)) {
      if (transcript.path !== path) continue
      const found: DiscoveredTranscript = {
        agent,
        transcript,
        stamp: '',
        size: statSync(path).size,
        bornMs: 0,
        changedMs: 0,
      }
      const [part] = readParts(found, undefined, { maxLength: maxTriedBytes })
      if (!part) return 0
      const sessions = [...part.data.sessions.values()]
      const said = sessions.flatMap(({ events }) => events).filter(({ kind }) => conversation.has(kind)).length
      const facts = sessions.flatMap(({ about }) => Object.values(about)).filter((fact) => fact !== undefined).length
      const unknown = [...part.data.unknownTypes.values()].reduce((sum, count) => sum + count, 0)
      return said > unknown ? said + facts - unknown : 0
    }
  } catch {
    // Not this format.
  }
  return 0
}

const maxTriedBytes = 50_000_000
const conversation: ReadonlySet<EventKind> = new Set(['prompt', 'reply', 'tool_call'])
