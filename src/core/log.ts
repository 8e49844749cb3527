// A log that nobody has to look after: one line per entry, and the file before the last is all that is kept of older ones.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, isoTime } from './clock.ts'

const maxBytes = 1_000_000

/** Never throws: a log that cannot be written is no reason to stop. */
export function logLine(folder: string, name: string, clock: Clock, text: string): void {
  const path = join(folder, `${name}.log`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`)
    appendFileSync(path, `${isoTime(clock.nowMs())} ${text.replaceAll('\n', ' | ')}\n`, { mode: 0o600 })
  } catch {
    // nowhere to say it
  }
}
