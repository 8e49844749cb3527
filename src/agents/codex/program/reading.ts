// What the parts of the reader of programs share: where they are, how much they may still read, and the program so far.
import type { Json } from '../../../core/session.ts'
import type { Token } from './tokens.ts'
import { derivedFrom, known, listOf, lookUp, member, type Scope, type Value } from './values.ts'

export interface Program {
  /** In the order in which they are made. */
  calls: { tool: string; input: Json }[]
  /** The parts of its output; undefined if they depend on what happens. */
  prints: Print[] | undefined
  /** Whether these are all its calls. */
  isWhole: boolean
}

export interface Print {
  /** The calls whose results it shows, in order. */
  calls: number[]
  /** Where it shows the exit code: after this text, or at its beginning. */
  exit?: { after: string; isFirst: boolean }
}

export interface Reading {
  tokens: Token[]
  closing: number[]
  program: Program
  steps: number
  depth: number
  /** Above 0 in code that may not be reached. */
  doubts: number
  returned: Value
  hasEnded: boolean
  /** Reads the body of a function that is called. */
  readBody(from: number, end: number, scope: Scope): Value
}

const maxSteps = 20_000
const maxDepth = 40

/** The rest of the program is not read. */
export class TooMuch extends Error {}

export function startReading(
  { tokens, closing }: Pick<Reading, 'tokens' | 'closing'>,
  readBody: (reading: Reading, from: number, end: number, scope: Scope) => Value,
): Reading {
  const reading: Reading = {
    ...{ tokens, closing, steps: 0, depth: 0, doubts: 0, returned: known(undefined), hasEnded: false },
    program: { calls: [], prints: [], isWhole: true },
    readBody: (from, end, scope) => readBody(reading, from, end, scope),
  }
  return reading
}

export function isMark(reading: Reading, at: number, ...values: string[]): boolean {
  const token = reading.tokens[at]
  return token?.kind === 'mark' && values.includes(token.value)
}

export function nameAt(reading: Reading, at: number): string {
  const token = reading.tokens[at]
  return token?.kind === 'name' ? token.value : ''
}

export function step(reading: Reading): void {
  if (++reading.steps > maxSteps) throw new TooMuch()
}

export function deeper<T>(reading: Reading, read: () => T): T {
  step(reading)
  if (++reading.depth > maxDepth) throw new TooMuch()
  const value = read()
  reading.depth--
  return value
}

export function doubtfully<T>(reading: Reading, read: () => T): T {
  reading.doubts++
  const value = read()
  reading.doubts--
  return value
}

/** Binds a name, or the names in `[a, b]` and `{a, b: c}`. */
export function bind(reading: Reading, at: number, value: Value, scope: Scope): void {
  if (!isMark(reading, at, '[', '{')) {
    const bound = reading.doubts > 0 && value.kind !== 'function' ? derivedFrom([value]) : value
    if (nameAt(reading, at)) scope.names.set(nameAt(reading, at), bound)
    return
  }
  const isList = isMark(reading, at, '[')
  let place = 0
  for (let part = at + 1; part < reading.closing[at]!; part++) {
    step(reading)
    if (isMark(reading, part, ',')) place++
    else if (isMark(reading, part, '...')) {
      const rest = isList && value.kind === 'list' ? listOf(value.items.slice(place)) : derivedFrom([value])
      bind(reading, ++part, rest, scope)
    } else {
      const field = member(value, isList ? String(place) : nameAt(reading, part))
      if (!isList && isMark(reading, part + 1, ':')) part += 2
      bind(reading, part, field, scope)
      part = isMark(reading, part, '[', '{') ? reading.closing[part]! : part
      while (part + 1 < reading.closing[at]! && !isMark(reading, part + 1, ',')) part++ // a default
    }
  }
}

export function assign(reading: Reading, name: string, value: Value, scope: Scope): void {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (!at.names.has(name) && at.outer) continue
    at.names.set(name, reading.doubts > 0 ? derivedFrom([value, lookUp(scope, name)]) : value)
    return
  }
}
