// Rollouts that do not grow by lines: the one JSON of the TypeScript CLI (to mid 2025) and those that Codex compressed.
import { messageOf } from '../../core/errors.ts'
import { parseLine } from '../../core/jsonl.ts'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import { asArray, asObject } from '../json-values.ts'
import { type RolloutFile, rolloutLines } from './places.ts'
import { openRollout } from './rollout.ts'

/** `{session, items}`: the same header and items that came one per line later. */
export function oldestRollout(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      const rollout = asObject(readJsonFile(path, out))
      const reader = openRollout(path, out, undefined)
      for (const record of [rollout.session, ...asArray(rollout.items)]) {
        reader.record({ ...asObject(record) } as Parameters<typeof reader.record>[0], 0)
      }
      return undefined
    },
  }
}

export function compressedRollout(file: RolloutFile, others: RolloutFile[]): DocumentTranscript {
  return {
    shape: 'document',
    path: file.path,
    also: others.map((other) => other.path),
    read(out) {
      const inOrder = [file, ...others].sort((a, b) => (a.path < b.path ? -1 : 1))
      for (const rollout of inOrder) readWhole(rollout, out)
      return undefined
    },
  }
}

function readWhole(file: RolloutFile, out: ReaderOutput): void {
  const reader = openRollout(file.path, out, undefined)
  try {
    for (const line of rolloutLines(file)) {
      const { records, bad } = parseLine(line.bytes)
      if (bad && line.isWhole) out.problem(line.offset + bad.at, bad.reason)
      for (const record of records) reader.record(record, line.offset)
    }
  } catch (error) {
    out.problem(0, messageOf(error))
  }
}
