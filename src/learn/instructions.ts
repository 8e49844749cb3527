// Reads the lines of a project's instruction files: statements that are there already need not be
// learned.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readTextOrEmpty } from '../core/files.ts'
import { findRepository } from '../core/project/project.ts'

const names = [
  'CLAUDE.md',
  'AGENTS.md',
  'GEMINI.md',
  'CLAUDE.local.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
]
const maxCharacters = 200_000
const maxLineLength = 1000

/** Looks in the folder and at the root of its repository. */
export function instructionLines(folder: string): string[] {
  if (!existsSync(folder)) return []
  const root = findRepository(folder)?.folder
  const files = [...new Set([folder, ...(root ? [root] : [])])].flatMap((at) => names.map((name) => join(at, name)))
  return files.flatMap((path) =>
    readTextOrEmpty(path)
      .slice(0, maxCharacters)
      .split('\n')
      .map((line) => line.replace(/^[\s>*#\-\d.)]+/, '').trim())
      .filter((line) => line.length > 15)
      .map((line) => line.slice(0, maxLineLength)),
  )
}
