// Health of the whole: each check says what it saw and, where something is wrong, what to do.
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app.ts'
import { discover } from './capture/discover.ts'
import { unfinishedLine } from './capture/read.ts'
import { messageOf } from './core/errors.ts'
import { formatSize, plural } from './core/units.ts'
import { bodyState } from './store/bodies.ts'
import { undigested } from './store/digests.ts'
import { orphanedBodies, storedBodies } from './store/evictions.ts'
import { fileHealth, indexHealth } from './store/health.ts'
import type { Ledger } from './store/ledger.ts'
import { readNote } from './store/notes.ts'
import { listDrift, listProblems } from './store/problems.ts'
import { sizesOf, totalOf } from './store/sizes.ts'

export interface Check {
  name: string
  ok: boolean
  detail: string
  fix: string
}

export function examine(app: App): Check[] {
  const checks = [checkNode(), checkHome(app), checkAgents(app), checkCleanup(app)]
  if (!existsSync(app.layout.ledger)) {
    return [...checks, bad('ledger', 'nothing has been captured yet', 'recollect sweep')]
  }
  let ledger: Ledger | undefined
  try {
    ledger = app.existingLedger()
    const open = ledger
    const inside = [
      checkLedger,
      checkBodies,
      checkIndex,
      checkUndigested,
      checkSweep,
      checkProblems,
      checkDrift,
      checkBudget,
    ]
    return [...checks, ...inside.map((check) => check(app, open))]
  } catch (error) {
    return [
      ...checks,
      bad('ledger', messageOf(error), `Move ${app.layout.ledger} away and run: recollect sweep --full`),
    ]
  } finally {
    ledger?.close()
  }
}

function good(name: string, detail: string): Check {
  return { name, ok: true, detail, fix: '' }
}

function bad(name: string, detail: string, fix: string): Check {
  return { name, ok: false, detail, fix }
}

function checkNode(): Check {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
  const isEnough = major > 22 || (major === 22 && minor >= 18)
  return isEnough
    ? good('node', process.version)
    : bad('node', `${process.version} is too old`, 'Install Node 22.18 or later')
}

function checkHome({ layout }: App): Check {
  const { root } = layout
  if (!existsSync(root)) return good('home', `${root} will be made by the first sweep`)
  try {
    accessSync(root, constants.R_OK | constants.W_OK)
  } catch {
    return bad('home', `${root} cannot be written`, `chmod u+rwx ${root}`)
  }
  const isOpen = process.platform !== 'win32' && (statSync(root).mode & 0o077) !== 0
  return isOpen ? bad('home', `${root} can be read by other users`, `chmod 700 ${root}`) : good('home', root)
}

function checkAgents(app: App): Check {
  const counts = new Map<string, number>()
  for (const { agent } of discover(app)) counts.set(agent.id, (counts.get(agent.id) ?? 0) + 1)
  const found = [...counts].map(([id, count]) => `${id} ${count}`).join(', ')
  return found
    ? good('transcripts', found)
    : bad('transcripts', 'no agent has left a transcript here', 'Add folders under [sources] in config.toml')
}

/** Claude Code deletes transcripts after 30 days unless told otherwise: what was not swept by then is gone. */
function checkCleanup({ machine }: App): Check {
  const folder = machine.env.CLAUDE_CONFIG_DIR || join(machine.home, '.claude')
  try {
    const settings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as { cleanupPeriodDays?: number }
    const days = settings.cleanupPeriodDays ?? 30
    const detail = `Claude Code deletes its transcripts after ${days} days; what was swept stays here`
    return days < 7
      ? bad('cleanup', detail, `Raise cleanupPeriodDays in ${join(folder, 'settings.json')}`)
      : good('cleanup', detail)
  } catch {
    return good('cleanup', 'Claude Code deletes its transcripts after 30 days; what was swept stays here')
  }
}

function checkLedger(_: App, ledger: Ledger): Check {
  const health = fileHealth(ledger)
  return health === 'ok'
    ? good('ledger', `${formatSize(statSync(ledger.layout.ledger).size)}, sound`)
    : bad('ledger', health, 'Move ledger.db away and run: recollect sweep')
}

function checkBodies(_: App, ledger: Ledger): Check {
  const all = storedBodies(ledger)
  const broken = all.filter(({ file, bytes }) => bodyState(ledger.layout.bodies, file, bytes) !== 'whole')
  const orphans = orphanedBodies(ledger).length
  const note = orphans > 0 ? `; ${plural(orphans, 'file')} belong to no session ("recollect rebuild" removes them)` : ''
  if (broken.length === 0) return good('bodies', `${plural(all.length, 'body', 'bodies')}, all there${note}`)
  return bad(
    'bodies',
    `${broken.length} of ${all.length} are missing or damaged, first: ${broken[0]!.uid}`,
    'recollect rebuild, then recollect sweep',
  )
}

function checkIndex(_: App, ledger: Ledger): Check {
  const health = indexHealth(ledger)
  return health === 'ok' ? good('index', 'sound') : bad('index', health, 'recollect rebuild')
}

function checkUndigested(_: App, ledger: Ledger): Check {
  const waiting = undigested(ledger).length
  return waiting === 0
    ? good('digests', 'every session is digested')
    : bad('digests', `${plural(waiting, 'session')} wait`, 'recollect sweep')
}

function checkSweep({ clock, zone }: App, ledger: Ledger): Check {
  const last = readNote(ledger, 'last sweep') as { at: string } | undefined
  if (!last) return bad('last sweep', 'none was completed', 'recollect sweep')
  const days = Math.floor((clock.nowMs() - Date.parse(last.at)) / 86_400_000)
  return days < 7 ? good('last sweep', zone.minute(last.at)) : bad('last sweep', `${days} days ago`, 'recollect sweep')
}

function checkProblems(_: App, ledger: Ledger): Check {
  const all = listProblems(ledger)
  const problems = all.filter(({ reason }) => reason !== unfinishedLine)
  const waiting = all.length - problems.length
  const note = waiting > 0 ? `; ${plural(waiting, 'transcript')} end in a line that is not complete yet` : ''
  if (problems.length === 0) return good('unreadable', `nothing was left out${note}`)
  const shown = problems
    .slice(0, 5)
    .map(({ path, offset, reason }) => `${path}${offset < 0 ? '' : `, byte ${offset}`}: ${reason}`)
  return bad(
    'unreadable',
    `${plural(problems.length, 'part')}${note}\n${shown.join('\n')}`,
    'They are tried again when the file changes; the rest of each file was read',
  )
}

function checkDrift(_: App, ledger: Ledger): Check {
  const drift = listDrift(ledger)
  if (drift.length === 0) return good('formats', 'every record type is known')
  const shown = drift.slice(0, 10).map(({ agent, type, count }) => `${agent}: ${type} (${count})`)
  return {
    name: 'formats',
    ok: true,
    detail: `${drift.length} record types are new to this version: ${shown.join(', ')}`,
    fix: 'Update Recollect',
  }
}

function checkBudget({ config }: App, ledger: Ledger): Check {
  const used = totalOf(sizesOf(ledger))
  const detail = `${formatSize(used)} of ${formatSize(config.retain.softBytes)}`
  return used <= config.retain.hardBytes
    ? good('budget', detail)
    : bad('budget', detail, 'recollect sweep, or raise retain.hard in config.toml')
}
