// Turns the steps of an Antigravity transcript into events. A line is a step that has ended; steps
// have no ids, and results follow their calls in order. The same steps are in a complete and in a
// cut transcript, so keys are made of number, type and time, not of content.
import type { Event, FileChange, Json } from '../../core/session.ts'
import type { EventBase, LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  fingerprint,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { typedKind } from '../typed-text.ts'
import { type StepCalls, stepCalls } from './step-calls.ts'
import { type FindOrigin, startedIn } from './subagents.ts'
import { callArguments, isKnownResult, isRefusedCall, outcomeOf, plannedChanges, toolName } from './tools.ts'
import type { Workspaces } from './workspaces.ts'

export interface ConversationContext {
  native: string
  workspaces: Workspaces
  findOrigin: FindOrigin
}

interface StepState extends ConversationContext {
  out: ReaderOutput
  session: SessionOutput
  calls: PendingCalls
  /** Files that open calls will change. */
  changes: PendingChanges
  /** Calls whose results are missing. */
  open: StepCalls
  /** Marks of the tasks of subagents, which may be repeated as inputs. */
  tasks: string[]
  hasInput: boolean
  hasFolder: boolean
  model: string | undefined
  /** The last reminder, which most answers are preceded by. */
  reminder: string
}

export function openSteps(context: ConversationContext, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const session = out.session(context.native)
  const folder = context.workspaces.ofConversation(context.native)
  if (folder) session.about({ cwd: folder })
  const reading: StepState = {
    ...context,
    out,
    session,
    calls: pendingCalls(saved.calls),
    changes: pendingChanges(saved.changes),
    open: stepCalls(saved.open),
    tasks: asArray(saved.tasks).map(asString),
    hasInput: saved.hasInput === true,
    hasFolder: saved.hasFolder === true || folder !== undefined,
    model: optionalString(saved.model),
    reminder: asString(saved.reminder),
  }
  return {
    record: (record, offset) => readStep(record, offset, reading),
    state: () => ({
      calls: reading.calls.state(),
      changes: reading.changes.state(),
      open: reading.open.state(),
      tasks: reading.tasks,
      hasInput: reading.hasInput,
      hasFolder: reading.hasFolder,
      model: reading.model,
      reminder: reading.reminder,
    }),
  }
}

function readStep(step: JsonObject, offset: number, reading: StepState): void {
  const type = asString(step.type)
  const ts = asIsoTime(step.created_at)
  // Without a time, a number may be that of another step.
  const mark = ts ? asString(step.created_at) : `${asString(step.created_at)}@${offset}`
  const base = { id: '', key: fingerprint(reading.native, asCount(step.step_index), type, mark), ts }
  const content = asString(step.content)
  switch (type) {
    case 'USER_INPUT':
      return readInput(step, base, reading)
    case 'PLANNER_RESPONSE':
      return readAnswer(step, base, reading)
    case 'CHECKPOINT':
      return readCheckpoint(content, base, reading)
    case 'SYSTEM_MESSAGE':
      return readMessage(content, base, reading)
    case 'EPHEMERAL_MESSAGE':
      return readReminder(content, base, reading)
    case 'ERROR_MESSAGE':
      return readError(type, step, base, reading)
    case 'CONVERSATION_HISTORY':
      return emitContext(content, base, reading)
    default:
      if ((step.source === 'MODEL' && type) || isKnownResult(type)) return readResult(type, step, base, reading)
      reading.out.unknownType([asString(step.source), type || 'step without type'].filter(Boolean).join(' '))
      return emitContext(content, base, reading)
  }
}

function emitContext(text: string, base: EventBase, { session }: StepState): void {
  if (text.trim()) session.event({ ...base, kind: 'context', role: 'system', text })
}

function readInput(step: JsonObject, base: EventBase, reading: StepState): void {
  reading.open.skipTo(asCount(step.step_index))
  const { said, added } = splitInput(asString(step.content))
  const isFirst = !reading.hasInput
  const isStarted = isFirst && readOrigin(base, reading)
  reading.hasInput = true
  if (isFirst && !isStarted) setFolder(reading.workspaces.ofPrompt(said, base.ts), reading)
  // The first text of a subagent is its task, also where its steps follow those of its parent.
  const isHuman = !isStarted && !isTask(said, reading) && /^(?:USER(?!_IMPLICIT)|$)/.test(asString(step.source))
  if (said) reading.session.event({ ...base, kind: isHuman ? typedKind(said) : 'context', role: 'user', text: said })
  readModelChange(added, base, reading)
}

/** Whether another conversation started this one as a subagent. */
function readOrigin(base: EventBase, reading: StepState): boolean {
  const origin = reading.findOrigin(reading.native, base.ts)
  if (!origin) return false
  const { parent, role, cwd } = origin
  reading.session.about({ kind: 'subagent', parent, title: role, titleRank: role ? 1 : undefined })
  setFolder(cwd, reading)
  return true
}

function isTask(said: string, reading: StepState): boolean {
  const at = reading.tasks.indexOf(fingerprint(said))
  if (at >= 0) reading.tasks.splice(at, 1)
  return at >= 0
}

/**
 * What the user typed, and what the client adds: the local time, open files, settings. Words of the
 * client in a text that the user pasted are text.
 */
function splitInput(content: string): { said: string; added: string } {
  const from = content.indexOf(requestTag) + requestTag.length
  if (from < requestTag.length) {
    const said = content.replace(/<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>[\s\S]*?(?:<\/\1>|$)/g, '')
    return { said: said.trim(), added: content }
  }
  const rest = content.slice(from)
  // A cut transcript may have lost the end of the request.
  const end = [closingTag, /<\/USER_REQUEST>/, /\n<(?:ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>/]
    .map((mark) => rest.search(mark))
    .find((at) => at >= 0)
  return { said: rest.slice(0, end).trim(), added: end === undefined ? '' : rest.slice(end) }
}

const requestTag = '<USER_REQUEST>'
const closingTag = /<\/USER_REQUEST>\s*(?:$|<(?:ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>)/

/** The client tells the model about every change of it, also about the first choice. */
function readModelChange(content: string, base: EventBase, reading: StepState): void {
  const [, from, to] = /`Model Selection` from (.+?) to (.+?)\.(?:\s|$)/.exec(content) ?? []
  if (!to) return
  reading.model = to
  reading.session.about({ model: to })
  if (from === 'None') return
  const event = { ...base, key: `${base.key}/model`, text: `Model ${to}`, model: to }
  reading.session.event({ ...event, kind: 'lifecycle', role: 'system' })
}

function setFolder(folder: string | undefined, reading: StepState): void {
  if (!folder || reading.hasFolder) return
  reading.hasFolder = true
  reading.session.about({ cwd: folder })
}

function readAnswer(step: JsonObject, base: EventBase, reading: StepState): void {
  const { session, model } = reading
  const answer = { ...base, role: 'assistant', model } as const
  const [thinking, content] = [asString(step.thinking), asString(step.content)]
  if (thinking.trim()) session.event({ ...answer, key: `${base.key}/thinking`, kind: 'thinking', text: thinking })
  if (content.trim()) session.event({ ...answer, kind: 'reply', text: content })
  const calls = asArray(step.tool_calls).map(asObject)
  const number = asCount(step.step_index)
  if (calls.length > 0) reading.open.skipTo(number)
  for (const [index, { name, args }] of calls.entries()) {
    const tool = toolName(name)
    if (!tool) continue
    const key = `${base.key}#${index}`
    const input = callArguments(args)
    const early = reading.open.takeEarly(number, index, tool)
    const call = early?.call ?? key
    setFolder(projectFolder(input), reading)
    rememberTasks(input, reading)
    session.event(reading.calls.open({ ...answer, key, kind: 'tool_call', text: '', tool, call, input }))
    const files = plannedChanges(tool, input)
    if (early && !early.isError) emitEdit(files, { ...base, key }, call, reading)
    if (early) continue
    reading.open.open(number, index, { call, tool })
    reading.changes.open(call, files)
  }
}

/** Most are never repeated. */
const maxTasks = 50

function rememberTasks({ Subagents }: JsonObject, reading: StepState): void {
  const tasks = asArray(Subagents).map((one) => fingerprint(asString(asObject(one).Prompt).trim()))
  reading.tasks = [...reading.tasks, ...tasks].slice(-maxTasks)
}

/** Where a command runs, unless that is a folder of Antigravity itself. */
function projectFolder({ Cwd }: JsonObject): string | undefined {
  const folder = asString(Cwd)
  return /^(?:\/|[A-Za-z]:\\)/.test(folder) && !/[\\/]\.gemini(?:[\\/]|$)/.test(folder) ? folder : undefined
}

/** Results are in the order of their calls, except that a quick one may precede a slow one. */
function readResult(type: string, step: JsonObject, base: EventBase, reading: StepState): void {
  const number = asCount(step.step_index)
  const isRunning = step.status === 'RUNNING'
  const made = reading.open.take(number, type, isRunning)
  if (!made && !isKnownResult(type)) reading.out.unknownType(`MODEL ${type}`)
  const { text, error, exit } = outcomeOf(step)
  const call = made?.call ?? base.key
  const result: Event = { ...base, kind: 'tool_result', role: 'tool', text, call, error, exit }
  if (isRunning && made) return reading.session.event({ ...result, key: `${base.key}/running`, tool: made.tool })
  reading.session.event(reading.calls.close({ ...result, tool: made?.tool ?? type.toLowerCase() }))
  // Subagents work in the folder of their parent, which may run no command itself.
  setFolder(projectFolder({ Cwd: startedIn(step)[0]?.cwd }), reading)
  if (!made) return reading.open.addEarly({ step: number, type, call, isError: error !== undefined })
  const isNew = /^Created file\b/.test(text)
  const files = reading.changes.close(call).map((file) => (isNew ? { ...file, change: 'add' as const } : file))
  if (!error) emitEdit(files, base, call, reading)
}

function emitEdit(files: FileChange[], base: EventBase, call: string, { session }: StepState): void {
  if (files.length > 0)
    session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

/** The model or its service failed, or the client did not carry out a call: that one has no other result. */
function readError(type: string, step: JsonObject, base: EventBase, reading: StepState): void {
  const { text } = outcomeOf(step)
  if (reading.open.hasOpen(asCount(step.step_index)) && isRefusedCall(text))
    return readResult(type, step, base, reading)
  reading.session.event({ ...base, kind: 'error', role: 'system', text })
}

/**
 * The first checkpoint follows the first answer and only names the conversation, whatever it says
 * about truncated context. The same holds for one without a number, which is in short conversations
 * too.
 */
function readCheckpoint(content: string, base: EventBase, reading: StepState): void {
  const title = /^# USER Objective:[ \t]*\n+(.+)$/m.exec(content)?.[1]?.trim()
  if (title) reading.session.about({ title, titleRank: 3 })
  if (Number(/^\s*\{\{ CHECKPOINT (\d+) \}\}/.exec(content)?.[1] ?? 0) > 0)
    reading.session.event({ ...base, kind: 'compaction', role: 'system', text: content })
}

/**
 * Messages of subagents and background tasks, and the task of a subagent that has no input. A prompt
 * that waited comes the same way, as documented.
 */
function readMessage(content: string, base: EventBase, reading: StepState): void {
  reading.hasInput ||= readOrigin(base, reading)
  const text = (/<SYSTEM_MESSAGE>\n([\s\S]*?)(?:<\/SYSTEM_MESSAGE>|$)/.exec(content)?.[1] ?? content).trim()
  const typed = /^\[Message\] [^\n]*?\bsender=user\b[^\n]*? content=([\s\S]+)$/i.exec(text)?.[1]
  if (typed) return reading.session.event({ ...base, kind: typedKind(typed), role: 'user', text: typed })
  emitContext(text, base, reading)
}

/** The same reminder precedes most answers: it is told once. */
function readReminder(content: string, base: EventBase, reading: StepState): void {
  const mark = fingerprint(content)
  if (reading.reminder === mark) return
  reading.reminder = mark
  emitContext(content, base, reading)
}
