// OpenCode to 1.x and its second schema, and the programs that grew out of it.
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, UserReplies } from '../agent.ts'
import { kiloExtension } from '../cline/agent.ts'
import { openCodeMcp } from '../mcp-files.ts'
import { type OpenCodeMember, openCodeAgent } from './family.ts'
import { pluginHooks } from './hooks.ts'
import { zcode } from './zcode.ts'

/** Answers have the form of Claude Code's. */
const replies: UserReplies = {
  denials: [String.raw`(?:\w*Error: )?The user rejected[^\n]{0,300}?\bwith(?: the following)? feedback:`],
  questionTools: ['question'],
}

const members: OpenCodeMember[] = [
  {
    id: 'opencode',
    name: 'OpenCode',
    resume: 'opencode --session <id>',
    folder: dataFolder('opencode'),
    database: /^opencode(?:-[\w.]+)?\.db$/, // release channels have their own: opencode-dev.db
    variable: 'OPENCODE_DB',
    dialect: {},
    // OpenCode downloads this package itself, but waits for it only if there is a plugin: without a
    // network, forever.
    hooks: pluginHooks(configFolder('opencode'), (machine) =>
      join(configFolder('opencode')(machine), 'node_modules', '@opencode-ai', 'plugin'),
    ),
    mcp: openCodeMcp(configFolder('opencode'), 'opencode'),
    userReplies: replies,
  },
  {
    // Kilo CLI, and the extensions that run it since 2026; seen in 7.7.7.
    id: 'kilo',
    name: 'Kilo',
    aliases: ['kilo-code', 'kilocode'],
    resume: 'kilo --session <id>',
    folder: dataFolder('kilo'),
    database: /^kilo(?:-[\w.]+)?\.db$/,
    variable: 'KILO_DB',
    dialect: {},
    // Kilo downloads a package when it first finds a plugin, and waits 70 s without a network.
    hooks: pluginHooks(configFolder('kilo'), configFolder('kilo')),
    mcp: openCodeMcp(configFolder('kilo'), 'kilo'),
    userReplies: replies,
    predecessor: kiloExtension,
  },
  {
    // MiMo Code, as read in its source of 2026; no database of it was seen.
    id: 'mimo',
    name: 'MiMo Code',
    aliases: ['mimo-code', 'mimocode'],
    folder: dataFolder('mimocode'),
    database: /^mimocode(?:-[\w.]+)?\.db$/,
    dialect: {
      ignoredParts: ['checkpoint'],
      ownSessions: /^(?:checkpoint[-_ ]?writer|auto[-_ ]?(?:dream|distill))\b/i,
    },
    userReplies: replies,
  },
  {
    id: 'zcode',
    name: 'ZCode',
    folder: ({ home }) => join(home, '.zcode', 'cli', 'db'),
    database: /^db\.sqlite$/,
    dialect: zcode,
  },
]

export const openCodeFamily: readonly Agent[] = members.map(openCodeAgent)

function dataFolder(name: string): (machine: Machine) => string {
  return ({ home, env }) => join(env.XDG_DATA_HOME || join(home, '.local', 'share'), name)
}

function configFolder(name: string): (machine: Machine) => string {
  return ({ home, env }) => join(env.XDG_CONFIG_HOME || join(home, '.config'), name)
}
