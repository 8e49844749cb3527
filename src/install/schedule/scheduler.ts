// The contract of a scheduler, and what the schedulers share. `inspect` runs programs and reads
// files; `set` and `unset` only return steps, so that a plan can be shown before anything is done.

import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import type { Machine } from '../../core/paths.ts'

export const cadences = ['hourly', 'daily', 'weekly'] as const
export type Cadence = (typeof cadences)[number]

/** Runs `<node> <cli> work` with these variables. */
export interface ScheduledJob {
  node: string
  cli: string
  env: Record<string, string>
}

export interface ScheduleContext {
  machine: Machine
  /** Recollect's own folder. */
  root: string
  /** launchd names a user by number. */
  userId: number
  nowMs: number
}

interface CommandResult {
  /** 127 if the program does not exist. */
  status: number
  stdout: Buffer
  stderr: string
}

export type RunCommand = (argv: readonly string[], options?: { input?: Buffer }) => CommandResult

export type ScheduleStep =
  | { kind: 'write'; path: string; content: string; encoding?: 'utf16le' }
  | { kind: 'delete'; path: string }
  /** `changes`: the changed lines of the input; all others belong to the user and are not shown. */
  | { kind: 'run'; argv: readonly string[]; input?: Buffer; changes?: string[] }

export interface SchedulerState {
  /** Whether the scheduler can be used. Our files may exist even if it cannot. */
  isReachable: boolean
  /** Whether the scheduler has loaded our files. */
  isActive: boolean
  cadence?: Cadence
  since?: string
  next?: string
  /** Current contents by path; for schedulers without files, by a name. */
  texts: Readonly<Record<string, string>>
}

export interface Scheduler {
  id: 'systemd' | 'cron' | 'launchd' | 'task-scheduler'
  /** Display name. */
  name: string
  /** Shown to the user after it was set. */
  note?: string
  inspect(place: ScheduleContext, run: RunCommand): SchedulerState
  set(job: ScheduledJob, cadence: Cadence, found: SchedulerState, place: ScheduleContext): ScheduleStep[]
  unset(found: SchedulerState, place: ScheduleContext): ScheduleStep[]
}

/** Part of every file of ours; files without it are never deleted. */
export function marker(cadence: Cadence): string {
  return `Made by recollect schedule ${cadence}. recollect schedule off takes it out.`
}

export function cadenceIn(text: string | undefined): Cadence | undefined {
  return /recollect schedule (hourly|daily|weekly)/.exec(text ?? '')?.[1] as Cadence | undefined
}

/** Hour of daily and weekly runs; weekly ones are on Mondays. */
export const quietHour = 4

/** A fixed minute per user, so that the users of one machine do not all start at once. */
export function minuteFor({ home }: Machine): number {
  return createHash('sha256').update(home).digest().readUInt32BE(0) % 60
}

export function nextRun(cadence: Cadence, minute: number, nowMs: number): string {
  const at = new Date(nowMs)
  if (cadence === 'hourly') at.setMinutes(minute, 0, 0)
  else at.setHours(quietHour, minute, 0, 0)
  if (at.getTime() <= nowMs) {
    if (cadence === 'hourly') at.setTime(at.getTime() + 3_600_000)
    else at.setDate(at.getDate() + 1)
  }
  if (cadence === 'weekly') at.setDate(at.getDate() + ((8 - at.getDay()) % 7))
  return isoTime(at.getTime())
}

/** Reads the existing files; a symbolic link counts as an empty file. */
export function readTexts(paths: string[], encoding: 'utf8' | 'utf16le' = 'utf8'): Record<string, string> {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const entry = lstatSync(path, { throwIfNoEntry: false })
      if (!entry) return []
      return [[path, entry.isSymbolicLink() ? '' : readFileSync(path, encoding)]]
    }),
  )
}

export function modifiedAt(path: string): string | undefined {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return entry && isoTime(entry.mtimeMs)
}

type Write = Extract<ScheduleStep, { kind: 'write' }>

/** Returns the files that are missing or outdated. Refuses to overwrite files of others. */
export function writesNeeded(files: Write[], texts: Readonly<Record<string, string>>): Write[] {
  const foreign = files.find(({ path }) => texts[path] !== undefined && !cadenceIn(texts[path]))
  if (foreign)
    throw new UserError(
      `${foreign.path} was not made by recollect`,
      'Move it to another folder, then run the same command again.',
    )
  return files.filter(({ path, content }) => texts[path] !== content)
}

export function deletesNeeded(paths: string[], texts: Readonly<Record<string, string>>): ScheduleStep[] {
  return paths.filter((path) => cadenceIn(texts[path])).map((path) => ({ kind: 'delete', path }))
}
