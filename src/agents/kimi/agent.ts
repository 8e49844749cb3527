// Kimi: today's kimi-code and the kimi-cli before it. Both keep wire logs, of different shapes, in homes of their own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { listSubfolders } from '../files.ts'
import { kimiHooks } from './hooks.ts'
import { kimiCliTranscript } from './kimi-cli.ts'
import { kimiCodeTranscript } from './kimi-code.ts'

export const kimi: Agent = {
  id: 'kimi',
  name: 'Kimi',
  roots: (machine) => [kimiHooks.home(machine), machine.env.KIMI_SHARE_DIR || join(machine.home, '.kimi')],
  *find(root) {
    for (const project of listSubfolders(join(root, 'sessions'))) {
      for (const session of listSubfolders(project)) {
        for (const agent of listSubfolders(join(session, 'agents'))) {
          if (hasLog(agent)) yield kimiCodeTranscript(session, agent)
        }
        if (hasLog(session)) yield kimiCliTranscript(root, session)
      }
    }
  },
  hooks: kimiHooks,
}

function hasLog(folder: string): boolean {
  return existsSync(join(folder, 'wire.jsonl'))
}
