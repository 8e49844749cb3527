// Publishes what was planned, file by file, and notes in the ledger what stands where from now on.
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { waitForLock } from '../../core/lock.ts'
import type { Ledger } from '../../store/ledger.ts'
import { foldersMadeFor, type Standing, savePublished } from '../../store/published.ts'
import { applyEdits, removeFolders } from '../apply.ts'
import { type InstructionPlan, planFile } from './plan.ts'

/** A file that cannot be written says so in the `problem` of its plan; the others go on. */
export async function applyInstructions(app: App, ledger: Ledger, plans: readonly InstructionPlan[]): Promise<void> {
  const release = await waitForLock(join(app.layout.run, 'install.lock'), 'publish', app.clock, () => {}, mostWaitMs)
  try {
    for (const plan of plans.filter(({ problem }) => !problem)) {
      try {
        publish(app, ledger, plan)
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        plan.problem = error
      }
    }
  } finally {
    release()
  }
}

const mostWaitMs = 30_000

/** The file is read again: since the diff was made somebody may have written in it. */
function publish(app: App, ledger: Ledger, { file }: InstructionPlan): void {
  const { edit } = planFile(file, app.machine.home)
  const made = foldersMadeFor(ledger, file.path)
  const options = { agent: 'practices', backups: app.layout.backups, ownFolder: app.layout.root, clock: app.clock }
  const { folders } = edit ? applyEdits([edit], options) : { folders: [] }
  if (edit?.before === undefined && file.root !== undefined) shareFile(file.path, folders)
  savePublished(ledger, file.path, standingIn(file), { atMs: app.clock.nowMs(), folders: [...made, ...folders] })
  if (!existsSync(file.path)) removeFolders(made)
}

/** A file of a project is for all who work on it, as if their editor had made it. */
function shareFile(path: string, folders: readonly string[]): void {
  const hidden = process.umask()
  if (existsSync(path)) chmodSync(path, 0o666 & ~hidden)
  for (const folder of folders) chmodSync(folder, 0o777 & ~hidden)
}

function standingIn({ project, entries }: InstructionPlan['file']): Standing[] {
  return entries.flatMap(({ practice, agents }) =>
    agents.map((agent) => ({ practice: practice.id, version: practice.version, agent, project })),
  )
}
