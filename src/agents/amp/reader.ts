// Reads a thread of Amp: messages with blocks as in the API of Anthropic, except for tool results,
// which hold the run of the tool.
import { basename } from 'node:path'
import type { FileChange, Json, SessionDetails, ToolError, Usage } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { diffCounts, lineCount, type PendingChanges, patchChanges, pendingChanges } from '../file-changes.ts'
import { readJsonFile } from '../files.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

interface AmpState {
  out: ReaderOutput
  session: SessionOutput
  calls: PendingCalls
  /** Changes that take effect with the result of their call. */
  changes: PendingChanges
  /** Time of the last message that has one: results have none. */
  now: string | null
  isChild: boolean
}

export function readThread(path: string, out: ReaderOutput): void {
  const thread = asObject(readJsonFile(path, out))
  const messages = asArray(thread.messages).map(asObject)
  if (messages.length === 0) return
  const native = optionalString(thread.id) ?? basename(path, '.json')
  const session = out.session(native)
  const about = aboutOf(thread)
  session.about(about)
  const reading: AmpState = {
    out,
    session,
    calls: pendingCalls(undefined),
    changes: pendingChanges(undefined),
    now: asIsoTime(thread.created),
    isChild: about.kind === 'subagent',
  }
  messages.forEach((message, index) => {
    const number = typeof message.messageId === 'number' ? message.messageId : index
    readMessage(message, `${native}/${number}`, reading)
  })
}

