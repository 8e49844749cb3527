// iFlow CLI, one recording of January 2026 and the bundle of 0.5.19: one JSONL file per session and
// project. No command that continues a session by its id is documented.
import { join } from 'node:path'
import type { Agent, LogTranscript } from '../agent.ts'
import { findFiles } from '../files.ts'
import { repairMessagesBlock } from '../repaired-parts.ts'
import { openIflow } from './reader.ts'

export const iflow: Agent = {
  id: 'iflow',
  name: 'iFlow CLI',
  aliases: ['iflow-cli'],
  repairPart: repairMessagesBlock,
  roots: ({ home, env }) => [env.IFLOW_HOME || join(home, '.iflow')],
  *find(root) {
    for (const path of findFiles(join(root, 'projects'), /\.jsonl$/, 1)) yield transcript(path)
  },
}

function transcript(path: string): LogTranscript {
  return { shape: 'log', path, open: (out, state) => openIflow(path, out, state) }
}
