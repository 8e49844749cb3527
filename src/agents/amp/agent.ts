// Amp, threads of version 85 to 220 (recordings of February 2026): one JSON file per thread, which is
// rewritten. Newer clients keep threads on a server and only some of them here.
import { join } from 'node:path'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { findFiles } from '../files.ts'
import { readThread } from './reader.ts'

export const amp: Agent = {
  id: 'amp',
  name: 'Amp',
  resume: 'amp threads continue <id>',
  roots({ home, env, platform }) {
    if (env.XDG_DATA_HOME) return [join(env.XDG_DATA_HOME, 'amp', 'threads')]
    if (platform === 'win32') return [join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'amp', 'threads')]
    return [join(home, '.local', 'share', 'amp', 'threads')] // on macOS too
  },
  *find(root) {
    for (const path of findFiles(root, /^T-[\w-]+\.json$/, 0)) yield transcript(path)
  },
}

function transcript(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      readThread(path, out)
      return undefined
    },
  }
}
