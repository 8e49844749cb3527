// Tool calls in the form of OpenAI's chat messages, which several agents keep in their transcripts.
import type { Json } from '../core/session.ts'
import { asArray, asObject, asString, optionalString, parseJson } from './json-values.ts'

export interface FunctionCall {
  call: string | undefined
  tool: string
  input: Json
}

/** The list may be JSON text, as the arguments usually are; broken arguments are kept as text. */
export function functionCalls(value: Json | undefined): FunctionCall[] {
  const list = typeof value === 'string' ? parseJson(value) : value
  return asArray(list).map((item) => {
    const made = asObject(item)
    const { name, arguments: given } = asObject(made.function)
    const source = given ?? made.arguments ?? made.input
    return {
      call: optionalString(made.id) ?? optionalString(made.call_id),
      tool: optionalString(name) ?? optionalString(made.name) ?? 'unknown',
      input: typeof source === 'string' ? parseArguments(source) : (source ?? {}),
    }
  })
}

function parseArguments(source: string): Json {
  return source.trim() === '' ? {} : (parseJson(source) ?? { arguments: asString(source) })
}
