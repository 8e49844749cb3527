// Devin CLI, as surveyed by others in 3000.3.27 (no recording was at hand): one database for all
// sessions, and per session a document with the tokens of each step.
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { findFiles, listEntries } from '../files.ts'
import { sharedData } from '../user-folders.ts'
import { readDatabase } from './database.ts'
import { devinHooks } from './hooks.ts'

export const devin: Agent = {
  id: 'devin',
  name: 'Devin CLI',
  resume: 'devin --resume <id>',
  roots: (machine) => [
    ...new Set([sharedData(machine), join(machine.home, '.local', 'share')].map((data) => join(data, 'devin', 'cli'))),
  ],
  *find(root) {
    if (!listEntries(root).some((entry) => entry.isFile() && entry.name === 'sessions.db')) return
    const path = join(root, 'sessions.db')
    const transcripts = join(root, 'transcripts')
    const also = [`${path}-wal`, ...findFiles(transcripts, /\.json$/, 0)]
    yield { shape: 'document', path, also, read: (out, memo) => readDatabase(path, transcripts, out, memo) }
  },
  hooks: devinHooks,
}
