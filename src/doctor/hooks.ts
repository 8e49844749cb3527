// Checks that hook events of agents reach the ledger.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { setAsideIn, spoolFiles } from '../capture/spool.ts'
import { hookPath } from '../core/hook-command.ts'
import { typedCommand } from '../core/shell/command-line.ts'
import { formatDuration, plural } from '../core/units.ts'
import { type HookProgram, isHookCurrent } from '../hook/script.ts'
import { readRecord } from '../install/record.ts'
import { type AgentStatus, hookStatus } from '../install/status.ts'
import type { Ledger } from '../store/ledger.ts'
import { failedCheck, type HealthCheck, passedCheck, pendingCheck } from './check.ts'

/**
 * Events are processed within seconds. Sessions and events are compared with more tolerance, since
 * resuming a session also changes its transcript.
 */
const maxWaitMs = 10 * 60_000
const maxGapMs = 2 * 3_600_000

export function hookChecks(app: App, program: HookProgram, ledger: Ledger | undefined): HealthCheck[] {
  const present = hookStatus(app, program, ledger).filter(({ isPresent, hooks }) => isPresent || hooks !== 'missing')
  const { agents: installed } = readRecord(app.layout.root).installed
  const isAnywhere = Object.keys(installed).length > 0 || present.some(({ hooks }) => hooks !== 'missing')
  return [
    checkSpool(app),
    ...(isAnywhere ? [checkProgram(app, program)] : []),
    ...present.filter(({ hooks }) => hooks !== 'missing').map((one) => checkAgent(app, one)),
    ...withoutHooks(present),
    ...checkServers(present),
  ]
}

/** Hooks are optional, so that one line for all agents without them is enough. */
function withoutHooks(present: readonly AgentStatus[]): HealthCheck[] {
  const names = present.filter(({ hooks }) => hooks === 'missing').map(({ agent }) => agent)
  if (names.length === 0) return []
  const detail = `not installed in ${names.join(', ')} ("recollect install"); sweeps capture their sessions`
  return [passedCheck('hooks', detail)]
}

/** One check for all agents: it fails only for a registration that starts another program. */
function checkServers(present: readonly AgentStatus[]): HealthCheck[] {
  const among = (text: string, ...states: AgentStatus['mcp'][]) => {
    const names = present.filter(({ mcp }) => states.includes(mcp)).map(({ agent }) => agent)
    return names.length > 0 ? [`${text} ${names.join(', ')}`] : []
  }
  const outdated = among('changed or from another version in', 'outdated')
  const parts = [
    ...outdated,
    ...among('registered with', 'registered'),
    ...among('in the plugin of', 'plugin'),
    ...among('added by hand to', 'by hand'),
    ...among('not registered with', 'missing'),
  ]
  if (parts.length === 0) return []
  if (outdated.length > 0) return [failedCheck('mcp server', parts.join('; '), 'recollect install')]
  const hint = present.some(({ mcp }) => mcp === 'missing') ? ' ("recollect install --mcp")' : ''
  return [passedCheck('mcp server', `${parts.join('; ')}${hint}`)]
}

function checkSpool({ layout, clock }: App): HealthCheck {
  const waiting = spoolFiles(layout.spool, clock)
  const oldestMs = waiting.reduce(
    (oldest, name) =>
      Math.min(oldest, statSync(join(layout.spool, name), { throwIfNoEntry: false })?.mtimeMs ?? oldest),
    clock.nowMs(),
  )
  const setAside = setAsideIn(layout.spool).length
  const note = setAside > 0 ? `; ${plural(setAside, 'unreadable event')} in ${join(layout.spool, 'bad')}` : ''
  if (clock.nowMs() - oldestMs > maxWaitMs) {
    const detail = `${waitText(waiting.length)}, the oldest for ${formatDuration(clock.nowMs() - oldestMs)}${note}`
    return failedCheck('spool', detail, `recollect work; for the cause, see ${join(layout.logs, 'work.log')}`)
  }
  return passedCheck('spool', `${waiting.length === 0 ? 'no hook events waiting' : waitText(waiting.length)}${note}`)
}

function waitText(count: number): string {
  return `${plural(count, 'hook event')} waiting`
}

/** After an update, or if Node was moved, the hook may start a program that no longer exists. */
function checkProgram({ agents, layout }: App, program: HookProgram): HealthCheck {
  const blocked = [hookPath(program), layout.spool, layout.run].find((path) => !isAccessible(path))
  if (blocked) return failedCheck('hook', `${blocked} is not accessible`, typedCommand('chmod', 'u+rwx', blocked))
  return isHookCurrent(program, agents)
    ? passedCheck('hook', `starts ${program.cli}`)
    : failedCheck('hook', 'is missing or starts another program', 'recollect install')
}

const hooksDisabled = 'The settings of the agent disable hooks: remove disableAllHooks'

/** Missing paths are created by the hook or reported by another check. */
function isAccessible(path: string): boolean {
  if (!existsSync(path)) return true
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function checkAgent({ zone }: App, status: AgentStatus): HealthCheck {
  const name = `hooks of ${status.agent}`
  const { lastEvent, lastTranscript } = status
  const event = lastEvent ? `last event ${zone.minute(lastEvent)}` : 'not seen yet'
  const seen = `${event}, last session ${lastTranscript ? zone.minute(lastTranscript) : 'never'}`
  if (status.problem) return failedCheck(name, `${status.problem.message}; ${seen}`, status.problem.hint)
  if (status.hooks === 'outdated')
    return failedCheck(name, `changed or from another version; ${seen}`, `recollect install ${status.agent}`)
  // Codex trusts the hooks of a plugin by other entries.
  if (status.isTrusted === false && status.hooks !== 'plugin')
    return failedCheck(
      name,
      `installed, but not trusted, so the agent does not run them; ${seen}`,
      status.afterwards || hooksDisabled,
    )
  const isSilent = (status.gapMs ?? 0) > maxGapMs
  if (isSilent)
    return failedCheck(
      name,
      `installed, ${formatDuration(status.gapMs!)} behind the sessions; ${seen}`,
      `Restart the agent. If that does not help: recollect install ${status.agent}`,
    )
  const detail = `${installedText(status)}; ${seen}`
  return lastEvent ? passedCheck(name, detail) : pendingCheck(name, detail, `Start a session of ${status.agent}`)
}

function installedText({ hooks, isTrusted }: AgentStatus): string {
  if (hooks === 'plugin') return 'installed by the plugin'
  return isTrusted ? 'installed, trusted' : 'installed'
}
