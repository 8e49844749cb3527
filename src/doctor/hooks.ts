// Whether what happens in the agents reaches the ledger by itself.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { setAsideIn, spoolFiles } from '../capture/spool.ts'
import { hookPath } from '../core/hook-command.ts'
import { formatDuration, plural } from '../core/units.ts'
import { type HookProgram, isHookCurrent } from '../hook/script.ts'
import { readRecord } from '../install/record.ts'
import { type AgentStatus, hookStatus } from '../install/status.ts'
import type { Ledger } from '../store/ledger.ts'
import { failedCheck, type HealthCheck, passedCheck } from './check.ts'

/** Events are taken within seconds; sessions and hooks are compared over a longer while, since a resumed session is one too. */
const maxWaitMs = 10 * 60_000
const maxGapMs = 2 * 3_600_000

export function hookChecks(app: App, program: HookProgram, ledger: Ledger | undefined): HealthCheck[] {
  const present = hookStatus(app, program, ledger).filter(({ isPresent, hooks }) => isPresent || hooks !== 'missing')
  const { agents: installed } = readRecord(app.layout.root).installed
  const isAnywhere = Object.keys(installed).length > 0 || present.some(({ hooks }) => hooks !== 'missing')
  return [
    checkSpool(app),
    ...(isAnywhere ? [checkProgram(app, program)] : []),
    ...present.map((one) => checkAgent(app, one)),
  ]
}

function checkSpool({ layout, clock }: App): HealthCheck {
  const waiting = spoolFiles(layout.spool, clock)
  const oldestMs = waiting.reduce(
    (oldest, name) =>
      Math.min(oldest, statSync(join(layout.spool, name), { throwIfNoEntry: false })?.mtimeMs ?? oldest),
    clock.nowMs(),
  )
  const setAside = setAsideIn(layout.spool).length
  const note =
    setAside > 0 ? `; ${plural(setAside, 'event')} that could not be read in ${join(layout.spool, 'bad')}` : ''
  if (clock.nowMs() - oldestMs > maxWaitMs) {
    const detail = `${waitText(waiting.length)}, the oldest for ${formatDuration(clock.nowMs() - oldestMs)}${note}`
    return failedCheck('spool', detail, `recollect work; ${join(layout.logs, 'work.log')} says why the worker stopped`)
  }
  return passedCheck('spool', `${waiting.length === 0 ? 'nothing waits' : waitText(waiting.length)}${note}`)
}

function waitText(count: number): string {
  return `${plural(count, 'hook event')} ${count === 1 ? 'waits' : 'wait'}`
}

/** An update, or a Node that was moved, leaves the hook with a program that is not there. */
function checkProgram({ agents, layout }: App, program: HookProgram): HealthCheck {
  const closed = [hookPath(program), layout.spool, layout.run].find((path) => !isOpen(path))
  if (closed) return failedCheck('hook', `${closed} cannot be used`, `chmod u+rwx ${closed}`)
  return isHookCurrent(program, agents)
    ? passedCheck('hook', `starts ${program.cli}`)
    : failedCheck('hook', 'starts another program than this one, or is missing', 'recollect install')
}

const notRun = 'Its settings tell the agent to run no hooks: take that out (disableAllHooks)'

/** What is missing is made by the hook or told of otherwise. */
function isOpen(path: string): boolean {
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
  const time = (iso: string | null) => (iso ? zone.minute(iso) : 'never')
  if (status.hooks === 'missing') {
    return passedCheck(
      name,
      `not installed ("recollect install ${status.agent}"); last session ${time(status.lastTranscript)}, captured by sweeps`,
    )
  }
  const seen = `last event ${time(status.lastEvent)}, last session ${time(status.lastTranscript)}`
  if (status.hooks === 'outdated')
    return failedCheck(name, `changed or of another version; ${seen}`, `recollect install ${status.agent}`)
  if (status.isTrusted === false)
    return failedCheck(name, `installed, not trusted, so they are not run; ${seen}`, status.afterwards || notRun)
  const isSilent = (status.gapMs ?? 0) > maxGapMs
  return isSilent
    ? failedCheck(
        name,
        `installed, ${formatDuration(status.gapMs!)} behind the sessions; ${seen}`,
        `Restart the agent; if that does not help: recollect install ${status.agent}`,
      )
    : passedCheck(name, `installed${status.isTrusted ? ', trusted' : ''}; ${seen}`)
}
