// QwenPaw, before 2026 CoPaw (source of May 2026, and made-up recordings of others): one JSON file per
// session below the workspace of an agent, which is rewritten.
import { basename, join } from 'node:path'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { findFiles, listSubfolders } from '../files.ts'
import { type PawSessionFile, readSessionFile } from './reader.ts'

export const qwenPaw: Agent = {
  id: 'qwenpaw',
  name: 'QwenPaw',
  aliases: ['copaw'],
  roots({ home, env }) {
    const configured = env.QWENPAW_WORKING_DIR || env.COPAW_WORKING_DIR
    return configured ? [configured] : [join(home, '.copaw'), join(home, '.qwenpaw')]
  },
  *find(root) {
    for (const workspace of listSubfolders(join(root, 'workspaces'))) yield* sessionsOf(workspace, basename(workspace))
    yield* sessionsOf(root, 'default') // before agents had workspaces
  },
}

/** A channel has a folder of its own; the file beside the folders that it was copied from remains. */
function* sessionsOf(workspace: string, agent: string): Iterable<DocumentTranscript> {
  const sessions = join(workspace, 'sessions')
  const channels = listSubfolders(sessions).filter((folder) => !basename(folder).startsWith('.'))
  const moved = new Set<string>()
  for (const folder of channels) {
    for (const path of findFiles(folder, sessionFile, 0)) {
      moved.add(basename(path))
      yield transcript({ path, workspace, agent, channel: basename(folder) })
    }
  }
  for (const path of findFiles(sessions, sessionFile, 0))
    if (!moved.has(basename(path))) yield transcript({ path, workspace, agent })
}

const sessionFile = /^[^.].*\.json$/

function transcript(place: PawSessionFile): DocumentTranscript {
  return {
    shape: 'document',
    path: place.path,
    also: [join(place.workspace, 'chats.json')],
    read: (out, memo) => readSessionFile(place, out, memo),
  }
}
