// OpenAI Codex, the TypeScript CLI of 2025 to 0.166, and the programs that grew out of it: one rollout
// file per thread, subagents and forks in files of their own.
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { blockIn } from '../instruction-files.ts'
import { configTomlMcp } from '../mcp-files.ts'
import { type CodexMember, codexAgent } from './family.ts'
import { codexHandoff } from './handoff.ts'
import { codexHooks } from './hooks.ts'
import { codexMemories } from './memories.ts'

const members: CodexMember[] = [
  {
    id: 'codex',
    name: 'Codex',
    resume: 'codex resume <id>',
    keepsPrompts: true,
    home: codexHooks.home,
    hooks: codexHooks,
    mcp: configTomlMcp(codexHooks.home),
    memories: codexMemories,
    instructions: {
      inProject: (root) => ({
        rules: blockIn(join(root, 'AGENTS.md')),
        alsoReads: [],
        skills: { folder: join(root, '.agents/skills'), alsoReads: [] },
      }),
      ofUser: (machine) => ({
        rules: blockIn(join(codexHooks.home(machine), 'AGENTS.md')),
        alsoReads: [],
        skills: { folder: join(machine.home, '.agents/skills'), alsoReads: [] },
      }),
    },
    handoff: codexHandoff,
  },
  {
    // TRAE CLI 0.200: its rollouts still name Codex as their origin.
    id: 'traex',
    name: 'TRAE CLI',
    aliases: ['trae', 'trae-cli'],
    home: ({ home }) => join(home, '.trae', 'cli'),
  },
  {
    // The version in Rust, as read in its source of August 2026. It ignores CODEX_HOME.
    id: 'open-interpreter',
    name: 'Open Interpreter',
    aliases: ['interpreter', 'openinterpreter'],
    home: ({ home, env }) => env.INTERPRETER_HOME || join(home, '.openinterpreter'),
  },
]

export const codexFamily: readonly Agent[] = members.map(codexAgent)
