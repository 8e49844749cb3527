// The key to the server: from the environment, else from a file that only its owner can read. It never stands in config.toml, which
// people show to each other.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../core/errors.ts'
import { textAt, writeAtomically } from '../core/files.ts'
import type { Machine } from '../core/machine.ts'
import type { Layout } from '../core/paths.ts'

export interface KeyPlace {
  machine: Pick<Machine, 'env'>
  layout: Pick<Layout, 'root'>
}

export function keyOf({ machine, layout }: KeyPlace): string | undefined {
  return machine.env.RECOLLECT_KEY?.trim() || textAt(keyFile(layout)).trim() || undefined
}

export function keepKey({ layout }: Pick<KeyPlace, 'layout'>, key: string): void {
  // A file that was open to others must not stay so.
  rmSync(keyFile(layout), { force: true })
  writeAtomically(keyFile(layout), `${key}\n`, 0o600)
}

export function dropKey({ layout }: Pick<KeyPlace, 'layout'>): void {
  rmSync(keyFile(layout), { force: true })
}

export function keyFile({ root }: Pick<Layout, 'root'>): string {
  return join(root, 'sync-key')
}

/** As it can stand in a header; whatever else was pasted is none. */
export function checkKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]{8,500}$/.test(key)) return key
  throw new UserError(
    'That is no key',
    'A key is one line without spaces, as "recollect server key create" shows it once.',
  )
}