function aboutOf(thread: JsonObject): SessionDetails {
  const initial = asObject(asObject(thread.env).initial)
  const tree = asObject(asArray(initial.trees)[0])
  const repository = asObject(tree.repository)
  const parent = optionalString(thread.mainThreadID)
  const title = optionalString(thread.title)
  const tagged = asArray(initial.tags)
    .map(asString)
    .find((tag) => tag.startsWith('model:'))
  return {
    kind: parent ? 'subagent' : undefined,
    parent,
    cwd: pathOf(asString(tree.uri)),
    branch: optionalString(asString(repository.ref).replace(/^refs\/heads\//, '')),
    remote: optionalString(repository.url),
    version: optionalString(asObject(initial.platform).clientVersion),
    model: tagged?.slice('model:'.length),
    started: asIsoTime(thread.created) ?? undefined,
    ...(title ? { title, titleRank: 3 } : {}),
  }
}

/** `file:///srv/app`, on Windows `file:///c%3A/app`; possibly of another machine. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file://')) return optionalString(uri)
  try {
    return decodeURIComponent(uri.slice('file://'.length)).replace(/^\/(?=[A-Za-z]:)/, '')
  } catch {
    return undefined
  }
}

function readMessage(message: JsonObject, key: string, reading: AmpState): void {
  const usage = asObject(message.usage)
  reading.now = asIsoTime(asObject(message.meta).sentAt) ?? asIsoTime(usage.timestamp) ?? reading.now
  const base = { id: '', key, ts: reading.now }
  const blocks = asArray(message.content).map(asObject)
  switch (message.role) {
    case 'user':
      return readUser(message, blocks, base, reading)
    case 'assistant':
      return readAssistant(message, blocks, base, reading)
    case 'info':
      for (const [index, block] of blocks.entries()) readInfo(block, { ...base, key: `${key}#${index}` }, reading)
      return
    default:
      reading.out.unknownType(`role ${asString(message.role)}`)
  }
}

function readUser(message: JsonObject, blocks: JsonObject[], base: EventBase, reading: AmpState): void {
  const { session, isChild } = reading
  const said: string[] = []
  blocks.forEach((block, index) => {
    const type = asString(block.type)
    if (type === 'text') said.push(asString(block.text).trim())
    else if (type === 'image') said.push(imageOf(block))
    else if (type === 'tool_result') readResult(block, { ...base, key: `${base.key}#${index}` }, reading)
    else reading.out.unknownType(`block ${type || 'without type'}`)
  })
  const text = typeof message.content === 'string' ? message.content : said.filter(Boolean).join('\n')
  if (text) session.event({ ...base, kind: isChild ? 'context' : 'prompt', role: 'user', text })
}

function imageOf(block: JsonObject): string {
  const source = asObject(block.source)
  const mediaType = optionalString(source.mediaType) ?? optionalString(source.media_type)
  return imagePlaceholder(mediaType, asString(source.data))
}

function readAssistant(message: JsonObject, blocks: JsonObject[], base: EventBase, reading: AmpState): void {
  const { session } = reading
  const model = optionalString(asObject(message.usage).model)
  if (model) session.about({ model })
  const usage = usageOf(asObject(message.usage), base, model ?? null)
  if (usage) session.usage(usage)
  for (const [index, block] of blocks.entries())
    readBlock(block, { ...base, key: `${base.key}#${index}`, model }, reading)
  const state = asObject(message.state)
  if (state.type === 'cancelled')
    session.event({ ...base, key: `${base.key}/end`, kind: 'interrupt', role: 'user', text: '' })
  if (state.type === 'error') {
    const text = asString(asObject(state.error).message)
    session.event({ ...base, key: `${base.key}/end`, kind: 'error', role: 'system', text })
  }
}

function readBlock(block: JsonObject, base: EventBase & { model?: string }, reading: AmpState): void {
  const { session, calls } = reading
  const own = { ...base, role: 'assistant' as const }
  const type = asString(block.type)
  switch (type) {
    case 'text':
      if (asString(block.text).trim()) session.event({ ...own, kind: 'reply', text: asString(block.text) })
      return
    case 'thinking':
      if (asString(block.thinking).trim()) session.event({ ...own, kind: 'thinking', text: asString(block.thinking) })
      return
    case 'redacted_thinking':
      return
    case 'tool_use':
    case 'server_tool_use': {
      const call = optionalString(block.id)
      const tool = optionalString(block.name) ?? 'unknown'
      reading.changes.open(call, changesOf(tool, asObject(block.input)))
      return session.event(calls.open({ ...own, kind: 'tool_call', text: '', tool, call, input: block.input ?? {} }))
    }
    default:
      reading.out.unknownType(`block ${type || 'without type'}`)
  }
}

/** Older threads name no model; without one there is no price. */
function usageOf(usage: JsonObject, base: EventBase, model: string | null): Usage | undefined {
  const input = asCount(usage.inputTokens)
  const output = asCount(usage.outputTokens)
  const cacheRead = asCount(usage.cacheReadInputTokens)
  const cacheWrite = asCount(usage.cacheCreationInputTokens)
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  return { key: base.key, ts: base.ts, model, input, cacheRead, cacheWrite, cacheWrite1h: 0, output, reasoning: 0 }
}

function changesOf(tool: string, input: JsonObject): FileChange[] {
  if (tool === 'apply_patch') return patchChanges(asString(input.patchText) || asString(input.patch), undefined)
  const path = optionalString(input.path)
  if (!path) return []
  if (tool === 'create_file') return [{ path, change: 'add', added: lineCount(asString(input.content)), removed: 0 }]
  if (tool !== 'edit_file') return []
  const added = lineCount(asString(input.new_str))
  return [{ path, change: 'update', added, removed: lineCount(asString(input.old_str)) }]
}

function readResult(block: JsonObject, base: EventBase, reading: AmpState): void {
  const { session, calls, changes } = reading
  const call = optionalString(block.toolUseID) ?? optionalString(block.tool_use_id)
  const run = asObject(block.run)
  if (unfinished.has(asString(run.status))) return
  const result = asObject(run.result)
  const exit = typeof result.exitCode === 'number' ? result.exitCode : undefined
  const error = errorOf(asString(run.status)) ?? (exit ? 'failed' : undefined)
  const text = asString(asObject(run.error).message) || asString(run.error) || resultText(run.result)
  session.event(calls.close({ ...base, kind: 'tool_result', role: 'tool', text, call, error, exit }))
  const planned = changes.close(call)
  if (error || planned.length === 0) return
  const diff = asString(result.diff)
  const files = diff && planned.length === 1 ? [{ ...planned[0]!, ...diffCounts(diff) }] : planned
  session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
}

const unfinished = new Set(['in-progress', 'queued', 'blocked-on-user'])

function errorOf(status: string): ToolError | undefined {
  if (status === 'error') return 'failed'
  if (status === 'rejected-by-user') return 'denied'
  return status === 'cancelled' ? 'interrupted' : undefined
}

/** Each tool has a result of its own shape. */
function resultText(result: Json | undefined): string {
  if (typeof result === 'string') return result
  if (Array.isArray(result)) return result.map(resultText).filter(Boolean).join('\n')
  const { content, output, diff, text, type } = asObject(result)
  if (type === 'image') return imageOf(asObject(result))
  const said = [content, output, text, diff].find((part) => part !== undefined && part !== null)
  if (said !== undefined && said !== null) return typeof said === 'string' ? said : resultText(said)
  return result === undefined || result === null ? '' : JSON.stringify(result)
}

/** Commands that the user ran with `$`, and summaries; from documentation only. */
function readInfo(block: JsonObject, base: EventBase, { session, out }: AmpState): void {
  const type = asString(block.type)
  if (type === 'manual_bash_invocation') {
    const result = asObject(asObject(block.toolRun).result)
    const exit = typeof result.exitCode === 'number' ? result.exitCode : undefined
    const text = asString(asObject(block.args).cmd)
    session.event({ ...base, kind: 'shell', role: 'user', text, exit, error: exit ? 'failed' : undefined })
    const output = asString(result.output)
    if (output) session.event({ ...base, key: `${base.key}/output`, kind: 'context', role: 'tool', text: output })
  } else if (type === 'summary') {
    const summary = asObject(block.summary)
    const text = asString(block.summary) || asString(summary.summary) || asString(summary.text)
    session.event({ ...base, kind: 'compaction', role: 'system', text })
  } else if (type === 'text') session.event({ ...base, kind: 'context', role: 'system', text: asString(block.text) })
  else out.unknownType(`info ${type || 'without type'}`)
}
