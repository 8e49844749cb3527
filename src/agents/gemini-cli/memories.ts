// What Gemini CLI's save_memory kept, to 0.64: bullets in one section of the user's own GEMINI.md. The rest of that file is the
// user's instructions, which the agent reads by itself.
import type { NativeMemories } from '../agent.ts'
import { findFiles } from '../folders.ts'
import { parseNotes } from '../markdown-notes.ts'
import { geminiCliHooks } from './hooks.ts'

const section = 'Gemini Added Memories'

export const geminiCliMemories: NativeMemories = {
  find: (machine) => [...findFiles(geminiCliHooks.home(machine), /^GEMINI\.md$/, 0)].map((path) => ({ path })),
  isMemoryPath: (path) => /[\\/]\.gemini[\\/]GEMINI\.md$/.test(path),
  read: (_, content) =>
    parseNotes(content)
      .filter(({ headings }) => headings.includes(section))
      .map(({ text }) => ({ text, headings: [], scope: { kind: 'everywhere' }, trust: 'imported' })),
}
