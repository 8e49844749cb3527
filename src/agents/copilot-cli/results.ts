// What a tool of Copilot CLI gave back.
import type { Event, ToolError } from '../../core/session.ts'
import { asArray, asObject, asString, imagePlaceholder, type JsonObject, optionalString } from '../json-values.ts'

export function resultEvent(data: JsonObject): Omit<Event, 'id' | 'key' | 'ts'> {
  const said = resultText(data)
  const exit = exitCode(asObject(data.result), said)
  const error = data.success === false ? errorKind(asObject(data.error)) : exit ? 'failed' : undefined
  return { kind: 'tool_result', role: 'tool', text: said, call: optionalString(data.toolCallId), error, exit }
}

function resultText(data: JsonObject): string {
  const result = asObject(data.result)
  const said =
    optionalString(result.content) ??
    optionalString(result.detailedContent) ??
    optionalString(result.text_result_for_llm) ?? // 0.0.x
    asString(asObject(data.error).message)
  const images = [...asArray(result.contents), ...asArray(result.binaryResultsForLlm)]
    .map(asObject)
    .filter((part) => part.type === 'image')
    .map((image) => imagePlaceholder(optionalString(image.mimeType), asString(image.data)))
  return [said, ...images].filter((part) => part !== '').join('\n')
}

/** A shell that ended with an error is a success to Copilot: only the last line of its output tells. */
function exitCode(result: JsonObject, said: string): number | undefined {
  const told = asArray(result.contents)
    .map(asObject)
    .find((part) => typeof part.exitCode === 'number')
  if (told) return Number(told.exitCode)
  const found = /with exit code (\d+)>\s*$/.exec(said)?.[1]
  return found === undefined ? undefined : Number(found)
}

function errorKind(error: JsonObject): ToolError {
  const code = asString(error.code)
  if (code === 'rejected' || code === 'denied') return 'denied'
  if (/abort|interrupt/i.test(code) || /^(?:The )?operation was aborted|^Aborted/i.test(asString(error.message)))
    return 'interrupted'
  return /cancel/i.test(code) ? 'cancelled' : 'failed'
}
