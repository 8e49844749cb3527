// Changes single lines of config.toml and keeps everything else as the user wrote it.
import { existsSync, readFileSync } from 'node:fs'
import { UserError } from '../errors.ts'
import { writeAtomically } from '../files.ts'
import type { Json } from '../session.ts'
import { type Config, defaultConfig, isToml, parseConfig } from './config.ts'

/** As JSON; undefined removes the line. */
export type WrittenValue = Json | readonly string[] | undefined

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
  if (!isToml(after) || !isMeant(parseConfig(after, path))) {
    const lines = Object.entries(values).map(([key, value]) =>
      value === undefined ? `no ${key}` : `${key} = ${tomlText(value)}`,
    )
    throw new UserError(
      `${path}: the [${table}] table cannot be edited automatically`,
      `Write under [${table}]: ${lines.join(', ')}`,
    )
  }
  writeAtomically(path, after)
}

/** Replaces the line of a key, else inserts it below the table header, else appends the table. */
function withLine(text: string, table: string, key: string, value: WrittenValue): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(/\r?\n/)
  const head = lines.findIndex((line) => new RegExp(`^\\s*\\[\\s*${table}\\s*\\]\\s*(?:#.*)?$`).test(line))
  const next = lines.findIndex((line, index) => index > head && /^\s*\[/.test(line))
  const isInTable = (index: number) => head >= 0 && index > head && (next < 0 || index < next)
  const at = lines.findIndex((line, index) => isInTable(index) && statesKey(line, key))
  if (value === undefined) return at < 0 ? text : lines.toSpliced(at, 1).join(end)
  const line = `${key} = ${tomlText(value)}`
  if (at >= 0) return lines.with(at, line).join(end)
  if (head >= 0) return lines.toSpliced(insertionIndex(lines, head, key), 0, line).join(end)
  return [...lines.slice(0, lines.at(-1) === '' ? -1 : undefined), '', `[${table}]`, line, ''].join(end)
}

function statesKey(line: string, key: string): boolean {
  const start = line.trimStart()
  return start.startsWith(key) && /^\s*=/.test(start.slice(key.length))
}

/** A value as TOML on one line. */
export function tomlText(value: Json | readonly string[]): string {
  if (Array.isArray(value)) return `[${value.map(tomlText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${tomlKey(key)} = ${tomlText(item)}`],
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

export function tomlKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
}

/** Below the commented example of the setting. */
function insertionIndex(lines: readonly string[], head: number, key: string): number {
  const example = lines.findIndex((line, index) => index > head && line.startsWith(`# ${key} = `))
  return example < 0 ? head + 1 : example + 1
}
