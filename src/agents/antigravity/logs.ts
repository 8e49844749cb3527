// The files that a conversation of Antigravity is written to: the complete transcript, one in which
// long texts are cut, and in editors before July 2026 `overview.txt`, which has no results of tools.
// An update starts a newer file in the middle of a conversation: what preceded it is only in the older
// ones (reports of 2026).
import { join } from 'node:path'
import { statOrUndefined } from '../../core/files.ts'
import type { JsonRecord } from '../../core/jsonl.ts'
import type { ReaderOutput } from '../agent.ts'
import { readRecords } from '../files.ts'

/** Files of a conversation, the most detailed one first; none if it has only other things. */
export function logsIn(folder: string): string[] {
  const logs = join(folder, '.system_generated', 'logs')
  return ['transcript_full.jsonl', 'transcript.jsonl', 'overview.txt']
    .map((name) => join(logs, name))
    .filter((path) => {
      const file = statOrUndefined(path)
      return file?.isFile() && file.size > 0
    })
}

/** Steps of the other files that precede the first step of the first file. */
export function* stepsBefore(
  [path, ...older]: string[],
  out: Pick<ReaderOutput, 'problem'>,
  end = Number.POSITIVE_INFINITY,
): Generator<{ record: JsonRecord; offset: number }> {
  if (!path || older.length === 0) return
  const first = Math.min(end, firstStep(path))
  if (first === 0) return
  yield* stepsBefore(older, out, first)
  for (const step of readRecords(older[0]!, out)) {
    const { step_index: number } = step.record
    if (typeof number === 'number' && number < first) yield step
  }
}

/** Lines are only nearly in the order of their steps. */
const maxDisorder = 20

/** Zero if the file cannot be read: then nothing precedes it. */
function firstStep(path: string): number {
  let first = Number.POSITIVE_INFINITY
  let lines = 0
  for (const { record } of readRecords(path, { problem() {} })) {
    if (typeof record.step_index === 'number') first = Math.min(first, record.step_index)
    if (first === 0 || ++lines === maxDisorder) break
  }
  return Number.isFinite(first) ? first : 0
}
