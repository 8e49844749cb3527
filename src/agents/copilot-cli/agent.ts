// GitHub Copilot CLI, 0.0.420 to 1.0.102: one event log per session; subagents write into the log of their session.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { commandOf } from '../../core/commands.ts'
import type { Event, Json } from '../../core/session.ts'
import type { Agent, LogReader, LogTranscript, Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { type ChangeBook, changeBook } from '../changes.ts'
import { entries } from '../folders.ts'
import { type Fields, fields, fingerprint, imagePlaceholder, list, named, parseJson, text, time } from '../values.ts'
import { changesOf, counted } from './changes.ts'
import { copilotCliHooks } from './hooks.ts'
import { resultEvent } from './results.ts'
import { type UsageBook, usageBook } from './usage.ts'
import { readTitle } from './workspace.ts'

export const copilotCli: Agent = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  roots: (machine) => [copilotCliHooks.home(machine)],
  *find(root) {
    const folder = join(root, 'session-state')
    for (const entry of entries(folder)) {
      const path = join(folder, entry.name)
      if (entry.isFile() && entry.name.endsWith('.jsonl')) yield transcript(path, basename(path, '.jsonl'))
      const log = join(path, 'events.jsonl')
      if (entry.isDirectory() && existsSync(log)) yield transcript(log, entry.name)
    }
  },
  hooks: copilotCliHooks,
}

/** Hook inputs repeat every tool result, system messages the whole system prompt, assets are base64. */
const noise = ['"type":"hook.start"', '"type":"system.message"', '"type":"session.binary_asset"'].map((type) =>
  Buffer.from(type),
)

function transcript(path: string, session: string): LogTranscript {
  return {
    shape: 'log',
    path,
    also: [workspaceOf(path)],
    isNoise: (line) => noise.some((type) => line.subarray(0, 60).includes(type)),
    open: (out, state) => openCopilot(path, session, out, state),
  }
}

function workspaceOf(path: string): string {
  return join(dirname(path), 'workspace.yaml')
}

interface Reading {
  out: Out
  session: string
  calls: CallBook
  changes: ChangeBook
  usage: UsageBook
  /** Calls that were asked for and have no result yet. */
  asked: Set<string>
  /** What answers and subagents do not repeat. */
  model: string | undefined
  cwd: string | undefined
}

function openCopilot(path: string, session: string, out: Out, state: Json | undefined): LogReader {
  const saved = fields(state)
  const reading: Reading = {
    out,
    session,
    calls: callBook(saved.calls),
    changes: changeBook(saved.changes),
    usage: usageBook(saved.usage),
    asked: new Set(list(saved.asked).map(text)),
    model: named(saved.model),
    cwd: named(saved.cwd),
  }
  if (basename(path) === 'events.jsonl') out.session(session).about(readTitle(workspaceOf(path)))
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

function readRecord(record: Fields, reading: Reading): void {
  const type = text(record.type)
  const data = fields(record.data)
  const place = placeOf(record, data, reading)
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
      if (named(data.content))
        place.session.event({ ...base, kind: 'thinking', role: 'assistant', text: text(data.content) })
      return
    case 'tool.user_requested':
    case 'tool.execution_start':
      return readCall(
        data,
        { ...base, name: text(data.toolName), isUser: type === 'tool.user_requested' },
        place,
        reading,
      )
    case 'tool.execution_complete':
      return readResult(data, base, place.session, reading)
    case 'subagent.started':
    case 'subagent.configured':
      return readSubagent(record, data, reading)
    case 'subagent.failed':
      return place.session.event({ ...system, kind: 'error', text: text(data.error) })
    case 'skill.invoked':
      return place.session.event(
        /^user/.test(text(data.trigger))
          ? { ...base, kind: 'command', role: 'user', text: `/${text(data.name)}` }
          : { ...system, kind: 'context', text: `Skill ${text(data.name)}` },
      )
    case 'system.notification':
      return place.session.event({ ...system, kind: 'context', text: text(data.content) })
    case 'hook.end':
      return readHook(data, system, place.session)
    case 'session.error':
      return place.session.event({ ...system, kind: 'error', text: text(data.message) || text(data.errorType) })
    case 'abort':
      return place.session.event({ ...base, kind: 'interrupt', role: 'user', text: text(data.reason) })
    case 'session.truncation':
    case 'session.compaction_complete':
      return place.session.event(
        data.success === false
          ? { ...system, kind: 'error', text: text(data.error) || 'Compaction failed' }
          : { ...system, kind: 'compaction', text: text(data.summaryContent) || 'Older messages were dropped' },
      )
    case 'session.context_cleared':
    case 'session.handoff':
    case 'session.snapshot_rewind':
      return place.session.event({
        ...system,
        kind: 'lifecycle',
        text: named(data.summary) ?? type.replace('session.', ''),
      })
    case 'session.shutdown':
      place.session.about({ ended: time(record.timestamp) ?? undefined, model: modelOf(data.currentModel) })
      for (const usage of reading.usage.shutdown(record)) place.session.usage(usage)
      return place.session.event({
        ...system,
        kind: 'lifecycle',
        text: `Ended (${text(data.shutdownType) || 'routine'})`,
      })
    default:
      if (!silent.test(type)) reading.out.unknown(type)
  }
}

