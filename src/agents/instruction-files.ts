// Builds `instructions` of agents. Each path was seen in a request of the program itself: Claude
// Code 2.1.325, Codex 0.166, Gemini CLI 0.61, Copilot CLI 1.0.102, Continue 1.5.47; Cursor's is from its
// documentation.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InstructionFiles } from './agent.ts'

/** Rules as a marked block in a file that the user may edit. */
export function blockIn(path: string): InstructionFiles['rules'] {
  return { path, form: 'block' }
}

/**
 * Whether a file of the project imports AGENTS.md (`@AGENTS.md`), which then holds the rules of
 * both.
 */
export function importsAgentsFile(root: string, name: string): boolean {
  if (!existsSync(join(root, 'AGENTS.md'))) return false
  try {
    return /^[ \t]*@(?:\.\/)?AGENTS\.md[ \t]*\r?$/m.test(readFileSync(join(root, name), 'utf8'))
  } catch {
    return false // there is no such file
  }
}
