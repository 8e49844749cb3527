// Kiro and its predecessor Amazon Q CLI: logs of Kiro CLI 2 (seen to 2.5.1), databases of earlier
// versions, and the stores of the editor (documentation only).
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { findFiles, listEntries, listSubfolders } from '../files.ts'
import { blockIn } from '../instruction-files.ts'
import { applicationData, sharedData } from '../user-folders.ts'
import { cliLogTranscript } from './cli-log.ts'
import { readDatabase } from './database.ts'
import { editorTranscripts } from './editor.ts'
import { workspaceLogTranscript } from './workspace-log.ts'

export const kiro: Agent = {
  id: 'kiro',
  name: 'Kiro',
  aliases: ['kiro-cli', 'amazon-q', 'q'],
  resume: 'kiro-cli chat --resume-id <id>',
  roots(machine) {
    const storage = join('User', 'globalStorage', 'kiro.kiroagent')
    return [
      kiroHome(machine),
      ...['kiro-cli', 'amazon-q'].map((program) => join(sharedData(machine), program)),
      join(applicationData(machine), 'Kiro', storage),
      join(machine.home, '.kiro-server', 'data', storage),
    ]
  },
  *find(root) {
    const sessions = join(root, 'sessions')
    for (const path of findFiles(join(sessions, 'cli'), /\.jsonl$/, 0)) yield cliLogTranscript(path)
    for (const workspace of listSubfolders(sessions)) {
      for (const folder of listSubfolders(workspace)) {
        if (hasFile(folder, 'messages.jsonl')) yield workspaceLogTranscript(folder)
      }
    }
    if (hasFile(root, 'data.sqlite3')) yield databaseTranscript(join(root, 'data.sqlite3'))
    yield* editorTranscripts(root)
  },
  instructions: {
    // Documentation of Kiro, 2026.
    inProject: (root) => ({ rules: blockIn(join(root, 'AGENTS.md')), alsoReads: [] }),
    ofUser: (machine) => ({ rules: blockIn(join(kiroHome(machine), 'steering', 'AGENTS.md')), alsoReads: [] }),
  },
  userReplies: { denials: [String.raw`Tool use was denied by the user\. Reason:`] },
}

function kiroHome({ home, env }: Machine): string {
  return env.KIRO_HOME || join(home, '.kiro')
}

function hasFile(folder: string, name: string): boolean {
  return listEntries(folder).some((entry) => entry.isFile() && entry.name === name)
}

function databaseTranscript(path: string): DocumentTranscript {
  return { shape: 'document', path, also: [`${path}-wal`], read: (out, memo) => readDatabase(path, out, memo) }
}
