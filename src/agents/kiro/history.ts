// Turns the value of one conversation in the database into events. Its history has rounds of a user
// message and an answer; old rounds are dropped from it, so no key depends on a position.
import type { Event, Json } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import { asArray, asIsoTime, asObject, asString, fingerprint, type JsonObject, optionalString } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { answerKind, argumentsOf, imageText, isMachinePrompt, outcomeOf, plannedChanges } from './tools.ts'

interface Place {
  id: string
  cwd: string
  started?: string
  ended?: string
  out: ReaderOutput
}

interface HistoryState {
  out: ReaderOutput
  session: SessionOutput
  cwd: string | undefined
  calls: PendingCalls
  changes: PendingChanges
}

export function readHistory(conversation: JsonObject, { id, cwd: key, started, ended, out }: Place): void {
  const rounds = asArray(conversation.history).map(asObject)
  if (rounds.length === 0) return
  const session = out.session(id)
  const cwd = rounds.map(folderOf).find(Boolean) ?? optionalString(key)
  const model = optionalString(asObject(conversation.model_info).model_id) ?? optionalString(conversation.model)
  const reading = { out, session, cwd, calls: pendingCalls(undefined), changes: pendingChanges(undefined) }
  session.about({ cwd, model, started, ended })
  const summary = asString(asArray(conversation.latest_summary)[0])
  if (summary) {
    const base = { id: '', key: fingerprint(id, 'summary', summary), ts: null }
    session.event({ ...base, kind: 'compaction', role: 'system', text: summary })
  }
  const hasTimes = rounds.some(({ user }) => asObject(user).timestamp)
  rounds.forEach((round, index) => {
    readRound(round, id, { ...reading, isCut: index === 0 && hasTimes && !asObject(round.user).timestamp })
  })
}

function folderOf({ user }: JsonObject): string | undefined {
  return optionalString(asObject(asObject(asObject(user).env_context).env_state).current_working_directory)
}

interface RoundState extends HistoryState {
  /** The rounds before it were dropped; its tool results, which have no time, became a prompt. */
  isCut: boolean
}

function readRound(round: JsonObject, conversation: string, reading: RoundState): void {
  const user = asObject(round.user)
  const [form, answer] = Object.entries(asObject(round.assistant))[0] ?? []
  const { message_id: ownId, content, tool_uses: uses } = asObject(answer)
  const about = asObject(round.request_metadata)
  const id = optionalString(ownId) ?? asString(about.message_id)
  const key = id || fingerprint(conversation, asString(user.timestamp), JSON.stringify(user.content))
  const asked = asIsoTime(user.timestamp) ?? asIsoTime(about.request_start_timestamp_ms)
  readUser(user, { id: '', key: `${key}/user`, ts: asked }, reading)

  const answered = { id, ts: asIsoTime(about.stream_end_timestamp_ms), model: optionalString(about.model_id) }
  const said = asString(content)
  if (said.trim()) reading.session.event({ ...answered, key: `${key}/reply`, ...answerKind(said), text: said })
  if (form !== undefined && form !== 'Response' && form !== 'ToolUse') reading.out.unknownType(`assistant/${form}`)
  asArray(uses).forEach((use, index) => {
    readCall(asObject(use), { ...answered, key: `${key}/call${index}` }, reading)
  })
}

function readUser(user: JsonObject, base: EventBase, reading: RoundState): void {
  const [form, value] = Object.entries(asObject(user.content))[0] ?? []
  const { prompt, tool_use_results: results } = asObject(value)
  // A denied call is cancelled with what the person typed instead.
  const isDenied = form === 'CancelledToolUses' && !isInterrupt(asString(prompt))
  asArray(results).forEach((result, index) => {
    readResult(asObject(result), { ...base, key: `${base.key}/result${index}` }, { ...reading, isDenied })
  })
  const images = asArray(user.images).map((image) => imageText(asObject(image)))
  const said = [asString(prompt), ...images].filter((part) => part !== '').join('\n')
  if (said.trim()) reading.session.event(userEvent(said, base, form === 'CancelledToolUses', reading.isCut))
  if (form !== undefined && !/^(?:Prompt|ToolUseResults|CancelledToolUses)$/.test(form))
    reading.out.unknownType(`user/${form}`)
}

function userEvent(said: string, base: EventBase, isCancelled: boolean, isCut: boolean): Event {
  const isCanned = isCancelled && (isInterrupt(said) || /^I deny this tool request\./.test(said))
  const isMachine = isCut || isCanned || isMachinePrompt(said)
  return { ...base, kind: isMachine ? 'context' : 'prompt', role: 'user', text: said }
}

function isInterrupt(said: string): boolean {
  return /^The user interrupted the tool execution\.\s*$/.test(said)
}

function readCall(use: JsonObject, base: EventBase & Pick<Event, 'model'>, reading: HistoryState): void {
  const call = optionalString(use.id)
  const tool = optionalString(use.name) ?? 'unknown'
  const input: Json = argumentsOf(use.args)
  reading.changes.open(call, plannedChanges(tool, asObject(input), reading.cwd))
  const event: Event = { ...base, kind: 'tool_call', role: 'assistant', text: '', tool, call, input }
  reading.session.event(reading.calls.open(event))
}

function readResult(result: JsonObject, base: EventBase, reading: HistoryState & { isDenied: boolean }): void {
  const call = optionalString(result.tool_use_id)
  const { text, exit, ...outcome } = outcomeOf(result.content, asString(result.status))
  const error = outcome.error && reading.isDenied ? 'denied' : outcome.error
  reading.session.event(reading.calls.close({ ...base, kind: 'tool_result', role: 'tool', text, call, error, exit }))
  const files = reading.changes.close(call)
  if (files.length > 0 && !error)
    reading.session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}
