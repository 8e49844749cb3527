// The reading half of capture: transcript after transcript, in batches ready to be written. Many small transcripts make one
// batch; one large transcript makes several.
import { messageOf } from '../core/errors.ts'
import type { Cursor } from '../store/cursors.ts'
import type { Found } from './discover.ts'
import { type Prepared, prepare, type Tools } from './prepare.ts'
import { type Part, partSize, readParts } from './read.ts'

export type Produced =
  | { kind: 'batch'; prepared: Prepared; bytesDone: number }
  | { kind: 'failed'; path: string; reason: string }

export interface Job {
  changed: readonly Found[]
  /** Cursors of the transcripts that were read before, by path. */
  cursors: ReadonlyMap<string, Cursor>
}

/** While a batch is being compressed, the next one is read. */
export async function* produce({ changed, cursors }: Job, tools: Tools): AsyncGenerator<Produced> {
  let ahead: Promise<Produced> | undefined
  for (const batch of batches(changed, cursors)) {
    const next = batch.kind === 'failed' ? Promise.resolve(batch) : prepared(batch, tools)
    if (ahead) yield await ahead
    ahead = next
  }
  if (ahead) yield await ahead
}

async function prepared({ parts, bytesDone }: Batch, tools: Tools): Promise<Produced> {
  return { kind: 'batch', prepared: await prepare(parts, tools), bytesDone }
}

interface Batch {
  kind: 'parts'
  parts: Part[]
  bytesDone: number
}

type Failed = Extract<Produced, { kind: 'failed' }>

function* batches(changed: Job['changed'], cursors: Job['cursors']): Generator<Batch | Failed> {
  let parts: Part[] = []
  let size = 0
  let bytesDone = 0
  for (const one of changed) {
    try {
      for (const part of readParts(one, cursors.get(one.transcript.path))) {
        parts.push(part)
        size += part.load.size
        if (size <= partSize) continue
        yield { kind: 'parts', parts, bytesDone: bytesDone + part.cursor.offset }
        parts = []
        size = 0
      }
    } catch (error) {
      yield { kind: 'failed', path: one.transcript.path, reason: messageOf(error) }
    }
    bytesDone += one.size
  }
  if (parts.length > 0) yield { kind: 'parts', parts, bytesDone }
}
