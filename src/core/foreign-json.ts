// Parses JSON that other programs wrote and limits its depth and width. Everything behind it
// (readers, redaction, digests, search, sync) walks values recursively and relies on these limits:
// V8 parses any depth, but a recursive function ends with a stack overflow.
import type { Json } from './session.ts'

/** No agent nests its records deeper than about 20 levels; a function call needs far less. */
export const maxJsonDepth = 200
/** Elements of one array, and keys of one object. */
export const maxJsonWidth = 100_000

export interface ForeignJson {
  value: Json
  /** What was left out of the value; undefined if it is complete. */
  omitted?: string
}

/**
 * V8 parses without a chance to stop it: a line of six million `{}` takes 336 MB, and exceeding the
 * limit of the heap there ends the process, not only the thread.
 */
export const maxJsonValues = 2_000_000

export class TooManyValues extends Error {}

/** Throws what JSON.parse throws, or TooManyValues. */
export function parseForeignJson(source: string): ForeignJson {
  // A value takes at least two characters, with its comma.
  if (source.length > 2 * maxJsonValues && hasTooManyValues(source))
    throw new TooManyValues(`more than ${maxJsonValues} values in one record`)
  const value = JSON.parse(source) as Json
  // Every level takes an opening and a closing bracket.
  if (source.length <= 2 * maxJsonDepth) return { value }
  const excess = excessOf(value, maxJsonDepth)
  if (!excess) return { value }
  return { value: pruned(value, maxJsonDepth), omitted: omissions[excess] }
}

function hasTooManyValues(source: string): boolean {
  let values = 0
  let isInString = false
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === comma || code === openBracket || code === openBrace) {
      if (++values > maxJsonValues) return true
    }
  }
  return false
}

const [quote, comma, openBracket, backslash, openBrace] = [34, 44, 91, 92, 123]

type Excess = 'depth' | 'width'

const omissions: Record<Excess, string> = {
  depth: `parts nested deeper than ${maxJsonDepth} levels were left out`,
  width: `elements beyond the first ${maxJsonWidth} of a list were left out`,
}

/** Runs for every record, so it creates nothing. */
function excessOf(value: Json, depth: number): Excess | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === 0) return 'depth'
  if (Array.isArray(value)) {
    if (value.length > maxJsonWidth) return 'width'
    for (const item of value) {
      const excess = typeof item === 'object' ? excessOf(item, depth - 1) : undefined
      if (excess) return excess
    }
    return undefined
  }
  let width = 0
  for (const key in value) {
    if (++width > maxJsonWidth) return 'width'
    const item = value[key]
    const excess = typeof item === 'object' ? excessOf(item, depth - 1) : undefined
    if (excess) return excess
  }
  return undefined
}

/** A copy within the limits. Keys such as `__proto__` stay plain keys. */
function pruned(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '[nested too deep]'
  if (Array.isArray(value)) {
    const kept = value.slice(0, maxJsonWidth).map((item) => pruned(item, depth - 1))
    if (value.length > maxJsonWidth) kept.push(`[${value.length - maxJsonWidth} more]`)
    return kept
  }
  const entries = Object.entries(value)
  const kept: [string, Json][] = entries
    .slice(0, maxJsonWidth)
    .map(([key, item]) => [key, item === undefined ? null : pruned(item, depth - 1)])
  if (entries.length > maxJsonWidth) kept.push(['…', `[${entries.length - maxJsonWidth} more]`])
  return Object.fromEntries(kept)
}
