// The reading half of capture: transcript after transcript, in batches ready to be written. Many small transcripts make one
// batch; one large transcript makes several.
import { messageOf } from '../core/errors.ts'
import { LineTooLong } from '../core/jsonl.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import type { Found } from './discover.ts'
import { partSize } from './gather.ts'
import { type Prepared, prepare, type Tools } from './prepare.ts'
import { type Part, readParts } from './read.ts'

export type Produced =
  | { kind: 'batch'; prepared: Prepared; bytesDone: number }
  | { kind: 'failed'; path: string; reason: string }
  /** Too large for the memory that was given; to be read where there is more. */
  | { kind: 'left'; path: string }

export interface Job {
  changed: readonly Found[]
  /** Cursors of the transcripts that were read before, by path. */
  cursors: ReadonlyMap<string, Cursor>
  /** The longest line and the largest document that may be held. */
  longest?: number
}

export function* produce({ changed, cursors, longest }: Job, tools: Tools): Generator<Produced> {
  const bytes = changed.reduce((sum, one) => sum + one.size, 0)
  let parts: Part[] = []
  let size = 0
  let bytesDone = 0
  const batch = (done: number): Produced => {
    const prepared = prepare(parts, tools)
    parts = []
    size = 0
    return { kind: 'batch', prepared, bytesDone: done }
  }
  for (const one of changed) {
    try {
      for (const part of readParts(one, cursors.get(one.transcript.path), longest)) {
        parts.push(part)
        size += part.load.size
        const done = bytesDone + part.cursor.offset
        if (size > batchSize(Math.min(done, bytes - done))) yield batch(done)
      }
    } catch (error) {
      const { path } = one.transcript
      yield error instanceof LineTooLong ? { kind: 'left', path } : { kind: 'failed', path, reason: messageOf(error) }
    }
    bytesDone += one.size
  }
  if (parts.length > 0) yield batch(bytesDone)
}

/** Small batches first and last: who writes them waits for the first, and who reads has nothing to do after the last. */
function batchSize(bytesToEnd: number): number {
  return Math.min(partSize, Math.max(partSize / 8, bytesToEnd / 8))
}
