// Cline 2 to 3 and Roo Code 3: one folder per task in an editor's storage; Cline's SDK keeps
// sessions of another shape.
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, DocumentTranscript, UserReplies } from '../agent.ts'
import { listSubfolders } from '../files.ts'
import { editorFolders } from '../user-folders.ts'
import { taskIndex, taskTranscript } from './reader.ts'
import { sdkTranscripts } from './sdk-reader.ts'

/** The reason for a denied call has a row of its own, which is read as a prompt. */
const clineReplies: UserReplies = { questionTools: ['ask_followup_question'] }

export const cline: Agent = {
  id: 'cline',
  name: 'Cline',
  roots(machine) {
    const { home, env } = machine
    const data = env.CLINE_DATA_DIR ?? (env.CLINE_DIR ? join(env.CLINE_DIR, 'data') : join(home, '.cline', 'data'))
    return [...extensionStorages('saoudrizwan.claude-dev', machine), data]
  },
  *find(root) {
    const index = taskIndex(join(root, 'state', 'taskHistory.json'))
    for (const folder of listSubfolders(join(root, 'tasks'))) yield taskTranscript(folder, { dialect: 'cline', index })
    for (const folder of listSubfolders(join(root, 'sessions'))) yield* sdkTranscripts(folder)
  },
  userReplies: clineReplies,
}

export const rooCode: Agent = {
  id: 'roo-code',
  name: 'Roo Code',
  roots(machine) {
    return [
      ...extensionStorages('rooveterinaryinc.roo-cline', machine),
      join(machine.home, '.vscode-mock', 'global-storage'),
    ]
  },
  find: findRooTasks,
  userReplies: clineReplies,
}

/** The extension of Kilo to March 2026, which was made of Roo Code; the agent is in opencode/agent.ts. */
export const kiloExtension: Pick<Agent, 'roots' | 'find'> = {
  roots: (machine) => extensionStorages('kilocode.kilo-code', machine),
  find: findRooTasks,
}

function* findRooTasks(root: string): Iterable<DocumentTranscript> {
  const index = taskIndex(join(root, 'tasks', '_index.json'))
  for (const folder of listSubfolders(join(root, 'tasks'))) yield taskTranscript(folder, { dialect: 'roo', index })
}

function extensionStorages(extension: string, machine: Machine): string[] {
  return editorFolders(machine).map((folder) => join(folder, 'globalStorage', extension))
}
