// What a tool of Copilot CLI gave back.
import type { Event, ToolError } from '../../core/session.ts'
import { type Fields, fields, imagePlaceholder, list, named, text } from '../values.ts'

export function resultEvent(data: Fields): Omit<Event, 'id' | 'key' | 'ts'> {
  const said = resultText(data)
  const exit = exitCode(fields(data.result), said)
  const error = data.success === false ? errorKind(fields(data.error)) : exit ? 'failed' : undefined
  return { kind: 'tool_result', role: 'tool', text: said, call: named(data.toolCallId), error, exit }
}

function resultText(data: Fields): string {
  const result = fields(data.result)
  const said =
    named(result.content) ??
    named(result.detailedContent) ??
    named(result.text_result_for_llm) ?? // 0.0.x
    text(fields(data.error).message)
  const images = [...list(result.contents), ...list(result.binaryResultsForLlm)]
    .map(fields)
    .filter((part) => part.type === 'image')
    .map((image) => imagePlaceholder(named(image.mimeType), text(image.data)))
  return [said, ...images].filter((part) => part !== '').join('\n')
}

/** A shell that ended with an error is a success to Copilot: only the last line of its output tells. */
function exitCode(result: Fields, said: string): number | undefined {
  const told = list(result.contents)
    .map(fields)
    .find((part) => typeof part.exitCode === 'number')
  if (told) return Number(told.exitCode)
  const found = /with exit code (\d+)>\s*$/.exec(said)?.[1]
  return found === undefined ? undefined : Number(found)
}

function errorKind(error: Fields): ToolError {
  const code = text(error.code)
  if (code === 'rejected' || code === 'denied') return 'denied'
  if (/abort|interrupt/i.test(code) || /^(?:The )?operation was aborted|^Aborted/i.test(text(error.message)))
    return 'interrupted'
  return /cancel/i.test(code) ? 'cancelled' : 'failed'
}
