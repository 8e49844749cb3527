// Machine-wide locks. A lock is the operating system's lock on a SQLite file, so it ends with its
// process: there are no stale locks to detect and no race to take one over.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, isoTime } from './clock.ts'
import type { Layout } from './paths.ts'
import { isBusy, isDamaged, openDatabase } from './sqlite.ts'

export interface LockOwner {
  pid: number
  command: string
  since: string
}

export type LockAttempt = { kind: 'held'; release: () => void } | { kind: 'busy'; owner: LockOwner | undefined }

export function tryLock(path: string, command: string, clock: Clock): LockAttempt {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const database = openDatabase(path, { pragmas: ['busy_timeout = 0', 'locking_mode = NORMAL'] })
  try {
    database.raw.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return { kind: 'busy', owner: readOwner(path) }
    if (!isDamaged(error)) throw error
    rmSync(path) // it holds no data
    return tryLock(path, command, clock)
  }
  if (readOwner(path)) writeFileSync(`${path}${killedEnding}`, '', { mode: 0o600 })
  const owner: LockOwner = { pid: process.pid, command, since: isoTime(clock.nowMs()) }
  writeFileSync(ownerFile(path), JSON.stringify(owner), { mode: 0o600 })
  return {
    kind: 'held',
    release() {
      writeFileSync(ownerFile(path), '', { mode: 0o600 })
      database.close()
    },
  }
}

export interface LockOptions {
  clock: Clock
  /** What the owner file says the lock is held for; the name of the lock if not given. */
  command?: string
  maxWaitMs?: number | undefined
  /** Called once if another process has to end first. */
  onWait?: ((owner: LockOwner | undefined) => void) | undefined
}

/** Runs `work` with the lock `<run>/<name>.lock` held, as soon as it is free. */
export async function withLock<T>(
  layout: Pick<Layout, 'run'>,
  name: string,
  { clock, command = name, maxWaitMs, onWait = () => {} }: LockOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  const release = await waitForLock(lockFile(layout, name), command, clock, onWait, maxWaitMs)
  try {
    return await work()
  } finally {
    release()
  }
}

/** Runs `work`, which may be async, with the lock held; undefined if another process holds it. */
export function tryWithLock<T>(
  layout: Pick<Layout, 'run'>,
  name: string,
  { clock, command = name }: Omit<LockOptions, 'maxWaitMs' | 'onWait'>,
  work: () => T,
): T | undefined {
  const locking = tryLock(lockFile(layout, name), command, clock)
  if (locking.kind === 'busy') return undefined
  let result: T
  try {
    result = work()
  } catch (error) {
    locking.release()
    throw error
  }
  if (result instanceof Promise) return result.finally(locking.release) as T
  locking.release()
  return result
}

function lockFile({ run }: Pick<Layout, 'run'>, name: string): string {
  return join(run, `${name}.lock`)
}

/** Another process held the lock for longer than the caller wants to wait. */
export class LockTimeoutError extends Error {}

/** Waits until the lock is free; `onWait` is called once with the owner. */
export async function waitForLock(
  path: string,
  command: string,
  clock: Clock,
  onWait: (owner?: LockOwner) => void,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<() => void> {
  const since = performance.now()
  for (let tries = 0; ; tries++) {
    const locking = tryLock(path, command, clock)
    if (locking.kind === 'held') return locking.release
    if (tries === 0) onWait(locking.owner)
    if (performance.now() - since > maxMs)
      throw new LockTimeoutError(
        `process ${locking.owner?.pid ?? 'unknown'} has held ${path} longer than the time limit`,
      )
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const killedEnding = '.killed'

/**
 * Whether a process ended without releasing its lock. What it left behind is cleaned up by the next
 * sweep, which then calls `forgetKilled`. Locks with an owner are tried, because that owner may
 * have been killed.
 */
export function wasKilled({ run }: Pick<Layout, 'run'>, clock: Clock): boolean {
  for (const name of readdirSync(run).filter((file) => file.endsWith('.lock'))) {
    if (!readOwner(join(run, name))) continue
    const locking = tryLock(join(run, name), 'check', clock)
    if (locking.kind === 'held') locking.release()
  }
  return killedFiles(run).length > 0
}

export function forgetKilled({ run }: Pick<Layout, 'run'>): void {
  for (const name of killedFiles(run)) rmSync(join(run, name), { force: true })
}

function killedFiles(run: string): string[] {
  return readdirSync(run).filter((name) => name.endsWith(killedEnding))
}

/** The recorded owner; only for messages, never for decisions. */
function readOwner(path: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(path), 'utf8')) as LockOwner
  } catch {
    return undefined
  }
}

function ownerFile(path: string): string {
  return `${path}.owner`
}
