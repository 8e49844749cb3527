// Publishes what was planned, file by file, and notes in the ledger what stands where from now on.
import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { waitForLock } from '../../core/lock.ts'
import { fileIdentity } from '../../patterns/publish/identity.ts'
import { isWithin } from '../../patterns/publish/places.ts'
import type { Ledger } from '../../store/ledger.ts'
import { createdFolders, type PublishedPractice, savePublications } from '../../store/patterns/practices.ts'
import { applyEdits, removeFolders } from '../apply.ts'
import { type InstructionPlan, planFile } from './plan.ts'

/** One process at a time plans and applies: what another one publishes in between would be taken out as not wanted. */
export async function holdingInstructions<T>({ layout, clock }: App, use: () => Promise<T>): Promise<T> {
  const release = await waitForLock(join(layout.run, 'install.lock'), 'publish', clock, () => {}, maxWaitMs)
  try {
    return await use()
  } finally {
    release()
  }
}

const maxWaitMs = 30_000

/** For whoever holds them. A file that cannot be written says so in the `problem` of its plan; the others go on. */
export function applyInstructions(app: App, ledger: Ledger, plans: readonly InstructionPlan[]): void {
  for (const plan of plans.filter(({ problem }) => !problem)) {
    try {
      publish(app, ledger, plan)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      plan.problem = error
    }
  }
}

/** The file is read again: since the diff was made somebody may have written in it. */
function publish(app: App, ledger: Ledger, { file }: InstructionPlan): void {
  const { edit } = planFile(file, app.machine.home)
  const options = { agent: 'practices', backups: app.layout.backups, ownFolder: app.layout.root, clock: app.clock }
  const { folders } = edit ? applyEdits([edit], options) : { folders: [] }
  if (edit?.before === undefined && file.root !== undefined) shareFile(file.path, folders, file.root)
  savePublications(ledger, fileIdentity(file.path), standingIn(file), { atMs: app.clock.nowMs(), folders })
  // Those around it may have been made for a file beside it.
  if (!existsSync(file.path)) removeFolders(createdFolders(ledger).filter((folder) => isWithin(file.path, folder)))
}

/** A file of a project is for all who work on it: as open as its folder. */
function shareFile(path: string, folders: readonly string[], root: string): void {
  if (!existsSync(path)) return
  const { mode } = statSync(root)
  chmodSync(path, mode & 0o666)
  for (const folder of folders) chmodSync(folder, mode & 0o777)
}

function standingIn({ project, entries }: InstructionPlan['file']): PublishedPractice[] {
  return entries.flatMap(({ practice, agents }) =>
    agents.map((agent) => ({ practice: practice.id, version: practice.version, agent, project })),
  )
}
