// The contract of a scheduler: what it finds, and the steps that lead from there to what is wanted. Looking runs programs
// and reads files; planning only makes data, so a plan can be shown before anything is done.
import type { Machine } from '../../core/paths.ts'

export type Cadence = 'hourly' | 'daily'

/** What is run: `<node> <cli> work`, with these variables. */
export interface Job {
  node: string
  cli: string
  env: Record<string, string>
}

export interface Place {
  machine: Machine
  /** Recollect's own folder. */
  root: string
  /** launchd names a user by number. */
  userId: number
  nowMs: number
}

export interface Ran {
  /** 127 where there is no such program. */
  status: number
  stdout: Buffer
  stderr: string
}

export type Run = (argv: readonly string[], options?: { input?: Buffer }) => Ran

export type Step =
  | { kind: 'write'; path: string; content: string; encoding?: 'utf16le' }
  | { kind: 'delete'; path: string }
  /** `changes`: the lines of the input that are not as before; the others belong to the user and are not shown. */
  | { kind: 'run'; argv: readonly string[]; input?: Buffer; changes?: string[] }

export interface Found {
  /** Whether it can be told what to do. Files of ours can lie there even when it cannot. */
  isReachable: boolean
  /** Whether it has taken up what our files say. */
  isActive: boolean
  cadence?: Cadence
  since?: string
  next?: string
  /** What stands where now, by path; for schedulers without files, by the name of the thing. */
  texts: Readonly<Record<string, string>>
}

export interface Scheduler {
  id: 'systemd' | 'cron' | 'launchd' | 'task-scheduler'
  /** As people call it. */
  name: string
  /** What the user should know once it is set. */
  note?: string
  find(place: Place, run: Run): Found
  set(job: Job, cadence: Cadence, found: Found, place: Place): Step[]
  unset(found: Found, place: Place): Step[]
}

/** Stands in everything that is ours; nothing without it is ever deleted. */
export function marker(cadence: Cadence): string {
  return `Made by recollect schedule ${cadence}. recollect schedule off takes it out.`
}

export function cadenceIn(text: string | undefined): Cadence | undefined {
  return /recollect schedule (hourly|daily)/.exec(text ?? '')?.[1] as Cadence | undefined
}
