// Aider, 0.47 to 0.86: one Markdown file per repository holds all its sessions. There are no ids
// and no times per message.
import { basename, join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { readForeignText, statOrUndefined } from '../../core/files.ts'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { listSubfolders } from '../files.ts'
import { readHistory } from './reader.ts'

const historyFile = '.aider.chat.history.md'
/** Folders in which repositories are looked for; others are named in the config. */
const codeFolders = 'src code dev projects repos work git Documents Developer workspace'.split(' ')

export const aider: Agent = {
  id: 'aider',
  name: 'Aider',
  roots({ home, env }) {
    return [...(env.AIDER_CHAT_HISTORY_FILE ? [env.AIDER_CHAT_HISTORY_FILE] : []), home]
  },
  *find(root) {
    if (isFile(root)) yield transcript(root)
    for (const folder of repositoriesOf(root)) {
      if (isFile(join(folder, historyFile))) yield transcript(join(folder, historyFile))
    }
  },
}

function* repositoriesOf(root: string): Iterable<string> {
  yield root
  for (const name of codeFolders) {
    for (const folder of visibleSubfolders(join(root, name))) {
      yield folder
      yield* visibleSubfolders(folder)
    }
  }
}

function visibleSubfolders(folder: string): string[] {
  return listSubfolders(folder).filter((path) => !/^(?:\.|node_modules$)/.test(basename(path)))
}

function isFile(path: string): boolean {
  return statOrUndefined(path)?.isFile() ?? false
}

function transcript(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      try {
        readHistory(readForeignText(path), path, out)
      } catch (error) {
        out.problem(0, messageOf(error))
      }
      return undefined
    },
  }
}
