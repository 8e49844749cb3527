// Output too long for the transcript lies in a file of its own (since 2.1.51).
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { type JsonObject, optionalString } from '../json-values.ts'
import type { Reading } from './reading.ts'

const maxBytes = 5_000_000

/** The whole output where it can be had. The text names any path it likes: only this session's own folder is read. */
export function persistedOutput(said: string, structured: JsonObject, { path, session }: Reading): string {
  if (!said.startsWith('<persisted-output>')) return said
  const claimed = optionalString(structured.persistedOutputPath) ?? /Full output saved to: ([^\r\n]+)/.exec(said)?.[1]
  const parts = claimed?.trim().split(/[\\/]/) ?? []
  const [owner, folder, name] = parts.slice(-3)
  const own = session.split('/')[0]!
  if (!name || name === '..' || folder !== 'tool-results' || owner !== own) return said
  try {
    const results = realpathSync(join(projectFolder(path, own), own, 'tool-results'))
    const file = realpathSync(join(results, name))
    if (dirname(file) !== results || statSync(file).size > maxBytes) return said
    return readFileSync(file, 'utf8')
  } catch {
    return said // the file is gone: what the transcript kept is what there is
  }
}

function projectFolder(path: string, session: string): string {
  const at = path.lastIndexOf(`${sep}${session}${sep}`)
  return at < 0 ? dirname(path) : path.slice(0, at)
}
