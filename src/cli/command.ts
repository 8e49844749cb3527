// The context that every command gets, and the options that many commands share.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type App, createApp } from '../app.ts'
import { agentNamed } from '../core/agent-names.ts'
import { isoTime } from '../core/clock.ts'
import { dayAfter, isDay } from '../core/days.ts'
import { UserError } from '../core/errors.ts'
import { projectOf } from '../core/project/project.ts'
import { isDamaged } from '../core/sqlite.ts'
import { parseSince } from '../core/units.ts'
import type { ChangeContext } from '../learn/change.ts'
import { resolveProject } from '../search/resolve-project.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectKeys } from '../store/sessions/projects.ts'
import { findSessions, type SessionView } from '../store/sessions/sessions.ts'
import { nearest } from '../text/nearest.ts'
import type { Terminal } from './terminal.ts'

export interface CommandContext {
  program: Command
  /** Opened when it is first used. */
  readonly terminal: Terminal
  /** Sets the exit code of the process. */
  exit(code: 0 | 1 | 2 | 3): void
}

/** Opens an existing ledger and closes it afterwards, also after an error. */
export async function withLedger<T>(use: (app: App, ledger: Ledger) => T | Promise<T>): Promise<T> {
  const app = createApp()
  const ledger = app.existingLedger()
  try {
    return await use(app, ledger)
  } finally {
    ledger.close()
  }
}

/** Undefined for a damaged ledger, which the sweep that follows replaces. */
export function ledgerUnlessDamaged(app: App): Ledger | undefined {
  try {
    return app.ledger()
  } catch (error) {
    if (isDamaged(error)) return undefined
    throw error
  }
}

export function changeContext(app: App, ledger: Ledger): ChangeContext {
  return { ledger, clock: app.clock, origin: app.machine.name ?? '' }
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}

/**
 * The id of an agent from any of its names. `others` are names that are accepted besides, such as
 * `importedAgents`.
 */
export function agentOption(app: App, value: string | undefined, others: readonly string[] = []): string | undefined {
  if (value === undefined || others.includes(value)) return value
  return agentNamed(app.agents, value, others).id
}

/** Resolves a project from its identity, its name or a folder in it. */
export function projectOption(app: App, ledger: Ledger, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  return resolveProject(ledger, /^\.{1,2}(?:[\\/]|$)/.test(value) ? resolve(value) : value, app.config.projects)
}

/** The project of the current folder, or null (all projects) if it has no sessions. */
export function currentProject(app: App, ledger: Ledger): string | null {
  const { key } = projectOf(process.cwd(), undefined, app.config.projects)
  return projectKeys(ledger).includes(key) ? key : null
}

/** Finds a session by its id or a part of it. */
export function sessionNamed(ledger: Ledger, id: string): SessionView {
  const found = findSessions(ledger, id)
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new UserError(`No session "${id}"`, 'To list sessions: recollect sessions', 1)
  throw new UserError(
    `"${id}" matches ${found.length} sessions`,
    `Give more of the id: ${found.map((session) => session.id).join(', ')}`,
  )
}

export function countOption(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined
  const count = Number(value)
  if (!Number.isInteger(count) || count < 1)
    throw new UserError(`--${name} takes a positive whole number, not "${value}"`, `For example: --${name} 20`)
  return count
}

export function portOption(value: string | undefined, example: number): number | undefined {
  if (value === undefined) return undefined
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new UserError(`--port takes a number from 0 to 65535, not "${value}"`, `For example: --port ${example}`)
  return port
}

/** `7d`, `24h` or a date. A date starts at midnight in the display time zone. */
export function sinceOption(value: string | undefined, { clock, zone }: App): number | undefined {
  if (value === undefined) return undefined
  const at = parseSince(value, { nowMs: clock.nowMs(), zone })
  if (Number.isNaN(at)) {
    throw new UserError(
      `--since takes a date or a span, not "${value}"`,
      'For example: --since 7d or --since 2026-09-01',
    )
  }
  return at
}

/**
 * A period of whole days: a date is included, and `7d` are today and the six days before, in the display time
 * zone. Hours are counted back from now.
 */
export function periodOptions(
  { since, until }: { since?: string; until?: string },
  app: App,
): { sinceMs?: number; untilMs?: number } {
  const { zone, clock } = app
  const span = /^(\d{1,5})\s*([dwm])$/.exec(since ?? '')
  const days = span ? Number(span[1]) * { d: 1, w: 7, m: 30 }[span[2] as 'd' | 'w' | 'm'] : 0
  const today = zone.day(isoTime(clock.nowMs()))
  const sinceMs = span ? zone.startOfDay(dayAfter(today, 1 - days)) : sinceOption(dashed(since), app)
  if (until === undefined) return { sinceMs }
  const last = dashed(until)!
  if (!isDay(last)) throw new UserError(`--until takes a date, not "${until}"`, 'For example: --until 2026-09-30')
  const untilMs = zone.startOfDay(dayAfter(last, 1))
  if (sinceMs !== undefined && sinceMs >= untilMs)
    throw new UserError('--until is before --since', 'Give a later date, or leave one of them out.')
  return { sinceMs, untilMs }
}

/** `2026-09-01` for `20260901`, as other programs take it. */
function dashed(date: string | undefined): string | undefined {
  return date?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}

export function oneOf(what: string, value: string, known: readonly string[]): string {
  if (known.includes(value)) return value
  const suggestion = nearest(value, known)
  throw new UserError(
    `Unknown ${what} "${value}"`,
    suggestion ? `Did you mean ${suggestion}?` : `Known: ${known.join(', ') || 'none yet'}`,
  )
}

export async function refreshMemoryFiles(app: App, ledger: Ledger): Promise<void> {
  const { refreshMemoryFiles } = await import('../learn/files/refresh.ts')
  await refreshMemoryFiles(app.context(ledger))
}
