// Getting the hooks into the agents and out of them again: planned for every target by itself, so that a file that cannot be
// edited keeps nobody else from being installed.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { isHookCommand } from '../core/hook-command.ts'
import { waitForLock } from '../core/lock.ts'
import { type HookProgram, writeHook } from '../hook/script.ts'
import { type ApplyOptions, applyEdits, removeFolders } from './apply.ts'
import { runsOnly } from './ours.ts'
import { type Before, type Edit, planInstall } from './plan.ts'
import { readRecord, recordInstall, writeRecord } from './record.ts'
import type { Target } from './targets.ts'
import { planUninstall } from './uninstall.ts'

export interface TargetPlan {
  target: Target
  edits: Edit[]
  /** Why this one cannot be done. */
  problem?: UserError
}

export function planInstallOf(app: App, targets: readonly Target[]): TargetPlan[] {
  return plansOf(app, targets, planInstall)
}

export function planUninstallOf(app: App, targets: readonly Target[]): TargetPlan[] {
  return plansOf(app, targets, planUninstall)
}

/** Writes the hook itself, then what was planned; a target that cannot be written says so in its `problem`. */
export async function installHooks(app: App, program: HookProgram, plans: readonly TargetPlan[]): Promise<void> {
  await alone(app, 'install', () => {
    writeHook(program, app.agents)
    eachTarget(plans, ({ target, edits }) => {
      const applied = applyEdits(edits, applying(app, target))
      const { installed } = readRecord(app.layout.root)
      installed.agents[target.id] = recordInstall(installed.agents[target.id], edits, applied, app.clock)
      writeRecord(app.layout.root, installed, app.clock)
    })
  })
}

/** With the last of all targets the hook itself goes. */
export async function uninstallHooks(app: App, plans: readonly TargetPlan[], all: readonly Target[]): Promise<void> {
  await alone(app, 'uninstall', () => {
    eachTarget(plans, ({ target, edits }) => {
      applyEdits(edits, applying(app, target))
      const { installed } = readRecord(app.layout.root)
      const record = installed.agents[target.id]
      if (!record) return
      removeFolders(record.folders)
      delete installed.agents[target.id]
      writeRecord(app.layout.root, installed, app.clock)
    })
    // A record that is lost says nothing: the agents' own files are asked.
    if (all.every((target) => hookState(app, target) === 'missing'))
      rmSync(join(app.layout.root, 'bin'), { recursive: true, force: true })
  })
}

/** The record is read, changed and written: two at once would lose one of them. */
async function alone(app: App, command: string, task: () => void): Promise<void> {
  const release = await waitForLock(join(app.layout.run, 'install.lock'), command, app.clock, () => {}, maxWaitMs)
  try {
    task()
  } finally {
    release()
  }
}

const maxWaitMs = 30_000

function eachTarget(plans: readonly TargetPlan[], task: (plan: TargetPlan) => void): void {
  for (const plan of plans) {
    try {
      task(plan)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      plan.problem = error
    }
  }
}

export type HookState = 'installed' | 'outdated' | 'missing'

/** Whether our hooks stand in the agent's files as this program would put them there. */
export function hookState(app: App, target: Target): HookState {
  const [wanted] = planInstallOf(app, [target])
  if (wanted?.problem) return 'missing'
  if (wanted?.edits.length === 0) return 'installed'
  const [ours] = planUninstallOf(app, [target])
  return ours && ours.edits.length > 0 ? 'outdated' : 'missing'
}

function applying({ layout, clock }: App, target: Target): ApplyOptions {
  return { agent: target.id, backups: layout.backups, ownFolder: layout.root, clock }
}

function plansOf(
  app: App,
  targets: readonly Target[],
  plan: (files: Target['files'], before: Before) => Edit[],
): TargetPlan[] {
  const { installed } = readRecord(app.layout.root)
  const isOurs = runsOnly(isHookCommand)
  return targets.map((target) => {
    try {
      return { target, edits: plan(target.files, { isOurs, record: installed.agents[target.id] }) }
    } catch (error) {
      if (error instanceof UserError) return { target, edits: [], problem: error }
      throw error
    }
  })
}
