// Pi, session versions 1 to 3 (seen to March 2026): one JSONL file per session, a tree from version
// 2 on.
import type { Agent, LogTranscript } from '../agent.ts'
import { findFiles } from '../files.ts'
import { piHandoff, sessionFolders } from './handoff.ts'
import { openPi } from './reader.ts'

export const pi: Agent = {
  id: 'pi',
  name: 'Pi',
  resume: 'pi --session <id>',
  roots: sessionFolders,
  *find(root) {
    for (const path of findFiles(root, /\.jsonl$/, 1)) yield transcript(path)
  },
  handoff: piHandoff,
}

function transcript(path: string): LogTranscript {
  return { shape: 'log', path, open: (out, state) => openPi(path, out, state) }
}
