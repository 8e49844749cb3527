// gptme (source of August 2026, one made-up recording of others): a folder per conversation with
// conversation.jsonl, which is rewritten when a message is edited or undone.
import { basename, join } from 'node:path'
import { parse } from 'smol-toml'
import { readForeignText } from '../../core/files.ts'
import type { Json, SessionDetails } from '../../core/session.ts'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { listEntries, listSubfolders } from '../files.ts'
import { asObject, asString, optionalString } from '../json-values.ts'
import { sharedData } from '../user-folders.ts'
import { readConversation } from './reader.ts'

export const gptme: Agent = {
  id: 'gptme',
  name: 'gptme',
  resume: 'gptme --name <id>',
  roots(machine) {
    const { home, env } = machine
    if (env.GPTME_LOGS_HOME) return [env.GPTME_LOGS_HOME]
    const folders = [join(sharedData(machine), 'gptme', 'logs')]
    // On macOS it prefers the folder of Linux if there is one.
    if (!env.XDG_DATA_HOME) folders.push(join(home, '.local', 'share', 'gptme', 'logs'))
    return [...new Set(folders)]
  },
  *find(root) {
    for (const folder of listSubfolders(root)) {
      const isConversation = listEntries(folder).some((entry) => entry.isFile() && entry.name === fileName)
      if (isConversation) yield transcript(folder, root)
    }
  },
}

const fileName = 'conversation.jsonl'

/** Copies of the conversation in `branches` and `views` are not read. */
function transcript(folder: string, root: string): DocumentTranscript {
  const path = join(folder, fileName)
  const config = join(folder, 'config.toml')
  return {
    shape: 'document',
    path,
    also: [config],
    read(out) {
      readConversation(path, basename(folder), aboutOf(config, root), out)
      return undefined
    },
  }
}

/** The settings of the conversation: its folder, model and name. */
function aboutOf(path: string, root: string): SessionDetails {
  const chat = asObject(asObject(tomlAt(path)).chat)
  const workspace = asString(chat.workspace)
  const title = optionalString(chat.name)
  return {
    cwd: optionalString(workspace.replace(/^~(?=\/)/, homeOf(root))),
    model: optionalString(chat.model),
    ...(title ? { title, titleRank: 3 } : {}),
  }
}

/** The home that contains the logs; a path that cannot be expanded stays as it is. */
function homeOf(root: string): string {
  return /^(.*)[/\\](?:\.local[/\\]share|Library[/\\]Application Support)[/\\]gptme[/\\]/.exec(root)?.[1] ?? '~'
}

function tomlAt(path: string): Json | undefined {
  try {
    return parse(readForeignText(path)) as Json
  } catch {
    return undefined // missing, or not valid
  }
}
