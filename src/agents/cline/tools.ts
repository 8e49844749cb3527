// Reads rows that call a tool and the rows that answer them. A call stays open until a row that
// does not answer it. Also holds the state of the task that is being read.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { blockOrDiffCounts, editBlocks, lineCount } from '../file-changes.ts'
import {
  asArray,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseDataUrl,
  parseJson,
} from '../json-values.ts'
import type { PendingCalls } from '../pending-calls.ts'
import { type ApiHistory, normaliseSubject } from './api-history.ts'

export function openTool(row: JsonObject, reading: TaskState): void {
  const { tool, ...input } = asObject(parseJson(asString(row.text)))
  const name = optionalString(tool) ?? 'tool'
  const subject =
    optionalString(input.regex) ?? optionalString(input.query) ?? optionalString(input.path) ?? snakeCase(name)
  if (answersInPlace.has(name)) {
    const { content, ...asked } = input
    return openCall(row, reading, { tool: name, input: asked, subject, output: asString(content) })
  }
  openCall(row, reading, { tool: name, input, subject, files: changedFiles(name, input) })
}

/** Tools whose row contains the result. */
const answersInPlace = new Set('listFilesTopLevel listFilesRecursive listCodeDefinitionNames searchFiles'.split(' '))

/** In the messages to the model `newTask` is called `new_task`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function openCommand(row: JsonObject, reading: TaskState): void {
  const command = asString(row.text)
    .replace(/REQ_APP$/, '')
    .trim()
  openCall(row, reading, { tool: 'execute_command', input: { command }, subject: command })
}

export function openMcp(row: JsonObject, reading: TaskState): void {
  const asked = asObject(parseJson(asString(row.text)))
  const server = asString(asked.serverName)
  const tool = `mcp__${server}__${optionalString(asked.toolName) ?? 'resource'}`
  const input = parseJson(asString(asked.arguments)) ?? (optionalString(asked.uri) ? { uri: asString(asked.uri) } : {})
  openCall(row, reading, { tool, input, subject: server })
}

/** The first row of a browser session holds only the address. */
export function openBrowser(row: JsonObject, reading: TaskState): void {
  const asked = parseJson(asString(row.text))
  const input = typeof asked === 'object' && asked !== null ? asked : { action: 'launch', url: asString(row.text) }
  openCall(row, reading, { tool: 'browser_action', input, subject: optionalString(asObject(input).action) ?? 'launch' })
}

export function openSubagents(row: JsonObject, reading: TaskState): void {
  openCall(row, reading, {
    tool: 'use_subagents',
    input: parseJson(asString(row.text)) ?? {},
    subject: 'use_subagents',
  })
}

interface ToolRow {
  tool: string
  input: Json
  subject: string
  output?: string
  files?: FileChange[]
}

function openCall(row: JsonObject, reading: TaskState, { tool, input, subject, output, files }: ToolRow): void {
  closeTool(reading)
  reading.lastSaid = ''
  const call = keyOf(row, reading)
  const event = eventOf(row, reading, { kind: 'tool_call', role: 'assistant', text: '', tool, call, input })
  reading.session.event(reading.calls.open(event))
  const same = normaliseSubject(subject, reading.cwd)
  reading.open = { row, call, subject: same, output: output ? [output] : [], files: files ?? [] }
}

/** Adds a row to the output of the open call. Commands answer in many rows. */
export function addOutput(row: JsonObject, reading: TaskState): void {
  const said = outputText(asString(row.text))
  if (reading.open) {
    if (said) reading.open.output.push(said)
  } else if (said) {
    reading.session.event(eventOf(row, reading, { kind: 'context', role: 'system', text: said }))
  }
}

function outputText(said: string): string {
  const answer = asObject(parseJson(said))
  const items = asArray(answer.items).map(asObject)
  if (items.length > 0) return items.map((item) => asString(item.result) || asString(item.error)).join('\n\n')
  const screenshot = parseDataUrl(asString(answer.screenshot))
  if (screenshot || optionalString(answer.currentUrl)) {
    const image = screenshot ? imagePlaceholder(screenshot.mediaType, screenshot.data) : ''
    return [asString(answer.currentUrl), asString(answer.logs), image].filter((part) => part !== '').join('\n')
  }
  return said
}

/** An error directly after a call is its result; elsewhere the agent itself failed. */
export function failTool(row: JsonObject, reading: TaskState): void {
  const said = asString(row.text)
  if (!reading.open) {
    if (said) reading.session.event(eventOf(row, reading, { kind: 'error', role: 'system', text: said }))
    return
  }
  reading.open.error = row.say === 'command_permission_denied' ? 'denied' : 'failed'
  if (said) reading.open.output.push(said)
  closeTool(reading)
}

