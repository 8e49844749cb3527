// Names new body files, and packs bodies again that have become fragmented.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from '../store/ledger.ts'
import { bodyFile, deleteBody, emptyBody, repackBody, type SessionBody } from '../store/sessions/bodies.ts'
import type { BodyHeader } from '../store/sessions/body-frames.ts'
import { isScheduledForDeletion } from '../store/sessions/evictions.ts'
import type { OpenSession } from '../store/sessions/sessions.ts'

/** An empty body for a session whose text is written to a new file in this transaction. */
export function newBody(ledger: Ledger, { uid, body }: Pick<OpenSession, 'uid' | 'body'>): SessionBody {
  const file = freeFile(ledger, uid, generationOf(body?.file) + (body ? 1 : 0))
  ledger.onRollback(() => deleteBody(ledger.layout.bodies, file))
  return emptyBody(file)
}

/**
 * Skips names whose file is about to be deleted: eviction removes files after its transaction,
 * while imports from other machines may run. Also skips existing files: one that the ledger does
 * not know may be the only copy of its events, until it is adopted.
 */
function freeFile(ledger: Ledger, uid: string, generation: number): string {
  const file = bodyFile(uid, generation)
  const isTaken = isScheduledForDeletion(ledger, file) || existsSync(join(ledger.layout.bodies, file))
  return isTaken ? freeFile(ledger, uid, generation + 1) : file
}

/** A body that cannot be read completely is not repacked; it keeps growing. */
export function repacked(folder: string, body: SessionBody, to: SessionBody, header: BodyHeader): SessionBody {
  try {
    return repackBody(folder, body, to, { header })
  } catch {
    deleteBody(folder, to.file)
    return body
  }
}

function generationOf(file: string | undefined): number {
  return Number(/\.(\d+)\.zst$/.exec(file ?? '')?.[1] ?? 0)
}
