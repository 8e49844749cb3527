import type * as z from 'zod'
import { messageOf } from '../core/errors.ts'

export type Parsed<T> = { kind: 'valid'; value: T } | { kind: 'malformed'; problem: string }

/** The value in what a model wrote. Models put fences and words around it, and values of any type inside. */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): Parsed<T> {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1]
  const inside = fenced === undefined ? undefined : parseObject(fenced, schema)
  return inside?.kind === 'valid' ? inside : parseObject(text, schema)
}

function parseObject<T>(text: string, schema: z.ZodType<T>): Parsed<T> {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from < 0 || to < from) return malformed('there is no whole JSON object in it')
  try {
    const checked = schema.safeParse(JSON.parse(text.slice(from, to + 1)))
    if (checked.success) return { kind: 'valid', value: checked.data }
    return malformed(checked.error.issues.slice(0, 5).map(problemOf).join('; '))
  } catch (error) {
    return malformed(messageOf(error))
  }
}

function malformed(problem: string): Parsed<never> {
  return { kind: 'malformed', problem: problem.slice(0, 500) }
}

function problemOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message
}
