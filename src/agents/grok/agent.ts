// Grok: xAI's Grok Build (source of August 2026, seen live in 1.0.5), one folder of files per session; and in the same home
// the unrelated community tool grok-cli, one database.
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { listEntries, listSubfolders } from '../folders.ts'
import { communityDatabase } from './community.ts'
import { grokHooks } from './hooks.ts'
import { sessionTranscript } from './session.ts'

export const grok: Agent = {
  id: 'grok',
  name: 'Grok',
  // The community tool knows no GROK_HOME: its database stays in the default home.
  roots: (machine) => [...new Set([grokHooks.home(machine), join(machine.home, '.grok')])],
  *find(root) {
    const sessions = listSubfolders(join(root, 'sessions')).flatMap(listSubfolders)
    const parents = parentFolders(sessions)
    for (const folder of sessions) {
      const transcript = sessionTranscript(folder, parents)
      if (transcript) yield transcript
    }
    if (listEntries(root).some((entry) => entry.name === 'grok.db')) yield communityDatabase(join(root, 'grok.db'))
  },
  hooks: grokHooks,
}

/** A subagent is a session folder like any other; only its parent's folder names the two together for sure. */
function parentFolders(sessions: string[]): Map<string, string> {
  const parents = new Map<string, string>()
  for (const folder of sessions) {
    for (const child of listEntries(join(folder, 'subagents'))) if (child.isDirectory()) parents.set(child.name, folder)
  }
  return parents
}
