// Kimi: today's kimi-code and the kimi-cli before it. Both keep wire logs, of different shapes, in homes of their own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { subfolders } from '../folders.ts'
import { kimiCliTranscript } from './kimi-cli.ts'
import { kimiCodeTranscript } from './kimi-code.ts'

export const kimi: Agent = {
  id: 'kimi',
  name: 'Kimi',
  roots: ({ home, env }) => [env.KIMI_CODE_HOME || join(home, '.kimi-code'), env.KIMI_SHARE_DIR || join(home, '.kimi')],
  *find(root) {
    for (const project of subfolders(join(root, 'sessions'))) {
      for (const session of subfolders(project)) {
        for (const agent of subfolders(join(session, 'agents'))) {
          if (hasLog(agent)) yield kimiCodeTranscript(session, agent)
        }
        if (hasLog(session)) yield kimiCliTranscript(root, session)
      }
    }
  },
}

function hasLog(folder: string): boolean {
  return existsSync(join(folder, 'wire.jsonl'))
}
