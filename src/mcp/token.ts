import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../core/errors.ts'
import type { Layout } from '../core/paths.ts'

export interface AccessToken {
  value: string
  path: string
  isNew: boolean
}

/** Keeps the token across restarts, so that clients keep working. Delete the file to replace it. */
export function readOrCreateToken({ run }: Layout): AccessToken {
  const path = join(run, 'mcp-token')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const made = randomBytes(32).toString('base64url')
  try {
    writeFileSync(path, `${made}\n`, { flag: 'wx', mode: 0o600 })
    return { value: made, path, isNew: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  chmodSync(path, 0o600)
  const value = readFileSync(path, 'utf8').trim()
  if (!/^[\w-]{32,}$/.test(value)) throw new UserError(`${path} contains no token`, 'Delete the file and start again.')
  return { value, path, isNew: false }
}

/** Compares in constant time. */
export function hasToken(authorization: string | null, token: string): boolean {
  const given = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(hash(given), hash(token))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
