// Values in a program that Codex runs as a tool call, as far as they can be known without running it: literals, and
// which calls anything else comes from.
import type { Json } from '../../../core/session.ts'

export type Value =
  /** A string, a number, a truth value, null, or undefined. */
  | { kind: 'known'; value: string | number | boolean | null | undefined }
  | { kind: 'list'; items: Value[]; size: number }
  /** Partial if it has fields of unknown names. */
  | { kind: 'object'; fields: Map<string, Value>; isPartial: boolean; size: number }
  | { kind: 'function'; parameters: [start: number, end: number]; body: [start: number, end: number]; scope: Scope }
  /** A name that the program does not define, with the names after it: `Promise.all`, `tools.exec_command`. */
  | { kind: 'global'; path: string }
  | Derived

/** Something made of the results of these calls, or of nothing that is known. */
export interface Derived {
  kind: 'derived'
  calls: number[]
  /** The exit code itself. */
  isExit?: boolean
  /** A text that is put together: literal texts, and what stands between them. */
  pieces?: Piece[]
}

export type Piece = string | { calls: number[]; isExit: boolean }

export interface Scope {
  names: Map<string, Value>
  outer: Scope | undefined
}

export const unknown: Value = { kind: 'derived', calls: [] }

export function known(value: string | number | boolean | null | undefined): Value {
  return { kind: 'known', value }
}

/** A few lines can describe a value of any size: `a = [a, a]`, again and again. */
const maxSize = 5000
const maxText = 1_000_000

export function listOf(items: Value[]): Value {
  const size = sizeOf(items)
  return size > maxSize ? unknown : { kind: 'list', items, size }
}

export function objectOf(fields: Map<string, Value>, isPartial: boolean): Value {
  const size = sizeOf([...fields.values()])
  return size > maxSize ? unknown : { kind: 'object', fields, isPartial, size }
}

function sizeOf(values: Value[]): number {
  return values.reduce((sum, value) => sum + ('size' in value ? value.size : 1), 1)
}

export function callsIn(value: Value): number[] {
  switch (value.kind) {
    case 'derived':
      return value.calls
    case 'list':
      return [...new Set(value.items.flatMap(callsIn))]
    case 'object':
      return [...new Set([...value.fields.values()].flatMap(callsIn))]
    default:
      return []
  }
}

export function derivedFrom(values: Value[]): Value {
  return { kind: 'derived', calls: [...new Set(values.flatMap(callsIn))] }
}

/** What `+` and a template make: a known text, or pieces of one. */
export function joined(values: Value[]): Value {
  if (values.every((value) => value.kind === 'known')) {
    const areNumbers = values.length > 0 && values.every(({ value }) => typeof value === 'number')
    if (areNumbers) return known(values.reduce((sum, { value }) => sum + Number(value), 0))
    const length = values.reduce((sum, { value }) => sum + String(value).length, 0)
    return length > maxText ? unknown : known(values.map(({ value }) => String(value)).join(''))
  }
  const pieces = values.flatMap(piecesOf)
  return { kind: 'derived', calls: [...new Set(values.flatMap(callsIn))], ...(pieces.length > 100 ? {} : { pieces }) }
}

function piecesOf(value: Value): Piece[] {
  if (value.kind === 'known') return [String(value.value)]
  if (value.kind === 'derived' && value.pieces) return value.pieces
  return [{ calls: callsIn(value), isExit: value.kind === 'derived' && value.isExit === true }]
}

export function isLiteral(value: Value): boolean {
  if (value.kind === 'list') return value.items.every(isLiteral)
  if (value.kind === 'object') return !value.isPartial && [...value.fields.values()].every(isLiteral)
  return value.kind === 'known'
}

/** Undefined if any part is unknown, except fields of an object, which are left out. */
export function toJson(value: Value): Json | undefined {
  switch (value.kind) {
    case 'known':
      return value.value ?? null
    case 'list': {
      const items = value.items.map((item) => toJson(item))
      return items.includes(undefined) ? undefined : (items as Json[])
    }
    case 'object': {
      const fields = [...value.fields].map(([name, field]) => [name, toJson(field)] as const)
      return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
    }
    default:
      return undefined
  }
}

export function lookUp(scope: Scope | undefined, name: string): Value {
  for (let at = scope; at; at = at.outer) {
    const value = at.names.get(name)
    if (value) return value
  }
  return { kind: 'global', path: name }
}

/** A field, an item, or a method of a value. */
export function member(value: Value, name: string): Value {
  switch (value.kind) {
    case 'global':
      return { kind: 'global', path: `${value.path}.${name}` }
    case 'derived':
      return { kind: 'derived', calls: value.calls, ...(/^exit_?code$/i.test(name) ? { isExit: true } : {}) }
    case 'list':
      return name === 'length' ? known(value.items.length) : (value.items[Number(name)] ?? unknown)
    case 'object':
      return value.fields.get(name) ?? (value.isPartial ? derivedFrom([value]) : known(undefined))
    default:
      return unknown
  }
}
