// Factory Droid (seen March 2026): one JSONL file per session with Anthropic blocks; tokens only as
// a running total in <session>.settings.json beside it.
import { join } from 'node:path'
import type { Agent, LogTranscript } from '../agent.ts'
import { findFiles } from '../files.ts'
import { droidMcp } from '../mcp-files.ts'
import { repairMessagesBlock } from '../repaired-parts.ts'
import { droidHandoff } from './handoff.ts'
import { droidHooks } from './hooks.ts'
import { openDroid, settingsOf } from './reader.ts'

export const droid: Agent = {
  id: 'droid',
  name: 'Factory Droid',
  resume: 'droid --resume <id>',
  roots: (machine) => [droidHooks.home(machine)],
  *find(root) {
    for (const path of findFiles(join(root, 'sessions'), /\.jsonl$/, 1)) yield transcript(path)
  },
  hooks: droidHooks,
  repairPart: repairMessagesBlock,
  handoff: droidHandoff,
  mcp: droidMcp(droidHooks.home),
  userReplies: {
    questionTools: ['AskUser'],
    answerPatterns: [String.raw`\[question\] ([^\n]+)\n\[answer\] ([^\n]+)`],
  },
}

function transcript(path: string): LogTranscript {
  return { shape: 'log', path, also: [settingsOf(path)], open: (out, state) => openDroid(path, out, state) }
}
