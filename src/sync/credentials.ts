// The key and the address of the server. The key comes from the environment, else from a file that
// only its owner can read; never from config.toml, which people show to each other.
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
  // Replace the file, since an existing one may be readable by others.
  rmSync(keyFile(layout), { force: true })
  writeAtomically(keyFile(layout), `${key}\n`, 0o600)
}

export function deleteKey({ layout }: Pick<KeyLocation, 'layout'>): void {
  rmSync(keyFile(layout), { force: true })
}

export function keyFile({ root }: Pick<Layout, 'root'>): string {
  return join(root, 'sync-key')
}

/** Accepts only characters that are valid in a header. */
export function checkKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]{8,500}$/.test(key)) return key
  throw new UserError(
    'This is not a key',
    'A key is one line without spaces, as printed by "recollect server key create".',
  )
}

/**
 * Returns the address without a trailing slash. Refuses plain http, which would expose key and
 * memories.
 */
export function checkAddress(text: string, isInsecure: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(`${text} is not the address of a server`, 'For example: https://memory.example.com')
  if (url.username || url.password || url.search || url.hash)
    throw new UserError('The address must not contain a key', 'Enter the key when asked, or set RECOLLECT_KEY.')
  if (url.protocol === 'http:' && !isInsecure && !isLoopback(url.hostname))
    throw new UserError(
      `${url.origin} is not encrypted: others on the network could read the key and your memories`,
      'Use https, or allow it with --insecure',
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
}
