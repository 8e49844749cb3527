// Where agents read instructions and skills. Each line was seen in a request of the program itself: Claude Code 2.1.325, Codex
// 0.166, Gemini CLI 0.61, Copilot CLI 1.0.102; Cursor's is from its documentation. Of any other agent nothing is known here.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readTextOrEmpty } from '../../core/files.ts'
import type { Machine } from '../../core/paths.ts'

export interface AgentFiles {
  /** Where its rules are put. */
  rules: { path: string; form: 'block' | 'cursor rule' }
  /** Other files that it reads: a rule that stands there is told already. */
  alsoReads: string[]
  /** The folder of skills, and others in which it finds them; missing where it knows none. */
  skills?: { folder: string; alsoReads: string[] }
}

/** In the order in which they are served: Copilot CLI reads the files of most others. */
export const agentsWithFiles = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'copilot-cli'] as const
export type AgentWithFiles = (typeof agentsWithFiles)[number]

export function filesInProject(agent: AgentWithFiles, root: string): AgentFiles {
  const at = (...names: string[]) => names.map((name) => join(root, name))
  const block = (name: string): AgentFiles['rules'] => ({ path: join(root, name), form: 'block' })
  switch (agent) {
    case 'claude-code':
      return { rules: block(claudeFile(root)), alsoReads: [], skills: skills(join(root, '.claude/skills')) }
    case 'codex':
      return { rules: block('AGENTS.md'), alsoReads: [], skills: skills(join(root, '.agents/skills')) }
    case 'gemini-cli':
      return {
        rules: block(importsAgents(root, 'GEMINI.md') ? 'AGENTS.md' : 'GEMINI.md'),
        alsoReads: [],
        skills: skills(join(root, '.agents/skills')),
      }
    case 'cursor':
      return { rules: { path: join(root, '.cursor/rules/recollect.mdc'), form: 'cursor rule' }, alsoReads: [] }
    case 'copilot-cli':
      return {
        rules: block('.github/copilot-instructions.md'),
        alsoReads: at('CLAUDE.md', 'AGENTS.md', 'GEMINI.md'),
        skills: skills(join(root, '.github/skills'), at('.claude/skills', '.agents/skills')),
      }
    default:
      return agent satisfies never
  }
}

/** The user's own; undefined where the agent keeps them in no file. */
export function filesOfUser(agent: AgentWithFiles, { home, env }: Machine): AgentFiles | undefined {
  const agentSkills = join(home, '.agents/skills')
  const block = (path: string): AgentFiles['rules'] => ({ path, form: 'block' })
  switch (agent) {
    case 'claude-code': {
      const folder = env.CLAUDE_CONFIG_DIR || join(home, '.claude')
      return { rules: block(join(folder, 'CLAUDE.md')), alsoReads: [], skills: skills(join(folder, 'skills')) }
    }
    case 'codex':
      return {
        rules: block(join(env.CODEX_HOME || join(home, '.codex'), 'AGENTS.md')),
        alsoReads: [],
        skills: skills(agentSkills),
      }
    case 'gemini-cli':
      return { rules: block(join(home, '.gemini/GEMINI.md')), alsoReads: [], skills: skills(agentSkills) }
    case 'cursor':
      return undefined
    case 'copilot-cli': {
      const folder = env.COPILOT_HOME || join(home, '.copilot')
      return {
        rules: block(join(folder, 'copilot-instructions.md')),
        alsoReads: [],
        skills: skills(join(folder, 'skills'), [agentSkills]),
      }
    }
    default:
      return agent satisfies never
  }
}

function skills(folder: string, alsoReads: string[] = []): NonNullable<AgentFiles['skills']> {
  return { folder, alsoReads }
}

/** Claude Code reads AGENTS.md where there is no CLAUDE.md: to make one would hide everything that stands there. */
function claudeFile(root: string): string {
  const isThere = existsSync(join(root, 'CLAUDE.md'))
  const hasAgents = existsSync(join(root, 'AGENTS.md'))
  return (hasAgents && !isThere) || importsAgents(root, 'CLAUDE.md') ? 'AGENTS.md' : 'CLAUDE.md'
}

function importsAgents(root: string, name: string): boolean {
  return (
    /^[ \t]*@(?:\.\/)?AGENTS\.md[ \t]*\r?$/m.test(readTextOrEmpty(join(root, name))) &&
    existsSync(join(root, 'AGENTS.md'))
  )
}
