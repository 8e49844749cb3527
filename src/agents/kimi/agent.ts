// Kimi: kimi-code and its predecessor kimi-cli. Both write wire logs, of different formats, in
// separate homes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { listSubfolders } from '../files.ts'
import { kimiMcp } from '../mcp-files.ts'
import { kimiHooks } from './hooks.ts'
import { kimiCliTranscript } from './kimi-cli.ts'
import { kimiCodeTranscript } from './kimi-code.ts'

export const kimi: Agent = {
  id: 'kimi',
  name: 'Kimi',
  resume: 'kimi --session <id>',
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
  mcp: kimiMcp(kimiHooks.home),
  userReplies: {
    denials: [String.raw`(?:The )?tool\b[^\n]{0,300}?\buser(?:'s)? feedback:`],
    questionTools: ['AskUserQuestion'],
  },
}

function hasLog(folder: string): boolean {
  return existsSync(join(folder, 'wire.jsonl'))
}
