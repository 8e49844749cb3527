// ZCode 0.14 (from other readers of its database; none was seen): OpenCode's tables with parts of
// their own kind, and tokens in a table with one row per request.
import type { Json, Usage } from '../../core/session.ts'
import { asArray, asCount, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import type { OpenCodeDialect, PartContext } from './reader.ts'

export const zcode: OpenCodeDialect = {
  roles: { model: 'assistant' },
  readPart({ data }, context) {
    const read = Object.hasOwn(parts, asString(data.type)) ? parts[asString(data.type)] : undefined
    read?.(data, context)
    return read !== undefined
  },
  usage: {
    table: 'model_usage',
    version: "SELECT count(*) || '.' || coalesce(sum(output_tokens), 0) FROM model_usage WHERE session_id = s.id",
    read: (database, session) =>
      database
        .rows('SELECT rowid AS number, * FROM model_usage WHERE session_id = ? ORDER BY started_at, rowid', session)
        .flatMap(usageOf),
  },
}

type PartReader = (part: JsonObject, context: PartContext) => void

/** A call and its result are parts of their own, the result in a later message. */
const parts: Readonly<Record<string, PartReader>> = {
  thinking(part, { base, reading }) {
    const text = asString(part.thinking) || asString(part.text)
    if (text.trim()) reading.session.event({ ...base, kind: 'thinking', role: 'assistant', text })
  },
  tool_use(part, { base, reading }) {
    const call = firstText(part, 'id', 'tool_use_id', 'toolUseID', 'callID', 'callId')
    const tool = firstText(part, 'name', 'tool_name', 'toolName', 'tool') ?? 'unknown'
    const input = part.input ?? {}
    reading.session.event(
      reading.calls.open({ ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input }),
    )
  },
  tool_result(part, { base, reading }) {
    const call = firstText(part, 'tool_use_id', 'toolUseID', 'tool_call_id', 'callID', 'callId')
    const error = part.is_error === true || part.isError === true ? ('failed' as const) : undefined
    const text = resultText(part.content ?? part.result ?? part.output)
    const { model: _, ...at } = base
    reading.session.event(reading.calls.close({ ...at, kind: 'tool_result', role: 'tool', text, call, error }))
  },
}

/** Readers of other people know several names of the same field. */
function firstText(part: JsonObject, ...names: string[]): string | undefined {
  return names.map((name) => optionalString(part[name])).find(Boolean)
}

function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((block) => asString(asObject(block).text))
    .filter((text) => text !== '')
    .join('\n')
}

/** The input includes cached tokens and the output reasoning. */
function usageOf(row: JsonObject): Usage[] {
  const cacheRead = asCount(row.cache_read_input_tokens)
  const cacheWrite = asCount(row.cache_creation_input_tokens)
  const input = Math.max(0, asCount(row.input_tokens) - cacheRead - cacheWrite)
  const output = asCount(row.output_tokens)
  if (input + cacheRead + cacheWrite + output === 0) return [] // failed or still running
  return [
    {
      key: `${asString(row.session_id)}/${row.id ?? `row ${row.number}`}`,
      ts: asIsoTime(row.started_at),
      model: optionalString(row.model_id) ?? null,
      input,
      cacheRead,
      cacheWrite,
      cacheWrite1h: 0,
      output,
      reasoning: asCount(row.reasoning_tokens),
    },
  ]
}
