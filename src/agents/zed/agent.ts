// Zed's built-in agent, documents 0.1 to 0.3 (source of August 2026; no recording seen): one SQLite
// database with a compressed document per thread. Agents that Zed runs through the Agent Client
// Protocol keep their sessions in their own homes.
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { listEntries } from '../files.ts'
import { readThreads } from './database.ts'

export const zed: Agent = {
  id: 'zed',
  name: 'Zed',
  roots({ home, env, platform }) {
    if (platform === 'darwin') return [join(home, 'Library', 'Application Support', 'Zed')]
    if (platform === 'win32') return [join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Zed')]
    return [join(env.FLATPAK_XDG_DATA_HOME || env.XDG_DATA_HOME || join(home, '.local', 'share'), 'zed')]
  },
  *find(root) {
    const path = join(root, 'threads', 'threads.db')
    if (listEntries(join(root, 'threads')).some((entry) => entry.name === 'threads.db'))
      yield { shape: 'document', path, also: [`${path}-wal`], read: (out, memo) => readThreads(path, out, memo) }
  },
  userReplies: { questionTools: ['ask_user'], answerPrefixes: ['The user selected: '] },
}
