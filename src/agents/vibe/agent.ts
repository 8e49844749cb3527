// Mistral Vibe, 2.18 and 2.19 (recordings of July 2026 and the source of 2.18.4): a folder per
// session with messages.jsonl, which grows, and meta.json.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, LogTranscript } from '../agent.ts'
import { findFiles, listSubfolders } from '../files.ts'
import { blockIn } from '../instruction-files.ts'
import { openVibe } from './reader.ts'
import { subagentsFolder } from './session-meta.ts'

export const vibe: Agent = {
  id: 'vibe',
  name: 'Mistral Vibe',
  aliases: ['mistral-vibe', 'mistral'],
  resume: 'vibe --resume <id>',
  roots: (machine) => [join(vibeHome(machine), 'logs', 'session')],
  *find(root) {
    for (const folder of listSubfolders(root)) {
      for (const session of [folder, ...listSubfolders(join(folder, subagentsFolder))]) {
        const path = join(session, 'messages.jsonl')
        if (existsSync(path)) yield transcript(path, [join(session, 'meta.json')])
      }
    }
    for (const path of findFiles(root, /\.jsonl$/, 0)) yield transcript(path, [])
  },
  instructions: {
    // Documented in its README.
    inProject: (root) => ({
      rules: blockIn(join(root, 'AGENTS.md')),
      alsoReads: [],
      skills: { folder: join(root, '.agents/skills'), alsoReads: [join(root, '.vibe/skills')] },
    }),
    ofUser: (machine) => ({
      rules: blockIn(join(vibeHome(machine), 'AGENTS.md')),
      alsoReads: [],
      skills: { folder: join(machine.home, '.agents/skills'), alsoReads: [join(vibeHome(machine), 'skills')] },
    }),
  },
  userReplies: { questionTools: ['ask_user_question'] },
}

function vibeHome({ home, env }: Machine): string {
  return env.VIBE_HOME || join(home, '.vibe')
}

function transcript(path: string, also: string[]): LogTranscript {
  return { shape: 'log', path, also, open: (out, state) => openVibe(path, out, state) }
}
