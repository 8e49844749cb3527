// Plans one table of ours in a TOML file, such as [mcp_servers.recollect]. A table of that name that
// somebody else wrote is left alone. As in plan-toml.ts the result is parsed before it is written.
import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'smol-toml'
import { UserError } from '../../core/errors.ts'
import type { Json } from '../../core/session.ts'
import type { IsOwnedItem } from './owned-entries.ts'
import {
  append,
  containsValue,
  cutLines,
  headersOf,
  isBelow,
  isTable,
  parseToml,
  type TomlValue,
  tryToml,
  withLineEndingsOf,
  withoutLastLines,
} from './plan-toml.ts'
import { applyTextEdits, type TextEdit } from './text-edits.ts'

interface TomlTable {
  path: string
  /** The keys of its header. */
  at: readonly string[]
  text: string
}

export function planTomlTable(text: string, table: TomlTable, isOurs: IsOwnedItem): TextEdit[] {
  const before = parseToml(text, table.path)
  const there = valueAt(before, table.at)
  const wanted = valueAt(parseToml(table.text, table.path), table.at) as TomlValue
  if (there !== undefined && (!isOurs(there as Json) || containsValue(there, wanted))) return []
  const edit =
    there === undefined ? append(text, table.text) : renewTable(text, table, { ...(there as object), ...wanted })
  const after = edit && tryToml(applyTextEdits(text, [edit]))
  if (after && containsValue(valueAt(after, table.at), wanted) && isOtherwiseEqual(before, after, table.at))
    return [edit]
  throw new UserError(
    `${table.path}: ${table.at[0]} is written in a form that cannot be extended`,
    `The file was not changed. Write each entry as [${table.at[0]}.<name>], then run the command again.`,
  )
}

/** Removes our table with the tables below it, even if it was edited. */
export function removeOwnedTable(text: string, table: TomlTable, isOurs: IsOwnedItem): string {
  const there = valueAt(parseToml(text, table.path), table.at)
  if (there === undefined || !isOurs(there as Json)) return text
  const range = rangeOf(text, table.at)
  const after = range && applyTextEdits(text, [cutLines(text, range.start, range.end)])
  if (after !== undefined && isCleanTableRemoval(text, after, table, isOurs)) return after
  throw new UserError(
    `${table.path}: our table [${table.at.join('.')}] cannot be removed without changing other settings`,
    'The file was not changed. Remove it by hand, then run the command again.',
  )
}

/** Whether `after` differs from `before` only by our table. */
export function isCleanTableRemoval(
  before: string,
  after: string,
  { path, at }: TomlTable,
  isOurs: IsOwnedItem,
): boolean {
  const [old, value] = [parseToml(before, path), tryToml(after)]
  const there = valueAt(old, at)
  if (value === undefined || there === undefined || !isOurs(there as Json)) return false
  return valueAt(value, at) === undefined && isOtherwiseEqual(old, value, at)
}

/** Writes the table anew where it is. Undefined if it has no header of its own. */
function renewTable(text: string, { at }: TomlTable, value: object): TextEdit | undefined {
  const range = rangeOf(text, at)
  if (!range) return undefined
  const nested = at.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as TomlValue
  const added = withLineEndingsOf(text, stringify(nested).trimEnd())
  return { at: range.start, removed: text.slice(range.start, range.end), added }
}

/** From the header of the table to the end of the last table below it, without the line break. */
function rangeOf(text: string, at: readonly string[]): { start: number; end: number } | undefined {
  const headers = headersOf(text)
  const index = headers.findIndex(({ keys, isList }) => !isList && isDeepStrictEqual(keys, at))
  const header = headers[index]
  if (!header) return undefined
  const next = headers.slice(index + 1).find((other) => !isBelow(other, header))
  const block = text.slice(header.start, next?.start ?? text.length)
  return { start: header.start, end: header.start + withoutLastLines(block).length }
}

function valueAt(value: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>((inner, key) => (isTable(inner) ? inner[key] : undefined), value)
}

function isOtherwiseEqual(before: TomlValue, after: TomlValue, at: readonly string[]): boolean {
  return isDeepStrictEqual(withoutTable(before, at), withoutTable(after, at))
}

/** Also without the tables around it that are empty then: they may have been created for it. */
function withoutTable(value: TomlValue, [key, ...rest]: readonly string[]): TomlValue {
  const { [key!]: inner, ...others } = value
  if (rest.length === 0 || !isTable(inner)) return others
  const left = withoutTable(inner, rest)
  return Object.keys(left).length === 0 ? others : { ...others, [key!]: left }
}
