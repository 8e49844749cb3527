// Hermes Agent: state.db (source to September 2026), and before it files of JSON lines or JSON, which
// remain. Only sessions of its terminal programs are read.
import { basename, join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listEntries, listSubfolders, readJsonFile, readRecords } from '../files.ts'
import { blockIn } from '../instruction-files.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { holdsSession, isCodingSource, readDatabase } from './database.ts'
import { readMessages, timeOf } from './messages.ts'

export const hermes: Agent = {
  id: 'hermes',
  name: 'Hermes Agent',
  aliases: ['hermes-agent'],
  resume: 'hermes --resume <id>',
  roots: (machine) => [hermesHome(machine)],
  *find(root) {
    for (const home of [root, ...listSubfolders(join(root, 'profiles'))]) yield* transcriptsOf(home)
  },
  instructions: {
    // Documentation, 2026: AGENTS.md is read unless there is a file of its own.
    inProject(root) {
      const own = listEntries(root).find(({ name }) => name === '.hermes.md' || name === 'HERMES.md')
      return { rules: blockIn(join(root, own?.name ?? 'AGENTS.md')), alsoReads: [] }
    },
  },
}

function hermesHome({ home, env, platform }: Machine): string {
  if (env.HERMES_HOME) return env.HERMES_HOME
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'hermes')
  return join(home, '.hermes')
}

function* transcriptsOf(home: string): Iterable<DocumentTranscript> {
  const hasDatabase = listEntries(home).some((entry) => entry.isFile() && entry.name === 'state.db')
  const database = hasDatabase ? join(home, 'state.db') : undefined
  if (database) yield databaseTranscript(database)
  const folder = join(home, 'sessions')
  const names = listEntries(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
  for (const name of names) {
    const lines = /^(.+)\.jsonl$/.exec(name)?.[1]
    const whole = /^session_(.+)\.json$/.exec(name)?.[1]
    if (lines) yield fileTranscript(join(folder, name), lines, database)
    else if (whole && !names.includes(`${whole}.jsonl`)) yield fileTranscript(join(folder, name), whole, database)
  }
}

function databaseTranscript(path: string): DocumentTranscript {
  return { shape: 'document', path, also: [`${path}-wal`], read: (out, memo) => readDatabase(path, out, memo) }
}

/** Later versions wrote the same sessions into the database. */
function fileTranscript(path: string, id: string, database: string | undefined): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      if (!database || !holdsSession(database, id)) readFile(path, id, out)
      return undefined
    },
  }
}

function readFile(path: string, id: string, out: ReaderOutput): void {
  const isLines = path.endsWith('.jsonl')
  const messages: JsonObject[] = isLines ? [...readRecords(path, out)].map(({ record }) => record) : []
  const file = isLines ? headerOf(messages) : asObject(readJsonFile(path, out))
  if (!isLines) messages.push(...asArray(file.messages).map(asObject))
  if (messages.length === 0 || !isCodingSource(optionalString(file.source) ?? asString(file.platform))) return
  const native = optionalString(file.session_id) ?? basename(id)
  const cwd = optionalString(file.cwd) ?? optionalString(asObject(file.model_config).cwd)
  const session = out.session(native)
  session.about({
    cwd,
    model: optionalString(file.model),
    started: timeOf({ timestamp: file.session_start }) ?? undefined,
    ended: timeOf({ timestamp: file.last_updated }) ?? undefined,
  })
  readMessages(messages, { out, session, native, cwd, isSubagent: file.platform === 'subagent' })
}

/** The first line of older files; exported rows have the model and the folder in every line. */
function headerOf(messages: readonly JsonObject[]): JsonObject {
  const header = messages.find(({ role }) => role === 'session_meta') ?? {}
  const named = (name: string) => messages.map((message) => optionalString(message[name])).findLast(Boolean)
  return {
    ...header,
    model: optionalString(header.model) ?? named('_model'),
    cwd: optionalString(header.cwd) ?? named('_cwd'),
  }
}
