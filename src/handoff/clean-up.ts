// Removes what hand-overs that were killed have left: temporary files beside the transcript that was
// to be written, and the registration of one that was not.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRunning, temporaryName } from '../core/leftovers.ts'
import type { Ledger } from '../store/ledger.ts'
import { deleteHandoff, markHandoffWritten, unfinishedHandoffs } from '../store/sessions/handoffs.ts'

/** Hand-overs of running processes are left alone. */
export function cleanUpHandoffs(ledger: Ledger): void {
  removeStages(ledger.layout.run)
  for (const { session, path, writer } of unfinishedHandoffs(ledger)) {
    if (isRunning(writer) && writer !== process.pid) continue
    const folder = dirname(path)
    for (const name of namesIn(folder)) {
      if (name.startsWith(`${basename(path)}.`) && temporaryName.test(name)) rmSync(join(folder, name), { force: true })
    }
    if (existsSync(path)) markHandoffWritten(ledger, session)
    else deleteHandoff(ledger, session)
  }
}

/** Folders in which a transcript was read back before it was written. */
function removeStages(run: string): void {
  for (const name of namesIn(run)) {
    const writer = name.startsWith('handoff.') ? temporaryName.exec(name)?.[1] : undefined
    if (writer && !isRunning(Number(writer))) rmSync(join(run, name), { recursive: true, force: true })
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
