// The key to the server: from the environment, else from a file that only its owner can read. It never stands in config.toml, which
// people show to each other.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../core/errors.ts'
import { readTextOrEmpty, writeAtomically } from '../core/files.ts'
import type { Layout, Machine } from '../core/paths.ts'

export interface KeyLocation {
  machine: Pick<Machine, 'env'>
  layout: Pick<Layout, 'root'>
}

export function readKey({ machine, layout }: KeyLocation): string | undefined {
  return machine.env.RECOLLECT_KEY?.trim() || readTextOrEmpty(keyFile(layout)).trim() || undefined
}

export function saveKey({ layout }: Pick<KeyLocation, 'layout'>, key: string): void {
  // A file that was open to others must not stay so.
  rmSync(keyFile(layout), { force: true })
  writeAtomically(keyFile(layout), `${key}\n`, 0o600)
}

export function deleteKey({ layout }: Pick<KeyLocation, 'layout'>): void {
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

/** Without a slash at its end. Plain http would show the key and every memory to whoever is on the way. */
export function checkAddress(text: string, isInsecure: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(`${text} is not the address of a server`, 'For example: https://memory.example.com')
  if (url.username || url.password || url.search || url.hash)
    throw new UserError(
      'The address of a server has no key in it',
      'The key is asked for, or taken from RECOLLECT_KEY.',
    )
  if (url.protocol === 'http:' && !isInsecure && !isLoopback(url.hostname))
    throw new UserError(
      `${url.origin} would be asked without encryption: anybody on the way could read the key and your memories`,
      'Use https. To do it all the same: --insecure',
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
}
