// Google Antigravity: the command line `agy` (recordings of 1.0.10 to 1.1, 2026) and the editor,
// which keeps the same files elsewhere. A conversation has a transcript, and a database with its
// tokens. Older ones are in encrypted `.pb` files and cannot be read.
import { basename, join } from 'node:path'
import type { Agent, DocumentTranscript, LogTranscript } from '../agent.ts'
import { listEntries, listSubfolders } from '../files.ts'
import { blockIn } from '../instruction-files.ts'
import { asCount, asObject } from '../json-values.ts'
import { antigravityMcp } from '../mcp-files.ts'
import { readGenerations, stepRecords } from './database.ts'
import { antigravityHooks, dataFolders } from './hooks.ts'
import { logsIn, stepsBefore } from './logs.ts'
import { type ConversationContext, openSteps } from './reader.ts'
import { findOrigins } from './subagents.ts'
import { findWorkspaces } from './workspaces.ts'

export const antigravity: Agent = {
  id: 'antigravity',
  name: 'Antigravity',
  aliases: ['agy'],
  resume: 'agy --conversation <id>',
  roots: dataFolders,
  *find(root) {
    const shared = { workspaces: findWorkspaces(root), findOrigin: findOrigins(root) }
    const databases = databasesIn(join(root, 'conversations'))
    for (const folder of listSubfolders(join(root, 'brain'))) {
      const logs = logsIn(folder)
      if (logs.length === 0) continue
      const native = basename(folder)
      yield transcript(logs, databases.get(native), { ...shared, native })
      databases.delete(native)
    }
    for (const [native, path] of databases) yield databaseTranscript(path, { ...shared, native })
  },
  hooks: antigravityHooks,
  mcp: antigravityMcp,
  // From the migration guide of Gemini CLI, and the folders in the system prompt of a recording.
  instructions: {
    readsOthers: true,
    inProject: (root) => ({
      rules: blockIn(join(root, 'AGENTS.md')),
      alsoReads: ['GEMINI.md', '.agents/AGENTS.md'].map((name) => join(root, name)),
      skills: { folder: join(root, '.agents/skills'), alsoReads: [] },
    }),
    ofUser: ({ home }) => ({
      rules: blockIn(join(home, '.gemini/GEMINI.md')),
      alsoReads: [join(home, '.gemini/config/AGENTS.md')],
      skills: { folder: join(home, '.gemini/config/skills'), alsoReads: [join(home, '.gemini/skills')] },
    }),
  },
  userReplies: { questionTools: ['ask_question'] },
}

function databasesIn(folder: string): Map<string, string> {
  const files = listEntries(folder).filter((entry) => entry.isFile() && entry.name.endsWith('.db'))
  return new Map(files.map(({ name }) => [basename(name, '.db'), join(folder, name)]))
}

/** The database grows with the transcript; tokens are read when either has changed. */
function transcript(logs: string[], database: string | undefined, context: ConversationContext): LogTranscript {
  return {
    shape: 'log',
    path: logs[0]!,
    also: database ? [database, `${database}-wal`] : [],
    open(out, state) {
      const from = asCount(asObject(state).generation)
      const generation = database ? readGenerations(database, context.native, out, from) : from
      const steps = openSteps(context, out, asObject(state).steps)
      if (state === undefined) for (const { record, offset } of stepsBefore(logs, out)) steps.record(record, offset)
      return { record: steps.record, state: () => ({ generation, steps: steps.state() }) }
    },
  }
}

/** A conversation whose transcript is missing. */
function databaseTranscript(path: string, context: ConversationContext): DocumentTranscript {
  return {
    shape: 'document',
    path,
    also: [`${path}-wal`],
    read(out) {
      const steps = openSteps(context, out, undefined)
      for (const record of stepRecords(path, out)) steps.record(record, 0)
      readGenerations(path, context.native, out, 0)
      return undefined
    },
  }
}