/** Records that say nothing of the conversation, or only what another record says too. */
const silent =
  /^(?:hook\.|permission\.|system\.message|assistant\.(?:turn_|intent|usage|idle|message_|streaming_|reasoning_|tool_call_|server_|fusion_)|tool\.execution_(?:partial|progress)|tool_search\.|subagent\.|user_input\.|elicitation\.|sampling\.|mcp|external_tool\.|commands?\.|auto_mode_switch\.|exit_plan_mode\.|pending_messages\.|model\.|factory\.|session\.(?:info|warning|idle|title_changed|mode_|plan_|todos_|workspace_|permissions_|usage_|compaction_start|task_complete|schedule_|autopilot_|session_limits|remote_|background_|tools_|skills_|custom_|mcp_|extensions|canvas|binary_asset|fusion_|managed_|commands_|capabilities_|limits_))/

interface Place {
  session: SessionOut
  isSubagent: boolean
}

/** Records of a subagent carry its id; before that was written, the call that started it, which is the same. */
function placeOf(record: Fields, data: Fields, { out, session, cwd }: Reading): Place {
  const subagent = named(record.agentId) ?? named(data.parentToolCallId)
  if (!subagent || subagent === 'main') return { session: out.session(session), isSubagent: false }
  const child = out.session(`${session}/${subagent}`)
  child.about({ kind: 'subagent', parent: session, cwd })
  return { session: child, isSubagent: true }
}

type Base = Pick<Event, 'id' | 'key' | 'ts'>

function baseOf(record: Fields, session: string): Base {
  const id = text(record.id)
  const ts = time(record.timestamp)
  return { id, key: id || fingerprint(session, ts, text(record.type), JSON.stringify(record.data)), ts }
}

function readSetting(
  type: string,
  base: Base & { role: 'system' },
  data: Fields,
  session: SessionOut,
  reading: Reading,
) {
  const context = type === 'session.context_changed' ? data : fields(data.context)
  const model = modelOf(data.newModel) ?? modelOf(data.chosenModel) ?? modelOf(data.selectedModel)
  reading.model = model ?? reading.model
  reading.cwd = named(context.cwd) ?? reading.cwd
  session.about({
    cwd: named(context.cwd),
    branch: named(context.branch),
    remote:
      named(context.repository) && `https://${named(context.repositoryHost) ?? 'github.com'}/${context.repository}`,
    model,
    version: named(data.copilotVersion),
    started: time(data.startTime) ?? undefined,
  })
  const said = lifecycleText(type, data)
  if (said) session.event({ ...base, kind: 'lifecycle', text: said, model })
}

function lifecycleText(type: string, data: Fields): string {
  if (type === 'session.start') return `Started Copilot CLI ${text(data.copilotVersion)}`.trim()
  if (type === 'session.resume') return 'Resumed'
  return type === 'session.model_change' ? `Model ${text(data.newModel)}` : ''
}

/** `auto` lets Copilot choose: it is no model. */
function modelOf(value: Json | undefined): string | undefined {
  return value === 'auto' ? undefined : named(value)
}

