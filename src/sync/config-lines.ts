// The lines of config.toml that joining and leaving write. The file is the user's: whatever else stands in it stays byte for byte.
import { existsSync, readFileSync } from 'node:fs'
import { defaultConfig, parseConfig } from '../core/config.ts'
import { UserError } from '../core/errors.ts'
import { writeAtomically } from '../core/files.ts'

export interface SyncLines {
  /** Undefined takes the line out. */
  server?: string | undefined
  insecure?: boolean | undefined
}

export function writeSyncLines(path: string, { server, insecure }: SyncLines): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : defaultConfig()
  const withServer = withLine(before, 'server', server === undefined ? undefined : JSON.stringify(server))
  const after = withLine(withServer, 'insecure', insecure ? 'true' : undefined)
  if (after === before) return
  const { sync } = parseConfig(after, path)
  if (sync.server !== (server ?? '') || sync.insecure !== (insecure ?? false))
    throw new UserError(
      `${path}: [sync] stands there in a way that cannot be changed from here`,
      server === undefined
        ? 'Take the line server = … out by hand.'
        : `Write under [sync]: server = ${JSON.stringify(server)}`,
    )
  writeAtomically(path, after)
}

/** In the place of the line that is there, else below the head of the table, else at the end. */
function withLine(text: string, key: string, value: string | undefined): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(/\r?\n/)
  const head = lines.findIndex((line) => /^\s*\[\s*sync\s*\]\s*(?:#.*)?$/.test(line))
  const next = lines.findIndex((line, index) => index > head && /^\s*\[/.test(line))
  const isInTable = (index: number) => head >= 0 && index > head && (next < 0 || index < next)
  const at = lines.findIndex((line, index) => isInTable(index) && new RegExp(`^\\s*${key}\\s*=`).test(line))
  if (value === undefined) return at < 0 ? text : lines.toSpliced(at, 1).join(end)
  const line = `${key} = ${value}`
  if (at >= 0) return lines.with(at, line).join(end)
  if (head >= 0) return lines.toSpliced(placeIn(lines, head, key), 0, line).join(end)
  return [...lines.slice(0, lines.at(-1) === '' ? -1 : undefined), '', '[sync]', line, ''].join(end)
}

/** Below the commented example of the same setting, where a reader looks for it. */
function placeIn(lines: readonly string[], head: number, key: string): number {
  const example = lines.findIndex((line, index) => index > head && line.startsWith(`# ${key} = `))
  return example < 0 ? head + 1 : example + 1
}
