// Publishes planned instruction files one by one and records in the ledger what was published
// where.
import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { waitForLock } from '../../core/lock.ts'
import { fileIdentity, isWithin } from '../../patterns/publish/targets.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  createdFolders,
  currentPublications,
  type PublishedPractice,
  savePublications,
} from '../../store/patterns/practices.ts'
import { applyEdits, removeFolders } from '../apply.ts'
import { type InstructionPlan, planFile } from './plan.ts'

/**
 * Serialises planning and applying: a stale plan would remove what another process published
 * meanwhile.
 */
export async function withInstructionsLock<T>({ layout, clock }: App, use: () => Promise<T>): Promise<T> {
  const release = await waitForLock(join(layout.run, 'install.lock'), 'publish', clock, () => {}, maxWaitMs)
  try {
    return await use()
  } finally {
    release()
  }
}

const maxWaitMs = 30_000

/** The caller must hold the lock. An error of one file is stored in the `problem` of its plan. */
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

/** Plans the file again: it may have changed since the diff was shown. */
function publish(app: App, ledger: Ledger, { file }: InstructionPlan): void {
  const { edit } = planFile(file, app.machine.home)
  const options = { agent: 'practices', backups: app.layout.backups, ownFolder: app.layout.root, clock: app.clock }
  const { folders } = edit ? applyEdits([edit], options) : { folders: [] }
  if (edit?.before === undefined && file.root !== undefined) shareFile(file.path, folders, file.root)
  savePublications(ledger, fileIdentity(file.path), publishedEntries(file), { atMs: app.clock.nowMs(), folders })
  // A parent folder may have been created for a sibling file, so check all created folders.
  if (!existsSync(file.path)) removeFolders(createdFolders(ledger).filter((folder) => isWithin(file.path, folder)))
}

/** Gives a new file of a project the permissions of the project's folder. */
function shareFile(path: string, folders: readonly string[], root: string): void {
  if (!existsSync(path)) return
  const { mode } = statSync(root)
  chmodSync(path, mode & 0o666)
  for (const folder of folders) chmodSync(folder, mode & 0o777)
}

function publishedEntries({ project, entries }: InstructionPlan['file']): PublishedPractice[] {
  return entries.flatMap(({ practice, agents }) =>
    agents.map((agent) => ({ practice: practice.id, version: practice.version, agent, project })),
  )
}

/** Lists the files with published practices; empty if the ledger cannot be read. */
export function publishedFiles(app: App): string[] {
  if (!existsSync(app.layout.ledger)) return []
  try {
    const ledger = app.existingLedger()
    try {
      const files = new Set(currentPublications(ledger).map(({ file }) => file))
      return [...files].filter((file) => existsSync(file)).sort()
    } finally {
      ledger.close()
    }
  } catch {
    // A broken ledger must not prevent an uninstall.
    return []
  }
}
