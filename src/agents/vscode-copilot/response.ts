// Turns a response into events: from the rounds of the model where they are known, else from what the
// view shows, which is all that a running or cancelled request and other chat participants have.
import type { Event } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { type ResponsePart, shownInput, shownOutput, thoughtOf } from './parts.ts'
import { callId, changesOf, inputOf, isConfirmed, outcomeOf, type ResultOutcome, resultText } from './tools.ts'

export interface RequestContext {
  base: EventBase
  /** When the response was complete. */
  ended: string | null
  out: ReaderOutput
  session: SessionOutput
  model: string | undefined
  cwd: string | undefined
}

/** Returns the files that its calls edited. */
export function readRounds(metadata: JsonObject, parts: ResponsePart[], context: RequestContext): Set<string> {
  const { base, ended, session, model } = context
  const rounds = asArray(metadata.toolCallRounds).map(asObject)
  const results = asObject(metadata.toolCallResults)
  const calls = callEmitter(context)
  const shownOf = shownCalls(parts, rounds)
  const summaries = summariesOf(metadata)
  const roundIds = new Set(rounds.map((round) => round.id))
  let { ts } = base
  const compact = (summary: JsonObject, index: number) => {
    const text = asString(summary.text)
    session.event({ ...base, ts, key: `${base.key}/summary/${index}`, kind: 'compaction', role: 'system', text })
  }
  summaries.forEach((summary, index) => {
    // It replaces the requests before this one.
    if (!roundIds.has(summary.toolCallRoundId)) compact(summary, index)
  })
  rounds.forEach((round, index) => {
    const at = { ...base, key: `${base.key}/${optionalString(round.id) ?? index}` }
    ts = asIsoTime(round.timestamp) ?? (index === rounds.length - 1 ? ended : null) ?? ts
    const said = { ...at, ts, role: 'assistant', model } as const
    const thought = thoughtOf(asObject(round.thinking).text)
    if (thought.trim()) session.event({ ...said, key: `${at.key}/thinking`, kind: 'thinking', text: thought })
    if (asString(round.response).trim()) session.event({ ...said, kind: 'reply', text: asString(round.response) })
    for (const request of asArray(round.toolCalls).map(asObject)) {
      const call = callId(request.id)
      const tool = optionalString(request.name) ?? 'unknown'
      const result = results[asString(request.id)]
      const outcome = result === undefined ? undefined : outcomeOf(resultText(result), shownOf(call, tool))
      calls.emit({ ...said, key: `${at.key}/${call}`, call, tool, input: inputOf(request.arguments) }, outcome)
    }
    const added = optionalString(round.hookContext)
    if (added) session.event({ ...at, ts, key: `${at.key}/hook`, kind: 'context', role: 'system', text: added })
    summaries.forEach((summary, number) => {
      if (summary.toolCallRoundId === round.id) compact(summary, number)
    })
  })
  if (rounds.every((round) => !asString(round.response).trim())) readText(parts, context)
  return calls.edited
}

/** Since 2026 a list; every one contains those before it. */
function summariesOf(metadata: JsonObject): JsonObject[] {
  const known = asArray(metadata.summaries).map(asObject)
  const all = known.length > 0 ? known : metadata.summary ? [asObject(metadata.summary)] : []
  return all.filter((summary) => optionalString(summary.text))
}

/** Text that the rounds do not have. */
function readText(parts: ResponsePart[], { base, session, model }: RequestContext): void {
  const text = parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('')
    .trim()
  if (text) session.event({ ...base, key: `${base.key}/reply`, kind: 'reply', role: 'assistant', text, model })
}

export function readShown(parts: ResponsePart[], context: RequestContext, isComplete: boolean): Set<string> {
  const { base, session, model } = context
  const calls = callEmitter(context)
  parts.forEach((part, index) => {
    const said = { ...base, key: `${base.key}#${index}`, role: 'assistant', model } as const
    if (part.kind === 'call') {
      const tool = optionalString(part.call.toolId) ?? 'unknown'
      const call = optionalString(part.call.toolCallId) ?? said.key
      const isDone = part.call.isComplete === true || isComplete
      const outcome = isDone ? shownOutcome(part.call) : undefined
      calls.emit({ ...said, key: `${base.key}/${call}`, call, tool, input: shownInput(part.call) }, outcome)
    } else if (part.kind !== 'edit' && part.text.trim()) {
      session.event({ ...said, kind: part.kind === 'text' ? 'reply' : 'thinking', text: part.text.trim() })
    }
  })
  return calls.edited
}

function shownOutcome(call: JsonObject): ResultOutcome {
  const outcome = outcomeOf(shownOutput(call), call)
  return asObject(call.resultDetails).isError === true && !outcome.error ? { ...outcome, error: 'failed' } : outcome
}

/**
 * The view's part of a call: by id in newer versions, else the next one of the same tool. Several
 * parts may belong to one call.
 */
function shownCalls(
  parts: ResponsePart[],
  rounds: JsonObject[],
): (call: string, tool: string) => JsonObject | undefined {
  const calls = new Set(rounds.flatMap((round) => asArray(round.toolCalls).map((call) => callId(asObject(call).id))))
  const byId = new Map<string, JsonObject>()
  const byTool = new Map<string, JsonObject[]>()
  for (const part of parts.toReversed()) {
    if (part.kind !== 'call') continue
    const id = callId(part.call.toolCallId)
    const tool = asString(part.call.toolId)
    const name = toolNames.get(tool) ?? tool
    if (calls.has(id)) byId.set(id, part.call)
    else if (!byTool.get(name)?.push(part.call)) byTool.set(name, [part.call])
  }
  return (call, tool) => byId.get(call) ?? byTool.get(tool)?.pop()
}

/** Tools that a person may refuse, by their id in the view. */
const toolNames = new Map([
  ['copilot_runInTerminal', 'run_in_terminal'],
  ['copilot_applyPatch', 'apply_patch'],
  ['copilot_createFile', 'create_file'],
  ['copilot_editNotebook', 'edit_notebook_file'],
  ['copilot_insertEdit', 'insert_edit_into_file'],
  ['copilot_multiReplaceString', 'multi_replace_string_in_file'],
  ['copilot_replaceString', 'replace_string_in_file'],
])

type CallEvent = Pick<Event, 'id' | 'key' | 'ts' | 'role' | 'model' | 'input'> & { call: string; tool: string }

function callEmitter({ session, cwd }: RequestContext) {
  const pending = pendingCalls(undefined)
  const edited = new Set<string>()
  return {
    edited,
    emit(call: CallEvent, outcome: ResultOutcome | undefined): void {
      session.event(pending.open({ ...call, kind: 'tool_call', text: '' }))
      if (!outcome) return
      const done = { ...call, input: undefined, model: undefined, role: 'tool' as const }
      session.event(pending.close({ ...done, key: `${call.key}/result`, kind: 'tool_result', ...outcome }))
      const files = outcome.error || !isConfirmed(outcome.text) ? [] : changesOf(call.tool, call.input ?? {}, cwd)
      for (const { path } of files) edited.add(path)
      if (files.length > 0) session.event({ ...done, key: `${call.key}/edit`, kind: 'edit', text: '', files })
    },
  }
}
