// Changes single lines of config.toml and keeps everything else as the user wrote it.
import { existsSync, readFileSync } from 'node:fs'
import { UserError } from '../errors.ts'
import { writeAtomically } from '../files.ts'
import { type Config, defaultConfig, parseConfig } from './config.ts'

export type WrittenValue = string | boolean | readonly string[] | undefined

/**
 * Writes values of one table; undefined removes a line. `isMeant` checks the result, because a file
 * can state a table in ways that lines cannot change: then nothing is written.
 */
export function writeSettings(
  path: string,
  table: string,
  values: Record<string, WrittenValue>,
  isMeant: (config: Config) => boolean,
): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : defaultConfig()
  let after = before
  for (const [key, value] of Object.entries(values)) after = withLine(after, table, key, value)
  if (after === before) return
  if (!isAccepted(after, path, isMeant)) {
    const lines = Object.entries(values).map(([key, value]) =>
      value === undefined ? `no ${key}` : `${key} = ${JSON.stringify(value)}`,
    )
    throw new UserError(
      `${path}: the [${table}] table cannot be edited automatically`,
      `Write under [${table}]: ${lines.join(', ')}`,
    )
  }
  writeAtomically(path, after)
}

function isAccepted(text: string, path: string, isMeant: (config: Config) => boolean): boolean {
  try {
    return isMeant(parseConfig(text, path))
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

/** Replaces the line of a key, else inserts it below the table header, else appends the table. */
function withLine(text: string, table: string, key: string, value: WrittenValue): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(/\r?\n/)
  const head = lines.findIndex((line) => new RegExp(`^\\s*\\[\\s*${table}\\s*\\]\\s*(?:#.*)?$`).test(line))
  const next = lines.findIndex((line, index) => index > head && /^\s*\[/.test(line))
  const isInTable = (index: number) => head >= 0 && index > head && (next < 0 || index < next)
  const at = lines.findIndex((line, index) => isInTable(index) && new RegExp(`^\\s*${key}\\s*=`).test(line))
  if (value === undefined) return at < 0 ? text : lines.toSpliced(at, 1).join(end)
  const line = `${key} = ${Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]` : JSON.stringify(value)}`
  if (at >= 0) return lines.with(at, line).join(end)
  if (head >= 0) return lines.toSpliced(insertionIndex(lines, head, key), 0, line).join(end)
  return [...lines.slice(0, lines.at(-1) === '' ? -1 : undefined), '', `[${table}]`, line, ''].join(end)
}

/** Below the commented example of the setting. */
function insertionIndex(lines: readonly string[], head: number, key: string): number {
  const example = lines.findIndex((line, index) => index > head && line.startsWith(`# ${key} = `))
  return example < 0 ? head + 1 : example + 1
}
