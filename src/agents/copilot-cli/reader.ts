// Turns the records of a Copilot CLI log into events.
import { commandOf } from '../../core/commands.ts'
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { EventBase, LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import { lineCount, type PendingChanges, patchChanges, pendingChanges } from '../file-changes.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { createUsageTally, type UsageTally } from './usage.ts'

interface CopilotState {
  out: ReaderOutput
  session: string
  calls: PendingCalls
  changes: PendingChanges
  usage: UsageTally
  /** Calls that have no result yet. */
  asked: Set<string>
  /** Model and folder, which answers and subagents do not repeat. */
  model: string | undefined
  cwd: string | undefined
}

export function openCopilot(session: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const reading: CopilotState = {
    out,
    session,
    calls: pendingCalls(saved.calls),
    changes: pendingChanges(saved.changes),
    usage: createUsageTally(saved.usage),
    asked: new Set(asArray(saved.asked).map(asString)),
    model: optionalString(saved.model),
    cwd: optionalString(saved.cwd),
  }
  return {
    record: (record) => readRecord(record, reading),
    state: () => ({
      calls: reading.calls.state(),
      changes: reading.changes.state(),
      usage: reading.usage.state(),
      asked: [...reading.asked].slice(-500),
      model: reading.model,
      cwd: reading.cwd,
    }),
  }
}

function readRecord(record: JsonObject, reading: CopilotState): void {
  const type = asString(record.type)
  const data = asObject(record.data)
  const place = sessionOfRecord(record, data, reading)
  const base = baseOf(record, reading.session)
  const system = { ...base, role: 'system' } as const
  switch (type) {
    case 'session.start':
    case 'session.resume':
    case 'session.context_changed':
    case 'session.model_change':
    case 'session.auto_mode_resolved':
      return readSetting(type, system, data, place.session, reading)
    case 'user.message':
      return readUser(data, base, place)
    case 'assistant.message':
      return readAssistant(record, data, base, place.session, reading)
    case 'assistant.reasoning':
      if (optionalString(data.content))
        place.session.event({ ...base, kind: 'thinking', role: 'assistant', text: asString(data.content) })
      return
    case 'tool.user_requested':
    case 'tool.execution_start':
      return readCall(
        data,
        { ...base, name: asString(data.toolName), isUser: type === 'tool.user_requested' },
        place,
        reading,
      )
    case 'tool.execution_complete':
      return readResult(data, base, place.session, reading)
    case 'subagent.started':
    case 'subagent.configured':
      return readSubagent(record, data, reading)
    case 'subagent.failed':
      return place.session.event({ ...system, kind: 'error', text: asString(data.error) })
    case 'skill.invoked':
      return place.session.event(
        /^user/.test(asString(data.trigger))
          ? { ...base, kind: 'command', role: 'user', text: `/${asString(data.name)}` }
          : { ...system, kind: 'context', text: `Skill ${asString(data.name)}` },
      )
    case 'system.notification':
      return place.session.event({ ...system, kind: 'context', text: asString(data.content) })
    case 'hook.end':
      return readHook(data, system, place.session)
    case 'session.error':
      return place.session.event({ ...system, kind: 'error', text: asString(data.message) || asString(data.errorType) })
    case 'abort':
      return place.session.event({ ...base, kind: 'interrupt', role: 'user', text: asString(data.reason) })
    case 'session.truncation':
    case 'session.compaction_complete': {
      const usage = reading.usage.compaction(record, reading.model)
      if (usage) place.session.usage(usage)
      return place.session.event(
        data.success === false
          ? { ...system, kind: 'error', text: asString(data.error) || 'Compaction failed' }
          : { ...system, kind: 'compaction', text: asString(data.summaryContent) || 'Older messages were dropped' },
      )
    }
    case 'session.context_cleared':
    case 'session.handoff':
    case 'session.snapshot_rewind':
      return place.session.event({
        ...system,
        kind: 'lifecycle',
        text: optionalString(data.summary) ?? type.replace('session.', ''),
      })
    case 'session.usage_record': {
      const usage = reading.usage.call(record)
      if (usage) place.session.usage(usage)
      return
    }
    case 'session.shutdown':
      place.session.about({ ended: asIsoTime(record.timestamp) ?? undefined, model: modelOf(data.currentModel) })
      for (const usage of reading.usage.shutdown(record)) place.session.usage(usage)
      return place.session.event({
        ...system,
        kind: 'lifecycle',
        text: `Ended (${asString(data.shutdownType) || 'routine'})`,
      })
    default:
      if (!ignoredTypes.test(type)) reading.out.unknownType(type)
  }
}

/** Records that are not part of the conversation or repeat others (schema of 1.0.102). */
const ignoredTypes =
  /^(?:hook\.|permission\.|system\.message|assistant\.(?:turn_|intent|usage|idle|message_|streaming_|reasoning_|tool_call_|server_|fusion_)|tool\.execution_(?:partial|progress)|tool_search\.|subagent\.|user_input\.|elicitation\.|sampling\.|mcp|external_tool\.|commands?\.|auto_mode_switch\.|exit_plan_mode\.|pending_messages\.|skill\.context_|human_response\.|session_limits_exhausted\.|capabilities\.|ui\.|model\.|factory\.|session\.(?:info|warning|idle|title_changed|mode_|plan_|todos_|workspace_|permissions_|usage_(?:info|checkpoint)$|compaction_start|completion_receipt|auto_tier_|task_complete|schedule_|autopilot_|session_limits|remote_|background_|tools_|skills_|custom_|mcp_|extensions|canvas|binary_asset|fusion_|managed_|commands_|capabilities_|limits_))/

interface RecordSession {
  session: SessionOutput
  isSubagent: boolean
}

/**
 * Records of a subagent have its id; in older versions the id of the call that started it, which is
 * the same.
 */
function sessionOfRecord(record: JsonObject, data: JsonObject, { out, session, cwd }: CopilotState): RecordSession {
  const subagent = optionalString(record.agentId) ?? optionalString(data.parentToolCallId)
  if (!subagent || subagent === 'main') return { session: out.session(session), isSubagent: false }
  const child = out.session(`${session}/${subagent}`)
  child.about({ kind: 'subagent', parent: session, cwd })
  return { session: child, isSubagent: true }
}

function baseOf(record: JsonObject, session: string): EventBase {
  const id = asString(record.id)
  const ts = asIsoTime(record.timestamp)
  return { id, key: id || fingerprint(session, ts, asString(record.type), JSON.stringify(record.data)), ts }
}

function readSetting(
  type: string,
  base: EventBase & { role: 'system' },
  data: JsonObject,
  session: SessionOutput,
  reading: CopilotState,
) {
  const context = type === 'session.context_changed' ? data : asObject(data.context)
  const model = modelOf(data.newModel) ?? modelOf(data.chosenModel) ?? modelOf(data.selectedModel)
  reading.model = model ?? reading.model
  reading.cwd = optionalString(context.cwd) ?? reading.cwd
  session.about({
    cwd: optionalString(context.cwd),
    branch: optionalString(context.branch),
    root: optionalString(context.gitRoot),
    remote:
      optionalString(context.repository) &&
      `https://${optionalString(context.repositoryHost) ?? 'github.com'}/${context.repository}`,
    model,
    version: optionalString(data.copilotVersion),
    started: asIsoTime(data.startTime) ?? undefined,
  })
  const said = lifecycleText(type, data)
  if (said) session.event({ ...base, kind: 'lifecycle', text: said, model })
}

function lifecycleText(type: string, data: JsonObject): string {
  if (type === 'session.start') return `Started Copilot CLI ${asString(data.copilotVersion)}`.trim()
  if (type === 'session.resume') return 'Resumed'
  return type === 'session.model_change' ? `Model ${asString(data.newModel)}` : ''
}

/** `auto` (Copilot chooses) is no model. */
function modelOf(value: Json | undefined): string | undefined {
  return value === 'auto' ? undefined : optionalString(value)
}

function readUser(data: JsonObject, base: EventBase, { session, isSubagent }: RecordSession): void {
  const said = optionalString(data.content) ?? asString(data.transformedContent).replace(addedText, '').trim()
  const images = asArray(data.attachments)
    .map(asObject)
    .filter((attachment) => asString(attachment.mimeType).startsWith('image/'))
    .map((image) => imagePlaceholder(optionalString(image.mimeType), asString(image.data)))
  const whole = [said, ...images].filter((part) => part !== '').join('\n')
  if (!whole) return
  const kind = isSubagent || isMachine(data, said) ? 'context' : 'prompt'
  session.event({ ...base, kind, role: 'user', text: whole })
}

/** Tags that Copilot puts around a message for the model. */
const addedText = /<(current_datetime|system_reminder|tagged_files|agent_instructions)>[\s\S]*?<\/\1>/g

/**
 * `source` names skills, schedules and other agents. `parentAgentTaskId` is no mark: typed prompts
 * have it too.
 */
function isMachine(data: JsonObject, said: string): boolean {
  const source = optionalString(data.source)
  return (
    (source !== undefined && source !== 'user') ||
    data.isAutopilotContinuation === true ||
    optionalString(asObject(data.crossSession).origin) !== undefined ||
    /^\s*<system_(?:notification|reminder)>/.test(said)
  )
}

function readAssistant(
  record: JsonObject,
  data: JsonObject,
  base: EventBase,
  session: SessionOutput,
  reading: CopilotState,
): void {
  const model = modelOf(data.model) ?? reading.model
  session.about({ model })
  for (const usage of reading.usage.answer(record, model)) session.usage(usage)
  const answer = { ...base, role: 'assistant', model } as const
  if (optionalString(data.reasoningText))
    session.event({ ...answer, key: `${base.key}/thinking`, kind: 'thinking', text: asString(data.reasoningText) })
  if (asString(data.content).trim()) session.event({ ...answer, kind: 'reply', text: asString(data.content) })
  for (const value of asArray(data.toolRequests)) {
    const request = asObject(value)
    readCall(
      request,
      { ...base, name: asString(request.name), isUser: false, model },
      { session, isSubagent: false },
      reading,
    )
  }
}

/**
 * A call is recorded in the answer that requests it and again when it starts; the first one counts.
 */
function readCall(
  data: JsonObject,
  { name, isUser, ...base }: EventBase & { name: string; isUser: boolean; model?: string },
  { session }: RecordSession,
  { calls, changes, asked }: CopilotState,
): void {
  const call = optionalString(data.toolCallId)
  if (!name || !call || asked.has(call)) return
  asked.add(call)
  const input =
    typeof data.arguments === 'string' ? (parseJson(data.arguments) ?? data.arguments) : (data.arguments ?? {})
  const event = { ...base, key: `${base.key}/${call}`, call, tool: name, input }
  changes.open(call, changesOf(name, input))
  session.event(
    calls.open(
      isUser
        ? { ...event, kind: 'shell', role: 'user', text: commandOf(input) || name }
        : { ...event, kind: 'tool_call', role: 'assistant', text: '' },
    ),
  )
}

function readResult(
  data: JsonObject,
  base: EventBase,
  session: SessionOutput,
  { calls, changes, asked }: CopilotState,
): void {
  const result = calls.close({ ...base, ...resultEvent(data) })
  asked.delete(result.call ?? '')
  session.event(result)
  const files = withLineCounts(changes.close(result.call), data)
  if (files.length > 0 && !result.error)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call: result.call, files })
}