function readUser(data: Fields, base: Base, { session, isSubagent }: Place): void {
  const said = named(data.content) ?? text(data.transformedContent).replace(addedText, '').trim()
  const images = list(data.attachments)
    .map(fields)
    .filter((attachment) => text(attachment.mimeType).startsWith('image/'))
    .map((image) => imagePlaceholder(named(image.mimeType), text(image.data)))
  const whole = [said, ...images].filter((part) => part !== '').join('\n')
  if (!whole) return
  const kind = isSubagent || isMachine(data, said) ? 'context' : 'prompt'
  session.event({ ...base, kind, role: 'user', text: whole })
}

/** What Copilot puts around a message for the model. */
const addedText = /<(current_datetime|system_reminder|tagged_files|agent_instructions)>[\s\S]*?<\/\1>/g

/** `source` names skills, schedules and other agents. `parentAgentTaskId` says nothing: people's prompts carry it too. */
function isMachine(data: Fields, said: string): boolean {
  const source = named(data.source)
  return (
    (source !== undefined && source !== 'user') ||
    data.isAutopilotContinuation === true ||
    named(fields(data.crossSession).origin) !== undefined ||
    /^\s*<system_(?:notification|reminder)>/.test(said)
  )
}

function readAssistant(record: Fields, data: Fields, base: Base, session: SessionOut, reading: Reading): void {
  const model = modelOf(data.model) ?? reading.model
  session.about({ model })
  const usage = reading.usage.answer(record, model)
  if (usage) session.usage(usage)
  const answer = { ...base, role: 'assistant', model } as const
  if (named(data.reasoningText))
    session.event({ ...answer, key: `${base.key}/thinking`, kind: 'thinking', text: text(data.reasoningText) })
  if (text(data.content).trim()) session.event({ ...answer, kind: 'reply', text: text(data.content) })
  for (const value of list(data.toolRequests)) {
    const request = fields(value)
    readCall(
      request,
      { ...base, name: text(request.name), isUser: false, model },
      { session, isSubagent: false },
      reading,
    )
  }
}

/** A call stands in the answer that asked for it and again where it starts: the first of them counts. */
function readCall(
  data: Fields,
  { name, isUser, ...base }: Base & { name: string; isUser: boolean; model?: string },
  { session }: Place,
  { calls, changes, asked }: Reading,
): void {
  const call = named(data.toolCallId)
  if (!name || !call || asked.has(call)) return
  asked.add(call)
  const input =
    typeof data.arguments === 'string' ? (parseJson(data.arguments) ?? data.arguments) : (data.arguments ?? {})
  const event = { ...base, key: `${base.key}/${call}`, call, tool: name, input }
  changes.opened(call, changesOf(name, input))
  session.event(
    calls.opened(
      isUser
        ? { ...event, kind: 'shell', role: 'user', text: commandOf(input) || name }
        : { ...event, kind: 'tool_call', role: 'assistant', text: '' },
    ),
  )
}

function readResult(data: Fields, base: Base, session: SessionOut, { calls, changes, asked }: Reading): void {
  const result = calls.closed({ ...base, ...resultEvent(data) })
  asked.delete(result.call ?? '')
  session.event(result)
  const files = counted(changes.closed(result.call), data)
  if (files.length > 0 && !result.error)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call: result.call, files })
}

function readSubagent(record: Fields, data: Fields, { out, session }: Reading): void {
  const subagent = named(record.agentId) ?? named(data.toolCallId)
  if (!subagent) return
  const title = [named(data.agentName), named(data.agentDisplayName)].filter(Boolean).join(': ')
  out
    .session(`${session}/${subagent}`)
    .about({ kind: 'subagent', parent: session, title: title || undefined, titleRank: 3, model: modelOf(data.model) })
}

function readHook(data: Fields, base: Base & { role: 'system' }, session: SessionOut): void {
  const added = named(fields(data.output).additionalContext)
  if (added) session.event({ ...base, kind: 'context', text: added })
  const failure = named(fields(data.error).message)
  if (failure) session.event({ ...base, key: `${base.key}/error`, kind: 'error', text: failure })
}
