// Installs hooks and the MCP server into agents and removes them. Each target is planned by itself,
// so that a file that cannot be edited does not prevent the installation of the others. Some agents
// have hooks and servers in the same file: a plan builds on those before it.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { isHookCommand } from '../core/hook-command.ts'
import { waitForLock } from '../core/lock.ts'
import type { Json } from '../core/session.ts'
import { type HookProgram, writeHook } from '../hook/script.ts'
import { type ApplyOptions, applyEdits, removeFolders } from './apply.ts'
import { ownedByCommand } from './edit/owned-entries.ts'
import { readText } from './edit/read-text.ts'
import { type EarlierInstall, planInstall } from './plan.ts'
import {
  copiesOfPlugin,
  forgetOriginals,
  keepOriginals,
  planPluginRemoval,
  pluginFolder,
  removeCopies,
} from './plugin-traces.ts'
import { readRecord, recordInstall, writeRecord } from './record.ts'
import { isOurServer, registeredEntry } from './server-entry.ts'
import { type InstallTarget, pluginId } from './targets.ts'
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

/** Last installed first: only then a file that two targets have changed gets its bytes back. */
export function planUninstalls(app: App, targets: readonly InstallTarget[]): TargetPlan[] {
  const order = Object.keys(readRecord(app.layout.root).installed.agents)
  const sorted = targets.toSorted((a, b) => order.indexOf(b.id) - order.indexOf(a.id))
  return planTargets(app, sorted, (files, earlier, { id }) => [
    ...planUninstall(files, earlier),
    ...(id === pluginId ? planPluginRemoval(app, earlier.read) : []),
  ])
}

/**
 * Writes the hook script, then applies the plans. An error of one target is stored in its
 * `problem`.
 */
export async function installHooks(app: App, program: HookProgram, plans: readonly TargetPlan[]): Promise<void> {
  await withInstallLock(app, 'install', () => {
    writeHook(program, app.agents)
    forEachTarget(plans, ({ target, edits }) => {
      if (target.id === pluginId) keepOriginals(app)
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
      const copies = target.id === pluginId ? copiesOfPlugin(app) : []
      applyEdits(edits, applyOptions(app, target))
      removeCopies(copies)
      if (target.id === pluginId) forgetOriginals(app)
      const { installed } = readRecord(app.layout.root)
      const record = installed.agents[target.id]
      if (!record) return
      removeFolders(record.folders)
      delete installed.agents[target.id]
      writeRecord(app.layout.root, installed, app.clock)
    })
    // The record may be lost, so the agents' own files decide.
    const hasPlugin = existsSync(pluginFolder(app.layout.root))
    const hasHooks = (state: HookState) => state !== 'missing' && (state !== 'plugin' || hasPlugin)
    const isLeft = (target: InstallTarget) => {
      if (target.serves) return isServerOurs(app, target)
      return target.statusLineOf ? isRecorded(app, target) : hasHooks(hookState(app, target))
    }
    if (!all.some(isLeft)) rmSync(join(app.layout.root, 'bin'), { recursive: true, force: true })
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

/**
 * `by hand`: the agent has a server of this name that somebody else wrote; it is left alone.
 * `plugin`: the agent has our plugin, which contains the server.
 */
export type McpState = 'registered' | 'plugin' | 'by hand' | 'outdated' | 'missing'

/** Whether an agent's file has our MCP server. A file that cannot be read has none. */
export function mcpState(app: App, target: InstallTarget): McpState {
  const [file] = target.files
  const entry = file && registeredEntry(file)
  if (entry === undefined) return target.serves?.hooks.hasPlugin?.(app.machine) ? 'plugin' : 'missing'
  if (!isOurServer(entry, app.layout.root)) return 'by hand'
  const [plan] = planInstalls(app, [target])
  return plan?.edits.length === 0 ? 'registered' : 'outdated'
}

function isServerOurs(app: App, target: InstallTarget): boolean {
  const state = mcpState(app, target)
  return state === 'registered' || state === 'outdated'
}

/** Whether it was installed, and not removed since. */
export function isRecorded({ layout }: App, target: InstallTarget): boolean {
  return readRecord(layout.root).installed.agents[target.id] !== undefined
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
  plan: (files: InstallTarget['files'], earlier: EarlierInstall, target: InstallTarget) => FileEdit[],
): TargetPlan[] {
  const { installed } = readRecord(app.layout.root)
  const isOurHook = ownedByCommand(isHookCommand)
  const isOurs = (item: Json) => isOurHook(item) || isOurServer(item, app.layout.root)
  const planned = new Map<string, string | undefined>()
  const read = (path: string) => (planned.has(path) ? planned.get(path) : readText(path))
  return targets.map((target) => {
    try {
      const edits = plan(target.files, { isOurs, record: installed.agents[target.id], read }, target)
      for (const { path, after } of edits) planned.set(path, after)
      return { target, edits }
    } catch (error) {
      if (error instanceof UserError) return { target, edits: [], problem: error }
      throw error
    }
  })
}
