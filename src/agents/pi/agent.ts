// Pi, session versions 1 to 3 (seen to March 2026): one JSONL file per session, a tree from version
// 2 on.
import { join } from 'node:path'
import type { Agent, LogTranscript } from '../agent.ts'
import { findFiles } from '../files.ts'
import { openPi } from './reader.ts'

export const pi: Agent = {
  id: 'pi',
  name: 'Pi',
  roots({ home, env }) {
    const agentFolder = env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent')
    const sessions = join(agentFolder, 'sessions')
    return env.PI_CODING_AGENT_SESSION_DIR ? [env.PI_CODING_AGENT_SESSION_DIR, sessions] : [sessions]
  },
  *find(root) {
    for (const path of findFiles(root, /\.jsonl$/, 1)) yield transcript(path)
  },
}

function transcript(path: string): LogTranscript {
  return { shape: 'log', path, open: (out, state) => openPi(path, out, state) }
}
