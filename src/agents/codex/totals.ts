// The running total of a thread's tokens, as numbers.
import type { Json } from '../../core/session.ts'
import { count, type Fields, fields } from '../values.ts'

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
  const { last, isKnown, held, countedBy } = fields(state)
  return {
    last: savedTotals(fields(last)),
    isKnown: isKnown !== false,
    held: held ? savedTotals(fields(held)) : undefined,
    countedBy: countedBy === 'totals' || countedBy === 'records' ? countedBy : 'unknown',
  }
}

function savedTotals({ input, cached, written, output, reasoning }: Fields): Totals {
  return {
    input: count(input),
    cached: count(cached),
    written: count(written),
    output: count(output),
    reasoning: count(reasoning),
  }
}

/** Counts of the Responses API: input with cached, output with reasoning. */
export function totals(value: Json | undefined): Totals | undefined {
  const usage = fields(value)
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return undefined
  return {
    input: count(usage.input_tokens),
    cached: count(usage.cached_input_tokens),
    written: count(usage.cache_write_input_tokens),
    output: count(usage.output_tokens),
    reasoning: count(usage.reasoning_output_tokens),
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
