// Rows that call a tool, and the rows that answer them. A call stays open until a row comes that is no answer to it.
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import { lineCount } from '../changes.ts'
import { diffLines, editBlocks } from '../search-replace.ts'
import { type Fields, fields, imagePlaceholder, list, named, parseJson, text } from '../values.ts'
import { sameSubject } from './api-history.ts'
import { eventOf, keyOf, type RowReading } from './reading.ts'

export function openTool(row: Fields, reading: RowReading): void {
  const { tool, ...input } = fields(parseJson(text(row.text)))
  const name = named(tool) ?? 'tool'
  const subject = named(input.regex) ?? named(input.query) ?? named(input.path) ?? snakeCase(name)
  if (answersInPlace.has(name)) {
    const { content, ...asked } = input
    return open(row, reading, { tool: name, input: asked, subject, output: text(content) })
  }
  open(row, reading, { tool: name, input, subject, files: changedFiles(name, input) })
}

/** Of these the row itself holds what they found. */
const answersInPlace = new Set('listFilesTopLevel listFilesRecursive listCodeDefinitionNames searchFiles'.split(' '))

/** In the messages to the model `newTask` is `new_task`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function openCommand(row: Fields, reading: RowReading): void {
  const command = text(row.text)
    .replace(/REQ_APP$/, '')
    .trim()
  open(row, reading, { tool: 'execute_command', input: { command }, subject: command })
}

export function openMcp(row: Fields, reading: RowReading): void {
  const asked = fields(parseJson(text(row.text)))
  const server = text(asked.serverName)
  const tool = `mcp__${server}__${named(asked.toolName) ?? 'resource'}`
  const input = parseJson(text(asked.arguments)) ?? (named(asked.uri) ? { uri: text(asked.uri) } : {})
  open(row, reading, { tool, input, subject: server })
}

/** The first row of a browser session holds only the address. */
export function openBrowser(row: Fields, reading: RowReading): void {
  const asked = parseJson(text(row.text))
  const input = typeof asked === 'object' && asked !== null ? asked : { action: 'launch', url: text(row.text) }
  open(row, reading, { tool: 'browser_action', input, subject: named(fields(input).action) ?? 'launch' })
}

export function openSubagents(row: Fields, reading: RowReading): void {
  open(row, reading, { tool: 'use_subagents', input: parseJson(text(row.text)) ?? {}, subject: 'use_subagents' })
}

interface ToolCall {
  tool: string
  input: Json
  subject: string
  output?: string
  files?: FileChange[]
}

function open(row: Fields, reading: RowReading, { tool, input, subject, output, files }: ToolCall): void {
  settleTool(reading)
  reading.lastSaid = ''
  const call = keyOf(row, reading)
  const event = eventOf(row, reading, { kind: 'tool_call', role: 'assistant', text: '', tool, call, input })
  reading.session.event(reading.calls.opened(event))
  const same = sameSubject(subject, reading.cwd)
  reading.open = { row, call, subject: same, output: output ? [output] : [], files: files ?? [] }
}

/** A row that answers the open call. Commands answer in many rows; some rows are only rewritten until they are complete. */
export function addOutput(row: Fields, reading: RowReading): void {
  const said = outputText(text(row.text))
  if (reading.open) {
    if (said) reading.open.output.push(said)
  } else if (said) {
    reading.session.event(eventOf(row, reading, { kind: 'context', role: 'system', text: said }))
  }
}

function outputText(said: string): string {
  const answer = fields(parseJson(said))
  const items = list(answer.items).map(fields)
  if (items.length > 0) return items.map((item) => text(item.result) || text(item.error)).join('\n\n')
  const screenshot = /^data:([^;,]+)[^,]*,([\s\S]*)$/.exec(text(answer.screenshot))
  if (screenshot || named(answer.currentUrl)) {
    const image = screenshot ? imagePlaceholder(screenshot[1], screenshot[2]!) : ''
    return [text(answer.currentUrl), text(answer.logs), image].filter((part) => part !== '').join('\n')
  }
  return said
}

/** An error right after a call is its result; elsewhere the agent itself failed. */
export function failTool(row: Fields, reading: RowReading): void {
  const said = text(row.text)
  if (!reading.open) {
    if (said) reading.session.event(eventOf(row, reading, { kind: 'error', role: 'system', text: said }))
    return
  }
  reading.open.error = row.say === 'command_permission_denied' ? 'denied' : 'failed'
  if (said) reading.open.output.push(said)
  settleTool(reading)
}

/** The person changed a proposed edit before it was saved. */
export function personsEdit(row: Fields, reading: RowReading): void {
  const { tool, ...input } = fields(parseJson(text(row.text)))
  const files = changedFiles(named(tool) ?? 'editedExistingFile', input)
  if (files.length === 0) return
  settleTool(reading)
  reading.session.event(eventOf(row, reading, { kind: 'edit', role: 'user', text: text(input.diff), files }))
}

/** Tells the result of the open call; a question that nobody has answered yet has none. */
export function settleTool(reading: RowReading, how: { isOver?: boolean; fallback?: ToolError } = {}): void {
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
  reading.session.event(reading.calls.closed(result))
  if (error || files.length === 0) return
  reading.session.event(
    eventOf(row, reading, { kind: 'edit', role: 'tool', text: '', call, files, key: `${call}/edit` }),
  )
}

const changes = new Map<string, FileChange['change']>([
  ['editedExistingFile', 'update'],
  ['appliedDiff', 'update'],
  ['insertContent', 'update'],
  ['searchAndReplace', 'update'],
  ['newFileCreated', 'add'],
  ['fileDeleted', 'delete'],
])

function changedFiles(tool: string, input: Fields): FileChange[] {
  const change = changes.get(tool)
  if (!change) return []
  const batch = list(input.batchDiffs).map(fields)
  return (batch.length > 0 ? batch : [input])
    .filter((file) => named(file.path))
    .map((file) => ({ path: text(file.path), change, ...changedLines(change, file) }))
}

/** Cline puts a diff under `content` too; there, a whole file is no diff. */
function changedLines(change: FileChange['change'], file: Fields): { added?: number; removed?: number } {
  const content = text(file.content)
  if (change === 'add' && content) return { added: lineCount(content), removed: 0 }
  if (named(file.diff)) return diffLines(text(file.diff))
  return editBlocks(content).length > 0 ? diffLines(content) : {}
}
