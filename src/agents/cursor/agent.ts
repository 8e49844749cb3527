// Cursor: agent transcripts of its command line and its editor, and the editor's own database
// (builds of 2025 and 2026).
import { basename, dirname, join } from 'node:path'
import type { Agent, Transcript } from '../agent.ts'
import { listEntries, listSubfolders } from '../files.ts'
import { cursorMcp } from '../mcp-files.ts'
import { applicationData } from '../user-folders.ts'
import { editorTranscript } from './editor.ts'
import { cursorHooks } from './hooks.ts'
import { logTranscript, textTranscript } from './reader.ts'

export const cursor: Agent = {
  id: 'cursor',
  name: 'Cursor',
  roots: (machine) => [
    machine.env.CURSOR_DATA_DIR || join(machine.home, '.cursor'),
    join(applicationData(machine), 'Cursor'),
  ],
  *find(root) {
    const storage = join(root, 'User', 'globalStorage')
    if (listEntries(storage).some((entry) => entry.name === 'state.vscdb'))
      yield editorTranscript(join(storage, 'state.vscdb'), join(root, 'User', 'workspaceStorage'))
    const chats = chatFolders(join(root, 'chats'))
    for (const project of listSubfolders(join(root, 'projects')))
      yield* findIn(join(project, 'agent-transcripts'), { root, slug: basename(project), chats })
  },
  hooks: cursorHooks,
  mcp: cursorMcp(cursorHooks.home),
  instructions: {
    inProject: (root) => ({
      rules: { path: join(root, '.cursor/rules/recollect.mdc'), form: 'cursor rule' },
      alsoReads: [],
    }),
  },
  userReplies: { questionTools: ['AskQuestion'] },
}

interface ProjectChats {
  root: string
  slug: string
  chats: Map<string, string>
}

/** Chats of the command line by id; they lie below a hash of their working folder. */
function chatFolders(folder: string): Map<string, string> {
  const chats = listSubfolders(folder).flatMap((hash) => listSubfolders(hash))
  return new Map(chats.map((chat) => [basename(chat), chat]))
}

/** `<id>.jsonl` or `<id>/<id>.jsonl`, with `subagents` beside it. */
function* findIn(folder: string, place: ProjectChats): Iterable<Transcript> {
  yield* transcripts(folder, place)
  for (const session of listSubfolders(folder)) {
    yield* transcripts(session, place)
    yield* transcripts(join(session, 'subagents'), place, basename(session))
  }
}

/** Builds of 2025 wrote `<id>.txt`; a chat that was continued later has a log as well. */
function* transcripts(folder: string, place: ProjectChats, parent?: string): Iterable<Transcript> {
  const files = listEntries(folder).filter((entry) => entry.isFile())
  const logs = files.filter(({ name }) => name.endsWith('.jsonl')).map(({ name }) => basename(name, '.jsonl'))
  const texts = files.filter(({ name }) => name.endsWith('.txt')).map(({ name }) => basename(name, '.txt'))
  for (const id of logs) yield logTranscript(join(folder, `${id}.jsonl`), locateChat(id, place, parent))
  for (const id of texts)
    if (!logs.includes(id)) yield textTranscript(join(folder, `${id}.txt`), locateChat(id, place, parent))
}

function locateChat(id: string, { root, slug, chats }: ProjectChats, parent: string | undefined) {
  return { id, slug, parent, home: dirname(root), chat: chats.get(parent ?? id) }
}
