// Checks the surroundings of the store: Node, our folder, the transcripts of agents.
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { discover } from '../capture/discover.ts'
import { diskFullHint, freeFiles, readOnlyStoreHint } from '../core/errors.ts'
import { typedCommand } from '../core/shell/command-line.ts'
import { formatSize } from '../core/units.ts'
import { failedCheck, type HealthCheck, passedCheck } from './check.ts'

export const machineChecks: Readonly<Record<string, (app: App) => HealthCheck>> = {
  node: checkNode,
  home: checkHome,
  disk: checkDisk,
  config: checkConfig,
  transcripts: checkAgents,
  cleanup: checkCleanup,
}

function checkNode(): HealthCheck {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
  const isEnough = major > 22 || (major === 22 && minor >= 18)
  return isEnough
    ? passedCheck('node', process.version)
    : failedCheck('node', `${process.version} is too old`, 'Install Node 22.18 or later')
}

function checkHome({ layout }: App): HealthCheck {
  const { root } = layout
  if (!existsSync(root)) return passedCheck('home', `the first sweep creates ${root}`)
  try {
    accessSync(root, constants.R_OK | constants.W_OK)
  } catch (error) {
    const isFixed = (error as NodeJS.ErrnoException).code === 'EROFS'
    const hint = isFixed ? readOnlyStoreHint : typedCommand('chmod', 'u+rwx', root)
    return failedCheck('home', `${root} is not writable`, hint)
  }
  const isOpen = process.platform !== 'win32' && (statSync(root).mode & 0o077) !== 0
  return isOpen
    ? failedCheck('home', `${root} can be read by other users`, typedCommand('chmod', '700', root))
    : passedCheck('home', root)
}

function checkConfig({ config, layout }: App): HealthCheck {
  return config.warnings.length === 0
    ? passedCheck('config', layout.config)
    : failedCheck('config', config.warnings.join('\n'), `Correct ${layout.config}`)
}

/** Below this, SQLite and the files of the vault may not find room for a sweep. */
const minFreeBytes = 50 * 1024 * 1024

function checkDisk({ layout }: App): HealthCheck {
  if (!existsSync(layout.root)) return passedCheck('disk', 'not used yet')
  const { bavail, bsize } = statfsSync(layout.root)
  if (freeFiles(layout.root) === 0) return failedCheck('disk', 'no inodes left', diskFullHint(layout.root))
  return checkFreeSpace(bavail * bsize, layout.root)
}

export function checkFreeSpace(freeBytes: number, folder: string): HealthCheck {
  const detail = `${formatSize(freeBytes)} free`
  return freeBytes >= minFreeBytes ? passedCheck('disk', detail) : failedCheck('disk', detail, diskFullHint(folder))
}

function checkAgents(app: App): HealthCheck {
  const counts = new Map<string, number>()
  for (const { agent } of discover(app)) counts.set(agent.id, (counts.get(agent.id) ?? 0) + 1)
  const found = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([id, count]) => `${id} ${count}`)
    .join(', ')
  return found
    ? passedCheck('transcripts', found)
    : failedCheck('transcripts', 'no transcripts of agents found', 'Add folders under [sources] in config.toml')
}

/** Claude Code deletes transcripts after 30 days by default. What is not captured then is lost. */
function checkCleanup({ machine }: App): HealthCheck {
  const folder = machine.env.CLAUDE_CONFIG_DIR || join(machine.home, '.claude')
  try {
    const settings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as { cleanupPeriodDays?: number }
    const days = settings.cleanupPeriodDays ?? 30
    const detail = `Claude Code deletes its transcripts after ${days} days; captured sessions stay here`
    return days < 7
      ? failedCheck('cleanup', detail, `Raise cleanupPeriodDays in ${join(folder, 'settings.json')}`)
      : passedCheck('cleanup', detail)
  } catch {
    return passedCheck('cleanup', 'Claude Code deletes its transcripts after 30 days; captured sessions stay here')
  }
}
