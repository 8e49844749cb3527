// Appends lines to a log file with one rotated predecessor.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, isoTime } from './clock.ts'

const maxBytes = 1_000_000

/** Never throws: a log that cannot be written must not stop the program. */
export function appendLog(folder: string, name: string, clock: Clock, text: string): void {
  const path = join(folder, `${name}.log`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`)
    appendFileSync(path, `${isoTime(clock.nowMs())} ${text.replaceAll('\n', ' | ')}\n`, { mode: 0o600 })
  } catch {
    // nothing left to report to
  }
}