/** The user changed a proposed edit before it was saved. */
export function readUserEdit(row: JsonObject, reading: TaskState): void {
  const { tool, ...input } = asObject(parseJson(asString(row.text)))
  const files = changedFiles(optionalString(tool) ?? 'editedExistingFile', input)
  if (files.length === 0) return
  closeTool(reading)
  reading.session.event(eventOf(row, reading, { kind: 'edit', role: 'user', text: asString(input.diff), files }))
}

/** Emits the result of the open call; a question without an answer has none. */
export function closeTool(reading: TaskState, how: { isOver?: boolean; fallback?: ToolError } = {}): void {
  const tool = reading.open
  if (!tool) return
  reading.open = undefined
  const recorded = reading.history.take(tool.subject) ?? reading.history.take(`${reading.cwd}/${tool.subject}`)
  const isAnswered = recorded !== undefined || tool.output.length > 0
  const isQuestion = tool.row.type === 'ask' || tool.row.partial === true
  if (how.isOver && !isAnswered && isQuestion) return
  const error = tool.error ?? recorded?.error ?? (isAnswered ? undefined : how.fallback)
  const { row, call, files } = tool
  const result = eventOf(row, reading, {
    kind: 'tool_result',
    role: 'tool',
    text: tool.output.join('\n').trim() || (recorded?.text ?? ''),
    call,
    key: `${call}/result`,
    error,
    exit: recorded?.exit,
  })
  reading.session.event(reading.calls.close(result))
  if (error || files.length === 0) return
  reading.session.event(
    eventOf(row, reading, { kind: 'edit', role: 'tool', text: '', call, files, key: `${call}/edit` }),
  )
}

const changeKinds = new Map<string, FileChange['change']>([
  ['editedExistingFile', 'update'],
  ['appliedDiff', 'update'],
  ['insertContent', 'update'],
  ['searchAndReplace', 'update'],
  ['newFileCreated', 'add'],
  ['fileDeleted', 'delete'],
])

function changedFiles(tool: string, input: JsonObject): FileChange[] {
  const change = changeKinds.get(tool)
  if (!change) return []
  const batch = asArray(input.batchDiffs).map(asObject)
  return (batch.length > 0 ? batch : [input])
    .filter((file) => optionalString(file.path))
    .map((file) => ({ path: asString(file.path), change, ...changedLines(change, file) }))
}

/** Cline also uses `content` for diffs; a whole file there is no diff. */
function changedLines(change: FileChange['change'], file: JsonObject): { added?: number; removed?: number } {
  const content = asString(file.content)
  if (change === 'add' && content) return { added: lineCount(content), removed: 0 }
  if (optionalString(file.diff)) return blockOrDiffCounts(asString(file.diff))
  return editBlocks(content).length > 0 ? blockOrDiffCounts(content) : {}
}

export interface TaskState {
  task: string
  session: SessionOutput
  out: ReaderOutput
  history: ApiHistory
  cwd?: string
  /** Started by another task: its first row was not typed. */
  isChild: boolean
  calls: PendingCalls
  /** Rows by time: rows of the same millisecond are distinguished by their order. */
  times: Map<string, JsonObject[]>
  open?: OpenCall
  /** Start time of each request; a model named before the next request belongs to it. */
  requestTimes: string[]
  /** The request that an older row completes. */
  request?: { key: string; ts: string | null }
  model?: string
  lastSaid: string
  lastRange: string
  /** A summary was emitted, so the truncation that it causes is not. */
  isSummarised: boolean
}

/** A call that waits for the rows that answer it. */
interface OpenCall {
  row: JsonObject
  call: string
  /** File, command or pattern that identifies the result in the messages to the model. */
  subject: string
  output: string[]
  error?: ToolError
  files: FileChange[]
}

type RowEvent = Pick<Event, 'kind' | 'role' | 'text'> & Partial<Event>

export function eventOf(row: JsonObject, reading: TaskState, event: RowEvent): Event {
  const model = event.role === 'assistant' ? optionalString(asObject(row.modelInfo).modelId) : undefined
  return { id: timeOf(row.ts), key: keyOf(row, reading), ts: asIsoTime(row.ts), ...(model ? { model } : {}), ...event }
}

export function keyOf(row: JsonObject, reading: TaskState): string {
  const at = timeOf(row.ts)
  const rows = reading.times.get(at) ?? []
  if (rows.length === 0) reading.times.set(at, rows)
  if (!rows.includes(row)) rows.push(row)
  const nth = rows.indexOf(row)
  return `${reading.task}/${at}${nth === 0 ? '' : `#${nth + 1}`}`
}

function timeOf(ts: Json | undefined): string {
  return typeof ts === 'number' || typeof ts === 'string' ? String(ts) : ''
}
