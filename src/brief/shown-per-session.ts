// Records which memories a session was shown, so that each is shown once. The ledger holds this for
// prompts and briefs; a session that is not captured yet (in its first turn) uses a file in
// run/told.
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTextOrEmpty } from '../core/files.ts'
import type { Ledger } from '../store/ledger.ts'
import { markShown, memoriesShownIn, sessionRowId } from '../store/memories/usage.ts'

export interface ShownMemories {
  /** Undefined until the session is captured. */
  session: number | undefined
  file: string
  /** Memories that only the file lists. */
  waiting: string[]
  memories: ReadonlySet<string>
}

export function readShown(ledger: Ledger, uid: string): ShownMemories {
  const name = createHash('sha256').update(uid).digest('hex').slice(0, 32)
  const file = join(folderOf(ledger), name)
  const waiting = readTextOrEmpty(file).split('\n').filter(Boolean)
  const session = sessionRowId(ledger, uid)
  const shown = session === undefined ? [] : memoriesShownIn(ledger, session)
  return { session, file, waiting, memories: new Set([...waiting, ...shown]) }
}

export function saveShown(ledger: Ledger, before: ShownMemories, memories: readonly string[], atMs: number): void {
  const { session, file, waiting } = before
  if (session === undefined) {
    if (memories.length > 0) keepUntilCaptured(folderOf(ledger), file, memories, atMs)
    return
  }
  if (waiting.length + memories.length === 0) return
  ledger.transaction(() => markShown(ledger, session, [...waiting, ...memories], atMs))
  rmSync(file, { force: true })
}

function folderOf({ layout }: Ledger): string {
  return join(layout.run, 'told')
}

function keepUntilCaptured(folder: string, file: string, memories: readonly string[], atMs: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? atMs
    if (atMs - changedMs > keptMs) rmSync(path, { force: true })
  }
  appendFileSync(file, memories.map((id) => `${id}\n`).join(''), { mode: 0o600 })
}

/** By then the session was captured or never will be. */
const keptMs = 7 * 86_400_000
