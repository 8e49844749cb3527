// OpenAI Codex, the TypeScript CLI of 2025 to 0.166: one rollout file per thread, subagents and forks in files of their own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, LogTranscript, Transcript } from '../agent.ts'
import { compressedRollout, oldestRollout } from './documents.ts'
import { codexHooks } from './hooks.ts'
import { codexMemories } from './memories.ts'
import { type RolloutFile, rolloutFiles } from './places.ts'
import { openRollout } from './rollout.ts'
import { openTitles } from './titles.ts'

export const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  roots: (machine) => [codexHooks.home(machine)],
  *find(root) {
    const files = rolloutFiles(root)
    const byThread = Map.groupBy(files, (file) => file.thread)
    for (const file of files) yield transcript(file, byThread.get(file.thread) ?? [])
    const index = join(root, 'session_index.jsonl')
    if (existsSync(index)) yield { shape: 'log', path: index, open: (out) => openTitles(root, out) }
  },
  hooks: codexHooks,
  memories: codexMemories,
}

function transcript(file: RolloutFile, ofThread: RolloutFile[]): Transcript {
  if (file.extension === 'json') return oldestRollout(file.path)
  if (file.extension === 'jsonl') return rollout(file.path)
  // What a document says replaces its session, so a compressed rollout is read with the others of its thread.
  const others = file.thread === '' ? [] : ofThread.filter((other) => other !== file)
  return compressedRollout(file, others)
}

function rollout(path: string): LogTranscript {
  return { shape: 'log', path, isNoise, open: (out, state) => openRollout(path, out, state) }
}

/** Events that say again what a response item says, and a picture of the surroundings that nobody reads. */
const noise = [
  Buffer.from('"payload":{"type":"agent_message",'),
  Buffer.from('"payload":{"type":"agent_reasoning",'),
  Buffer.from('"type":"world_state",'),
]

function isNoise(line: Buffer): boolean {
  const start = line.subarray(0, 160)
  return noise.some((pattern) => start.includes(pattern))
}
