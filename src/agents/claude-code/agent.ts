// Claude Code, 1.0 to 2.1.325, and OpenClaude, which is made of it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, InstructionFiles } from '../agent.ts'
import { blockIn, importsAgentsFile } from '../instruction-files.ts'
import { claudeCodeMcp } from '../mcp-files.ts'
import { applicationData } from '../user-folders.ts'
import { type ClaudeMember, claudeAgent } from './family.ts'
import { claudeCodeHandoff } from './handoff.ts'
import { claudeCodeHooks, claudeCodeStatusLine, claudeHooks, configuredHomes } from './hooks.ts'
import { claudeCodeMemories } from './memories.ts'
import { openClaude, openClaudeHome } from './openclaude.ts'

const members: ClaudeMember[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    resume: 'claude --resume <id>',
    dialect: {},
    roots(machine) {
      const { home } = machine
      const homes = configuredHomes(machine)
      const desktop = join(applicationData(machine), 'Claude')
      return [
        ...(homes.length > 0 ? homes : [join(home, '.claude'), join(home, '.config', 'claude')]),
        join(desktop, 'claude-code-sessions'),
        join(desktop, 'local-agent-mode-sessions'),
      ]
    },
    hooks: claudeCodeHooks,
    statusLine: claudeCodeStatusLine,
    mcp: claudeCodeMcp((machine) => configuredHomes(machine)[0]),
    memories: claudeCodeMemories,
    instructions: { inProject: instructionsInProject, ofUser: instructionsOfUser },
    isForkable: true,
    handoff: claudeCodeHandoff,
  },
  {
    id: 'openclaude',
    name: 'OpenClaude',
    resume: 'openclaude --resume <id>',
    dialect: openClaude,
    roots: (machine) => [openClaudeHome(machine)],
    hooks: claudeHooks(openClaudeHome),
  },
]

export const claudeFamily: readonly Agent[] = members.map(claudeAgent)

/**
 * Claude Code reads AGENTS.md if there is no CLAUDE.md: creating one would hide everything that is
 * written in AGENTS.md.
 */
function instructionsInProject(root: string): InstructionFiles {
  const hasOnlyAgents = existsSync(join(root, 'AGENTS.md')) && !existsSync(join(root, 'CLAUDE.md'))
  const file = hasOnlyAgents || importsAgentsFile(root, 'CLAUDE.md') ? 'AGENTS.md' : 'CLAUDE.md'
  const skills = { folder: join(root, '.claude/skills'), alsoReads: [] }
  return { rules: blockIn(join(root, file)), alsoReads: [], skills }
}

function instructionsOfUser({ home, env }: Machine): InstructionFiles {
  const folder = env.CLAUDE_CONFIG_DIR || join(home, '.claude')
  const skills = { folder: join(folder, 'skills'), alsoReads: [] }
  return { rules: blockIn(join(folder, 'CLAUDE.md')), alsoReads: [], skills }
}
