// Gemini CLI, 0.1 to 0.64: one file per session, first a JSON document, since 0.40 a log of updates
// to one.
import { join } from 'node:path'
import type { Agent, NativeMemories } from '../agent.ts'
import { findFiles } from '../files.ts'
import { blockIn, importsAgentsFile } from '../instruction-files.ts'
import { parseNotes } from '../markdown-notes.ts'
import { settingsMcp } from '../mcp-files.ts'
import { geminiCliHandoff } from './handoff.ts'
import { geminiCliHooks } from './hooks.ts'
import { findChats } from './reader.ts'

/**
 *  Written by `save_memory` to 0.64: bullets in one section of the user's GEMINI.md. The rest of
 * that file is the user's instructions, which the agent reads itself.
 */
const memorySection = 'Gemini Added Memories'

const geminiCliMemories: NativeMemories = {
  find: (machine) => [...findFiles(geminiCliHooks.home(machine), /^GEMINI\.md$/, 0)].map((path) => ({ path })),
  isMemoryPath: (path) => /[\\/]\.gemini[\\/]GEMINI\.md$/.test(path),
  read: (_, content) =>
    parseNotes(content)
      .filter(({ headings }) => headings.includes(memorySection))
      .map(({ text }) => ({ text, headings: [], scope: { kind: 'everywhere' }, trust: 'imported' })),
}

export const geminiCli: Agent = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  resume: 'gemini --resume <id>',
  // The seatbelt sandbox of macOS can only write below `.cache`.
  roots: (machine) => [geminiCliHooks.home(machine), join(machine.home, '.cache', '.gemini')],
  find: findChats,
  hooks: geminiCliHooks,
  mcp: settingsMcp(geminiCliHooks.home),
  memories: geminiCliMemories,
  instructions: {
    inProject: (root) => ({
      rules: blockIn(join(root, importsAgentsFile(root, 'GEMINI.md') ? 'AGENTS.md' : 'GEMINI.md')),
      alsoReads: [],
      skills: { folder: join(root, '.agents/skills'), alsoReads: [] },
    }),
    ofUser: ({ home }) => ({
      rules: blockIn(join(home, '.gemini/GEMINI.md')),
      alsoReads: [],
      skills: { folder: join(home, '.agents/skills'), alsoReads: [] },
    }),
  },
  userReplies: { questionTools: ['ask_user'] },
  handoff: geminiCliHandoff,
}
