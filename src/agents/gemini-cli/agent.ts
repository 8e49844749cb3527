// Gemini CLI, 0.1 to 0.64: one file per session, first a JSON document, since 0.40 a log of updates to one.
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { findChats } from './chats.ts'
import { geminiCliHooks } from './hooks.ts'
import { geminiCliMemories } from './memories.ts'

export const geminiCli: Agent = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  // The seatbelt sandbox of macOS can only write below `.cache`.
  roots: (machine) => [geminiCliHooks.home(machine), join(machine.home, '.cache', '.gemini')],
  find: findChats,
  hooks: geminiCliHooks,
  memories: geminiCliMemories,
}
