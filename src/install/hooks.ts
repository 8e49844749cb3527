// Installs hooks into agents and removes them. Each target is planned by itself, so that a file
// that cannot be edited does not prevent the installation of the others.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { isHookCommand } from '../core/hook-command.ts'
import { waitForLock } from '../core/lock.ts'
import { type HookProgram, writeHook } from '../hook/script.ts'
import { type ApplyOptions, applyEdits, removeFolders } from './apply.ts'
import { ownedByCommand } from './edit/owned-entries.ts'
import { type EarlierInstall, planInstall } from './plan.ts'
import { readRecord, recordInstall, writeRecord } from './record.ts'
import type { InstallTarget } from './targets.ts'
import type { FileEdit } from './types.ts'
import { planUninstall } from './uninstall.ts'

export interface TargetPlan {
  target: InstallTarget
  edits: FileEdit[]
  /** Why this target cannot be installed or uninstalled. */
  problem?: UserError
}

export function planInstalls(app: App, targets: readonly InstallTarget[]): TargetPlan[] {
  return planTargets(app, targets, planInstall)
}

export function planUninstalls(app: App, targets: readonly InstallTarget[]): TargetPlan[] {
  return planTargets(app, targets, planUninstall)
}

/**
 * Writes the hook script, then applies the plans. An error of one target is stored in its
 * `problem`.
 */
export async function installHooks(app: App, program: HookProgram, plans: readonly TargetPlan[]): Promise<void> {
  await withInstallLock(app, 'install', () => {
    writeHook(program, app.agents)
    forEachTarget(plans, ({ target, edits }) => {
      const applied = applyEdits(edits, applyOptions(app, target))
      const { installed } = readRecord(app.layout.root)
      installed.agents[target.id] = recordInstall(installed.agents[target.id], edits, applied, app.clock)
      writeRecord(app.layout.root, installed, app.clock)
    })
  })
}

/** Removes the hook script together with the last target. */
export async function uninstallHooks(
  app: App,
  plans: readonly TargetPlan[],
  all: readonly InstallTarget[],
): Promise<void> {
  await withInstallLock(app, 'uninstall', () => {
    forEachTarget(plans, ({ target, edits }) => {
      applyEdits(edits, applyOptions(app, target))
      const { installed } = readRecord(app.layout.root)
      const record = installed.agents[target.id]
      if (!record) return
      removeFolders(record.folders)
      delete installed.agents[target.id]
      writeRecord(app.layout.root, installed, app.clock)
    })
    // The record may be lost, so the agents' own files decide.
    const hasPlugin = existsSync(join(app.layout.root, 'plugin'))
    const isLeft = (state: HookState) => state !== 'missing' && (state !== 'plugin' || hasPlugin)
    if (!all.some((target) => isLeft(hookState(app, target))))
      rmSync(join(app.layout.root, 'bin'), { recursive: true, force: true })
  })
}

/**
 * Serialises processes: the record is read, changed and written, and concurrent writes would be
 * lost.
 */
async function withInstallLock(app: App, command: string, task: () => void): Promise<void> {
  const release = await waitForLock(join(app.layout.run, 'install.lock'), command, app.clock, () => {}, maxWaitMs)
  try {
    task()
  } finally {
    release()
  }
}

const maxWaitMs = 30_000

function forEachTarget(plans: readonly TargetPlan[], task: (plan: TargetPlan) => void): void {
  for (const plan of plans) {
    try {
      task(plan)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      plan.problem = error
    }
  }
}

/** `plugin`: the agent has no hooks of its own but our plugin, which contains them. */
export type HookState = 'installed' | 'plugin' | 'outdated' | 'missing'

/** Whether the agent's files contain our hooks in the form that this version would write. */
export function hookState(app: App, target: InstallTarget): HookState {
  const [install] = planInstalls(app, [target])
  if (!install?.problem && install?.edits.length === 0) return 'installed'
  const [uninstall] = planUninstalls(app, [target])
  if (uninstall && uninstall.edits.length > 0) return 'outdated'
  return target.agent?.hooks.hasPlugin?.(app.machine) ? 'plugin' : 'missing'
}

/** Why the hooks cannot be installed or have no effect, as for a file that the agent ignores. */
export function hookProblem(app: App, target: InstallTarget): UserError | undefined {
  return planInstalls(app, [target])[0]?.problem
}

function applyOptions({ layout, clock }: App, target: InstallTarget): ApplyOptions {
  return { agent: target.id, backups: layout.backups, ownFolder: layout.root, clock }
}

function planTargets(
  app: App,
  targets: readonly InstallTarget[],
  plan: (files: InstallTarget['files'], before: EarlierInstall) => FileEdit[],
): TargetPlan[] {
  const { installed } = readRecord(app.layout.root)
  const isOurs = ownedByCommand(isHookCommand)
  return targets.map((target) => {
    try {
      return { target, edits: plan(target.files, { isOurs, record: installed.agents[target.id] }) }
    } catch (error) {
      if (error instanceof UserError) return { target, edits: [], problem: error }
      throw error
    }
  })
}
