// Turns the messages of a Pi session into events: prompts, answers, results of tools, and shell lines
// of the user.
import type { Event, FileChange, Json, ToolError, Usage } from '../../core/session.ts'
import type { EventBase } from '../agent.ts'
import { diffCounts, lineCount, patchChanges } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asObject,
  asString,
  asUsd,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import type { CountedResponse } from './responses.ts'
import type { EntryContext, PiState } from './state.ts'

export function messageEvents(message: JsonObject, context: EntryContext): Event[] {
  const { base, reading } = context
  switch (message.role) {
    case 'user':
      if (isMachineText(message, reading)) return contextEvents(contentText(message.content), base)
      return userEvents(contentText(message.content), base)
    case 'assistant':
      return assistantEvents(message, context)
    case 'toolResult':
      return resultEvents(message, base, reading)
    case 'bashExecution':
    case 'pythonExecution':
      return shellEvents(message, base)
    case 'fileMention':
      return contextEvents(filesGiven(message), base)
    case 'custom':
    case 'hookMessage':
    case 'developer':
      return [{ ...base, kind: 'context', role: 'user', text: contentText(message.content) }]
    case 'branchSummary':
      return [{ ...base, kind: 'context', role: 'system', text: asString(message.summary) }]
    case 'compactionSummary':
      return [{ ...base, kind: 'compaction', role: 'system', text: asString(message.summary) }]
    default:
      reading.out.unknownType(`message/${asString(message.role)}`)
      return []
  }
}

/** Oh My Pi marks what it writes itself. */
function isMachineText({ synthetic, attribution }: JsonObject, { isSubagent }: PiState): boolean {
  return isSubagent || synthetic === true || attribution === 'agent'
}

function contextEvents(said: string, base: EventBase): Event[] {
  return said.trim() ? [{ ...base, kind: 'context', role: 'user', text: said }] : []
}

function filesGiven(message: JsonObject): string {
  return asArray(message.files)
    .map((file) => `File given: ${asString(asObject(file).path)}`)
    .join('\n')
}

function userEvents(said: string, base: EventBase): Event[] {
  const skill = /^<skill name="([^"]*)"[\s\S]*?\n<\/skill>\s*([\s\S]*)$/.exec(said)
  if (skill) return [{ ...base, kind: 'command', role: 'user', text: `/skill:${skill[1]} ${skill[2]}`.trim() }]
  const prompt = foldFiles(said).trim()
  return prompt ? [{ ...base, kind: 'prompt', role: 'user', text: prompt }] : []
}

/** Files named on the command line precede the prompt with their content. */
function foldFiles(said: string): string {
  return said.replace(/^(?:<file name="[^"]*">[\s\S]*?<\/file>\s*)+/, (files) =>
    files.replace(/<file name="([^"]*)">[\s\S]*?<\/file>\s*/g, '@$1\n'),
  )
}

function assistantEvents(message: JsonObject, context: EntryContext): Event[] {
  const { base, session, reading } = context
  const model = optionalString(message.model)
  session.about({ model })
  emitUsage(message.usage, { key: base.key, ts: base.ts, model: model ?? null }, context)
  const events = asArray(message.content).flatMap((block, index) =>
    blockEvents(asObject(block), { ...base, key: `${base.key}#${index}`, model }, reading),
  )
  const end = { ...base, key: `${base.key}/end`, text: asString(message.errorMessage) }
  if (message.stopReason === 'error') events.push({ ...end, kind: 'error', role: 'system' })
  if (message.stopReason === 'aborted') events.push({ ...end, kind: 'interrupt', role: 'user' })
  return events
}

function blockEvents(block: JsonObject, base: EventBase & { model?: string }, reading: PiState): Event[] {
  if (block.type === 'text' && asString(block.text).trim())
    return [{ ...base, kind: 'reply', role: 'assistant', text: asString(block.text) }]
  if (block.type === 'thinking' && asString(block.thinking).trim())
    return [{ ...base, kind: 'thinking', role: 'assistant', text: asString(block.thinking) }]
  if (block.type !== 'toolCall' || !optionalString(block.name)) return []
  const call = optionalString(block.id)
  const input = block.arguments ?? {}
  reading.changes.open(call, changesOf(asString(block.name), asObject(input)))
  return [
    reading.calls.open({
      ...base,
      kind: 'tool_call',
      role: 'assistant',
      text: '',
      tool: asString(block.name),
      call,
      input,
    }),
  ]
}

function changesOf(tool: string, input: JsonObject): FileChange[] {
  if (tool === 'apply_patch') return patchChanges(asString(input.input), undefined) // OpenClaw 2026.9
  const path = optionalString(input.path) ?? optionalString(input.file_path)
  if (!path || !/^(?:edit|write)(?:_file)?$/.test(tool) || isAddress.test(path)) return []
  const added = lineCount(asString(input.content ?? input.newText))
  return [{ path, change: 'update', added, removed: lineCount(asString(input.oldText)) }]
}