function readSubagent(record: JsonObject, data: JsonObject, { out, session }: CopilotState): void {
  const subagent = optionalString(record.agentId) ?? optionalString(data.toolCallId)
  if (!subagent) return
  const title = [optionalString(data.agentName), optionalString(data.agentDisplayName)].filter(Boolean).join(': ')
  out
    .session(`${session}/${subagent}`)
    .about({ kind: 'subagent', parent: session, title: title || undefined, titleRank: 3, model: modelOf(data.model) })
}

function readHook(data: JsonObject, base: EventBase & { role: 'system' }, session: SessionOutput): void {
  const added = optionalString(asObject(data.output).additionalContext)
  if (added) session.event({ ...base, kind: 'context', text: added })
  const failure = optionalString(asObject(data.error).message)
  if (failure) session.event({ ...base, key: `${base.key}/error`, kind: 'error', text: failure })
}

export function changesOf(tool: string, input: Json): FileChange[] {
  const { path, command, old_str, new_str, file_text, ...rest } = asObject(input)
  if (tool === 'apply_patch')
    return patchChanges(
      typeof input === 'string' ? input : (optionalString(rest.input) ?? asString(rest.patch)),
      undefined,
    )
  if (!optionalString(path)) return []
  const action = tool === 'str_replace_editor' ? command : tool
  if (action === 'create')
    return [{ path: asString(path), change: 'add', added: lineCount(asString(file_text)), removed: 0 }]
  return action === 'edit' || action === 'str_replace' || action === 'insert'
    ? [
        {
          path: asString(path),
          change: 'update',
          added: lineCount(asString(new_str)),
          removed: lineCount(asString(old_str)),
        },
      ]
    : []
}

/** Adds the line counts of the result, if it has them. */
export function withLineCounts(files: FileChange[], data: JsonObject): FileChange[] {
  const { linesAdded, linesRemoved } = asObject(asObject(data.toolTelemetry).metrics)
  return files.length === 1 && typeof linesAdded === 'number' && typeof linesRemoved === 'number'
    ? [{ ...files[0]!, added: linesAdded, removed: linesRemoved }]
    : files
}

function resultEvent(data: JsonObject): Omit<Event, 'id' | 'key' | 'ts'> {
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

/**
 * A failed command counts as success for Copilot; only the last line of its output has the exit
 * code.
 */
function exitCode(result: JsonObject, said: string): number | undefined {
  const part = asArray(result.contents)
    .map(asObject)
    .find((part) => typeof part.exitCode === 'number')
  if (part) return Number(part.exitCode)
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
