// Which memories a session has been told, so that it hears each of them once. The ledger remembers that for its prompts as for
// its brief; a session that it does not know yet, because the first turn is under way, has a file until it does.
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTextOrEmpty } from '../core/files.ts'
import type { Ledger } from '../store/ledger.ts'
import { markShown, memoriesShownIn, sessionRowId } from '../store/memories/usage.ts'

export interface Told {
  /** Undefined as long as the session has not been captured. */
  session: number | undefined
  file: string
  /** What only the file knows. */
  waiting: string[]
  memories: ReadonlySet<string>
}

export function toldBefore(ledger: Ledger, uid: string): Told {
  const name = createHash('sha256').update(uid).digest('hex').slice(0, 32)
  const file = join(folderOf(ledger), name)
  const waiting = readTextOrEmpty(file).split('\n').filter(Boolean)
  const session = sessionRowId(ledger, uid)
  const shown = session === undefined ? [] : memoriesShownIn(ledger, session)
  return { session, file, waiting, memories: new Set([...waiting, ...shown]) }
}

export function rememberTold(ledger: Ledger, before: Told, memories: readonly string[], atMs: number): void {
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

/** By then the session is in the ledger, or never will be. */
const keptMs = 7 * 86_400_000
