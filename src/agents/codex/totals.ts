// The running total of a thread's tokens, as numbers.
import type { Json } from '../../core/session.ts'
import { asCount, asObject, type JsonObject } from '../json-values.ts'

export interface Totals {
  input: number
  cached: number
  written: number
  output: number
  reasoning: number
}

export interface TokenState {
  last: Totals
  /** Whether `last` is where this thread stands; not so for a fork whose parent's total is unknown. */
  isKnown: boolean
  /** A usage record of the newest dialect: it counts only where no running total follows. */
  held: Totals | undefined
  countedBy: 'unknown' | 'totals' | 'records'
}

export const none: Totals = Object.freeze({ input: 0, cached: 0, written: 0, output: 0, reasoning: 0 })

export function tokenState(state: Json | undefined): TokenState {
  const { last, isKnown, held, countedBy } = asObject(state)
  return {
    last: savedTotals(asObject(last)),
    isKnown: isKnown !== false,
    held: held ? savedTotals(asObject(held)) : undefined,
    countedBy: countedBy === 'totals' || countedBy === 'records' ? countedBy : 'unknown',
  }
}

function savedTotals({ input, cached, written, output, reasoning }: JsonObject): Totals {
  return {
    input: asCount(input),
    cached: asCount(cached),
    written: asCount(written),
    output: asCount(output),
    reasoning: asCount(reasoning),
  }
}

/** Counts of the Responses API: input with cached, output with reasoning. */
export function totals(value: Json | undefined): Totals | undefined {
  const usage = asObject(value)
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return undefined
  return {
    input: asCount(usage.input_tokens),
    cached: asCount(usage.cached_input_tokens),
    written: asCount(usage.cache_write_input_tokens),
    output: asCount(usage.output_tokens),
    reasoning: asCount(usage.reasoning_output_tokens),
  }
}

export function isSame(a: Totals, b: Totals): boolean {
  return a.input === b.input && a.output === b.output && a.cached === b.cached && a.reasoning === b.reasoning
}

export function sum(a: Totals, b: Totals): Totals {
  return combine(a, b, (x, y) => x + y)
}

export function difference(a: Totals, b: Totals): Totals {
  return combine(a, b, (x, y) => Math.max(0, x - y))
}

function combine(a: Totals, b: Totals, join: (x: number, y: number) => number): Totals {
  return {
    input: join(a.input, b.input),
    cached: join(a.cached, b.cached),
    written: join(a.written, b.written),
    output: join(a.output, b.output),
    reasoning: join(a.reasoning, b.reasoning),
  }
}
