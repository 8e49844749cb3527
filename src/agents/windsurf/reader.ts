// Turns the lines of a Windsurf transcript into events (one recording of 2026): what the user and
// the model said, and each call of a tool together with its result. Lines have no ids and no times.
// Terminal commands that the user ran and files that they opened look like calls of the model.
import type { Event, FileChange, Json, SessionDetails, ToolError } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { changedLines, linesOf, pathOfUri } from '../file-changes.ts'
import { asObject, asString, fingerprint, type JsonObject, optionalString } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { typedKind } from '../typed-text.ts'

interface TranscriptState {
  native: string
  session: SessionOutput
  out: ReaderOutput
  calls: PendingCalls
  line: number
  hasFolder: boolean
}

export function openSteps(native: string, about: SessionDetails, out: ReaderOutput): (step: JsonObject) => void {
  const session = out.session(native)
  session.about(about)
  const reading: TranscriptState = {
    native,
    session,
    out,
    calls: pendingCalls(undefined),
    line: 0,
    hasFolder: false,
  }
  return (step) => readStep(step, reading)
}

function readStep(step: JsonObject, reading: TranscriptState): void {
  const type = asString(step.type)
  const content = asObject(step[type])
  // Also the number of the line: the same may be said twice.
  const base = { id: '', key: fingerprint(reading.native, reading.line++, type, JSON.stringify(content)), ts: null }
  const { session, out } = reading
  switch (type) {
    case '':
      return out.unknownType('line without type')
    case 'user_input': {
      const text = asString(content.user_response).trim()
      return text ? session.event({ ...base, kind: typedKind(text), role: 'user', text }) : undefined
    }
    case 'planner_response': {
      const text = asString(content.response)
      return text.trim() ? session.event({ ...base, kind: 'reply', role: 'assistant', text }) : undefined
    }
    default:
      if (!tools.has(type)) out.unknownType(type)
      return readCall(type, content, asString(step.status), base, reading)
  }
}

/** Seen, or in the documentation of Cascade. */
const tools = new Set(
  `code_action view_file run_command find list_directory grep_search list_resources read_resource mcp_tool
   search_web read_url_content`.split(/\s+/),
)

/** A tool is called like the type of its line; what it printed is one of the fields. */
function readCall(
  tool: string,
  { output, content, original_content, ...input }: JsonObject,
  status: string,
  base: Pick<Event, 'id' | 'key' | 'ts'>,
  reading: TranscriptState,
): void {
  const { calls, session } = reading
  const folder = optionalString(input.cwd)
  if (folder && !reading.hasFolder) {
    reading.hasFolder = true
    session.about({ cwd: folder })
  }
  const call = base.key
  session.event(
    calls.open({ ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input: input as Json }),
  )
  const exit = typeof input.exit_code === 'number' ? input.exit_code : undefined
  const error = errorOf(input, status, exit)
  const result: Event = { ...base, key: `${base.key}/result`, kind: 'tool_result', role: 'tool', text: '', call }
  session.event(calls.close({ ...result, text: asString(output) || asString(content), error, exit }))
  const files = error ? [] : changesOf(tool, input, asString(original_content))
  if (files.length > 0)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

function errorOf(input: JsonObject, status: string, exit: number | undefined): ToolError | undefined {
  if (input.user_rejected === true || /REJECT/.test(asString(input.acknowledgement_type))) return 'denied'
  return status === 'error' || (exit !== undefined && exit !== 0) ? 'failed' : undefined
}

/** An edit records the whole file before and after it. */
function changesOf(tool: string, { path, new_content }: JsonObject, before: string): FileChange[] {
  if (tool !== 'code_action' || !optionalString(path)) return []
  const counts = changedLines(linesOf(before), linesOf(asString(new_content)))
  return [{ path: pathOfUri(asString(path)), change: before === '' ? 'add' : 'update', ...counts }]
}