/** Oh My Pi calls some tools by writing to an address. */
const isAddress = /^\w+:\/\//

function emitUsage(value: Json | undefined, response: CountedResponse, { base, session, reading }: EntryContext): void {
  if (reading.dialect.addsChildUsage) {
    if (reading.isSubagent) return
    reading.responses.add(base.id, response)
  }
  const usage = usageOf(value, response)
  if (usage) session.usage(usage)
}

export function usageOf(value: Json | undefined, response: CountedResponse): Usage | undefined {
  const usage = asObject(value)
  // Tokens that a provider spends on its own tools are billed, but no part of the conversation.
  const beside = asObject(usage.orchestration)
  const input = asCount(usage.input) + asCount(beside.input)
  const cacheRead = asCount(usage.cacheRead) + asCount(beside.cacheRead)
  const output = asCount(usage.output) + asCount(beside.output)
  const written = asCount(usage.cacheWrite)
  const cacheWrite1h = Math.min(written, asCount(asObject(usage.cttl).ephemeral1h))
  if (input + output + cacheRead + written === 0) return undefined
  return {
    ...response,
    input,
    cacheRead,
    cacheWrite: written - cacheWrite1h,
    cacheWrite1h,
    output,
    reasoning: asCount(usage.reasoning) || asCount(usage.reasoningTokens),
    costUsd: asUsd(asObject(usage.cost).total) || undefined, // zero means that there is no price
  }
}

function resultEvents(message: JsonObject, base: EventBase, reading: PiState): Event[] {
  const call = optionalString(message.toolCallId)
  const said = contentText(message.content)
  const details = asObject(message.details)
  const exit = details.exitCode ?? /Command exited with code (\d+)\)?\s*$/.exec(said)?.[1]
  // OpenClaw records the code of a command that failed, and reports no error.
  const hasFailed = typeof details.exitCode === 'number' && details.exitCode !== 0
  const error = message.isError === true ? errorKind(said) : hasFailed ? 'failed' : undefined
  const events = [
    reading.calls.close({
      ...base,
      kind: 'tool_result',
      role: 'tool',
      text: said,
      tool: optionalString(message.toolName),
      call,
      error,
      exit: typeof exit === 'number' || typeof exit === 'string' ? Number(exit) : undefined,
    }),
  ]
  const files = changedFiles(details, reading.changes.close(call))
  if (files.length > 0 && !error)
    events.push({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
  return events
}

function errorKind(said: string): ToolError {
  if (/(?:^|\n)\[?(?:Command|Operation) aborted\]?\s*$|^Tool execution was aborted/.test(said)) return 'interrupted'
  if (/^Skipped due to /.test(said)) return 'cancelled'
  return denied.test(said) ? 'denied' : 'failed'
}

/** The second form is that of Oh My Pi. */
const denied =
  /^Tool (?:execution (?:was )?(?:blocked|denied)|call (?:denied|rejected) by user|"[^"]*" is blocked by user policy)/

/** Oh My Pi names the files of an edit in its result, Pi in the call. */
function changedFiles(details: JsonObject, planned: FileChange[]): FileChange[] {
  const named = [details, ...asArray(details.perFileResults).map(asObject)].flatMap(editedFile)
  if (named.length > 0) return named
  const path = optionalString(details.resolvedPath)
  // The diff has numbered lines: `+ 12 text`, `- 12 text`. Writes, and edits of old versions, have
  // none.
  const lines = optionalString(details.diff) ? diffCounts(asString(details.diff)) : {}
  return planned.map((file) => ({ ...file, path: path ?? file.path, ...lines }))
}

function editedFile(result: JsonObject): FileChange[] {
  const path = optionalString(result.path)
  if (!path || !optionalString(result.op) || result.isError === true) return []
  if (result.op === 'delete')
    return [{ path, change: 'delete', added: 0, removed: lineCount(asString(result.oldText)) }]
  const isMoved = optionalString(result.sourcePath) !== undefined || optionalString(result.move) !== undefined
  const change = isMoved ? 'move' : result.op === 'create' ? 'add' : 'update'
  return [{ path: optionalString(result.move) ?? path, change, ...diffCounts(asString(result.diff)) }]
}

function shellEvents(message: JsonObject, base: EventBase): Event[] {
  const exit = typeof message.exitCode === 'number' ? message.exitCode : undefined
  const error = message.cancelled === true ? 'cancelled' : exit ? 'failed' : undefined
  const output = asString(message.output)
  return [
    { ...base, kind: 'shell', role: 'user', text: asString(message.command) || asString(message.code), exit, error },
    ...(output ? [{ ...base, key: `${base.key}/output`, kind: 'context', role: 'tool', text: output } as const] : []),
  ]
}

export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((part) => {
      const block = asObject(part)
      return block.type === 'image'
        ? imagePlaceholder(optionalString(block.mimeType), asString(block.data))
        : asString(block.text)
    })
    .filter((part) => part !== '')
    .join('\n')
}
