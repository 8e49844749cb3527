// Kimi: kimi-code and its predecessor kimi-cli. Both write wire logs, of different formats, in
// separate homes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RepairedPart } from '../../core/conversation/repaired-part.ts'
import { hasMark } from '../../core/redact/marks.ts'
import type { Agent } from '../agent.ts'
import { listSubfolders } from '../files.ts'
import { asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { kimiMcp } from '../mcp-files.ts'
import { leftOut } from '../repaired-parts.ts'
import { kimiHooks } from './hooks.ts'
import { kimiCliTranscript } from './kimi-cli.ts'
import { kimiCodeTranscript } from './kimi-code.ts'

export const kimi: Agent = {
  id: 'kimi',
  name: 'Kimi',
  resume: 'kimi --session <id>',
  repairPart,
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

/** Media are parts such as `{type: "image_url", image_url: {url}}`. */
function repairPart(part: JsonObject): RepairedPart | undefined {
  const { type, think, encrypted } = part
  if (type === 'think')
    return optionalString(encrypted) && hasMark([think, encrypted]) ? leftOut('thinking') : undefined
  const isMedium = /^(?:image|audio|video)_url$/.test(asString(type))
  return isMedium && hasMark(asObject(part[asString(type)]).url) ? leftOut('image') : undefined
}
