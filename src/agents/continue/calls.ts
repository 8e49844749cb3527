// Reads tool calls of Continue and what they changed. Results are in the states of the calls, in
// editors also in messages of their own: the first one counts.
import type { Event, FileChange, Json } from '../../core/session.ts'
import type { EventBase, SessionOutput } from '../agent.ts'
import { absolutePath, diffCounts, lineCount } from '../file-changes.ts'
import { asArray, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'

export interface CallReader {
  /** Reads the calls of an item and the results that they already have. */
  read(item: JsonObject, base: EventBase): void
  close(call: string, outcome: CallOutcome, base: EventBase): void
}

type CallOutcome = Pick<Event, 'text' | 'error' | 'exit'>

interface CallContext {
  session: SessionOutput
  cwd: string | undefined
  model: string | undefined
}

export function callReader({ session, cwd, model }: CallContext): CallReader {
  const pending = pendingCalls(undefined)
  const open = new Map<string, { tool: string; input: JsonObject }>()
  const close = (call: string, outcome: CallOutcome, base: EventBase) => {
    const request = open.get(call)
    if (!request) return // it has a result
    open.delete(call)
    const exit = exitOf(outcome.text)
    const failure: Partial<CallOutcome> = exit === undefined ? {} : { error: 'failed', exit }
    const done = { ...base, role: 'tool', call } as const
    const result = { ...done, key: `${base.key}/${call}/result`, kind: 'tool_result' as const, ...outcome, ...failure }
    session.event(pending.close(result))
    const files = result.error ? [] : changedFiles(request, outcome.text, cwd)
    if (files.length > 0) session.event({ ...done, key: `${base.key}/${call}/edit`, kind: 'edit', text: '', files })
  }
  return {
    close,
    read(item, base) {
      const states = statesOf(item)
      for (const { call, tool, input } of callsOf(item, states)) {
        open.set(call, { tool, input: asObject(input) })
        const event = { ...base, key: `${base.key}/${call}`, text: '', tool, call, input, model }
        session.event(pending.open({ ...event, kind: 'tool_call', role: 'assistant' }))
        const outcome = outcomeOf(states.get(call))
        if (outcome) close(call, outcome, base)
      }
    },
  }
}

/** Until the middle of 2025 an item had one call. */
function statesOf(item: JsonObject): Map<string, JsonObject> {
  const states = [...asArray(item.toolCallStates), ...(item.toolCallState ? [item.toolCallState] : [])].map(asObject)
  return new Map(states.map((state) => [asString(state.toolCallId), state]))
}

interface NamedCall {
  call: string
  tool: string
  input: Json
}

function callsOf(item: JsonObject, states: Map<string, JsonObject>): NamedCall[] {
  const requests = [
    ...asArray(asObject(item.message).toolCalls),
    ...[...states.values()].map((state) => state.toolCall),
  ]
  const calls = new Map<string, NamedCall>()
  for (const request of requests.map((value) => asObject(value ?? null))) {
    const call = asString(request.id)
    const { name, arguments: given } = asObject(request.function)
    if (!call || calls.has(call)) continue
    const input = typeof given === 'string' ? parseJson(given) : given
    const parsed = typeof input === 'object' && input !== null ? input : states.get(call)?.parsedArgs
    calls.set(call, { call, tool: optionalString(name) ?? 'unknown', input: parsed ?? asString(given) })
  }
  return [...calls.values()]
}

/** Undefined for a call that has not ended, or whose result is in a message. */
function outcomeOf(state: JsonObject | undefined): CallOutcome | undefined {
  const output = asArray(state?.output).map(asObject)
  const text = output.map((part) => asString(part.content)).join('\n')
  switch (state?.status) {
    case 'done':
      return output.length > 0 || isApplied(state) ? { text } : undefined
    case 'errored':
      return { text, error: 'failed' }
    case 'canceled':
      return { text, error: 'denied' }
    default:
      return undefined
  }
}

/** Edits in an editor end without output. */
function isApplied(state: JsonObject): boolean {
  return /^(?:edit_existing_file|single_find_and_replace|multi_edit)$/.test(
    asString(asObject(asObject(state.toolCall).function).name),
  )
}

/** Of the command line, then of editors, where a command that failed is done all the same. */
function exitOf(text: string): number | undefined {
  const found =
    /^(?:Error executing tool \w+: )?Error \(exit code (\d+)\):|Command failed with exit code (\d+)\s*$/.exec(text)
  return found ? Number(found[1] ?? found[2]) : undefined
}

function changedFiles(
  { tool, input }: { tool: string; input: JsonObject },
  result: string,
  cwd: string | undefined,
): FileChange[] {
  const change = writers.get(tool)
  const path = optionalString(input.file_path) ?? optionalString(input.filepath)
  if (!change || !path) return []
  const diff = /^Diff:\n([\s\S]*)$/m.exec(result)?.[1]
  const file: FileChange = { path: absolutePath(path, cwd), change: diff === undefined ? change : 'update' }
  return [{ ...file, ...(diff === undefined ? argumentCounts(input) : diffCounts(diff)) }]
}

/** Tools of the command line, then those of editors; a file that was there before has a difference. */
const writers = new Map<string, FileChange['change']>([
  ['Edit', 'update'],
  ['MultiEdit', 'update'],
  ['Write', 'add'],
  ['edit_existing_file', 'update'],
  ['single_find_and_replace', 'update'],
  ['multi_edit', 'update'],
  ['create_new_file', 'add'],
])

function argumentCounts(input: JsonObject): { added?: number; removed?: number } {
  const content = optionalString(input.content) ?? optionalString(input.contents)
  if (content !== undefined) return { added: lineCount(content), removed: 0 }
  const edits = Array.isArray(input.edits) ? input.edits.map(asObject) : [input]
  if (edits.every((edit) => edit.old_string === undefined)) return {}
  const sum = (name: string) => edits.reduce((total, edit) => total + lineCount(asString(edit[name])), 0)
  return { added: sum('new_string'), removed: sum('old_string') }
}
