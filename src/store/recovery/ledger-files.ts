// The files around a ledger that is being replaced, and the note of a process that met damage. Apart
// from the replacement itself, because every command looks for them.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import type { Layout } from '../../core/paths.ts'

/** Name of the value with the last recovery. */
export const recoveryNote = 'recovery'

/** A new ledger that is complete, before it replaces a damaged one. */
export function rebuiltPath({ ledger }: Layout): string {
  return `${ledger}.rebuilt`
}

/**
 * Moves the rest of a damaged ledger away and the new one into its place, if a run was killed in
 * between: without a ledger, a rebuilt one is complete. The log of another file must not stay,
 * because SQLite would delete it.
 */
export function finishReplacement(layout: Layout): void {
  // In this order: SQLite creates the log after the ledger, so a log without one is a remnant.
  const rest = ['-wal', '-shm'].filter((end) => existsSync(`${layout.ledger}${end}`))
  if (existsSync(layout.ledger)) return
  if (rest.length > 0) {
    const folder = join(layout.backups, lastDamaged(layout) ?? 'damaged-ledger')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const end of rest) moveIfThere(`${layout.ledger}${end}`, join(folder, `${basename(layout.ledger)}${end}`))
  }
  moveIfThere(rebuiltPath(layout), layout.ledger)
}

/** Another process may have moved it meanwhile. */
function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function lastDamaged({ backups }: Layout): string | undefined {
  if (!existsSync(backups)) return undefined
  return readdirSync(backups)
    .filter((name) => name.startsWith('damaged-2'))
    .sort()
    .at(-1)
}

/**
 * A process that only reads does not replace the ledger. It leaves this file, and the next sweep
 * checks the ledger.
 */
export function suspectDamage(layout: Layout, error: unknown): void {
  try {
    writeFileSync(suspicionPath(layout), messageOf(error), { mode: 0o600 })
  } catch {
    // the next sweep may find the damage itself
  }
}

export function isDamageSuspected(layout: Layout): boolean {
  return existsSync(suspicionPath(layout))
}

export function clearSuspicion(layout: Layout): void {
  rmSync(suspicionPath(layout), { force: true })
}

function suspicionPath({ run }: Layout): string {
  return join(run, 'ledger-suspect')
}
