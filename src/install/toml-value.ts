// What a TOML file says, for comparing one with another.
import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { UserError } from '../core/errors.ts'
import type { Json } from '../core/session.ts'
import type { IsOurs } from './ours.ts'

/** Dates and large numbers are in it besides what JSON knows; nobody here looks into those. */
export type TomlValue = Record<string, unknown>

export function parseToml(text: string, path: string): TomlValue {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new UserError(
      `${path}:${error.line}:${error.column} is not valid TOML: ${error.message.split('\n')[0]}`,
      'Nothing was changed. Correct that line, then run the command again.',
    )
  }
}

export function tryToml(text: string): TomlValue | undefined {
  try {
    return parseToml(text, '')
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Whether all of `part` is in `whole`: items of lists somewhere in the list, everything else in its place. */
export function holds(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole) && Array.isArray(part)) {
    return part.every((item) => whole.some((other) => isDeepStrictEqual(other, item)))
  }
  if (isTable(whole) && isTable(part)) return Object.entries(part).every(([key, value]) => holds(whole[key], value))
  return isDeepStrictEqual(whole, part)
}

export function holdsOurs(value: unknown, isOurs: IsOurs): boolean {
  if (Array.isArray(value)) return value.some((item) => isOurTable(item, isOurs) || holdsOurs(item, isOurs))
  return isTable(value) && Object.values(value).some((inner) => holdsOurs(inner, isOurs))
}

/** Empty lists and tables do not count: they may have been made for ours. */
export function withoutOurs(value: unknown, isOurs: IsOurs): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isOurTable(item, isOurs)).map((item) => withoutOurs(item, isOurs))
  }
  if (!isTable(value)) return value
  const kept = Object.entries(value).map(([key, inner]) => [key, withoutOurs(inner, isOurs)] as const)
  return Object.fromEntries(kept.filter(([, inner]) => !isEmpty(inner)))
}

/** A mere text in a list is an argument of a command of the user. */
function isOurTable(item: unknown, isOurs: IsOurs): boolean {
  return isTable(item) && isOurs(item as Json)
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isTable(value) && Object.keys(value).length === 0
}

function isTable(value: unknown): value is TomlValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
