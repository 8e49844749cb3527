// Turns the entries of a Pi session into events. A session is a tree from version 2 on: going back
// appends an entry whose parent is not the latest one, and the entries in between are abandoned.
import { basename } from 'node:path'
import type { Event, FileChange, Json, ToolError, Usage } from '../../core/session.ts'
import type { EventBase, LogReader, ReaderOutput, SessionOutput } from '../agent.ts'
import { diffCounts, lineCount, type PendingChanges, patchChanges, pendingChanges } from '../file-changes.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

interface PiState {
  out: ReaderOutput
  session: string
  calls: PendingCalls
  branches: Branches
  /** Files that open calls will change. */
  changes: PendingChanges
}

export function openPi(path: string, out: ReaderOutput, state: Json | undefined): LogReader {
  const saved = asObject(state)
  const reading: PiState = {
    out,
    session: asString(saved.session) || sessionOfPath(path),
    calls: pendingCalls(saved.calls),
    branches: trackBranches(saved.branches),
    changes: pendingChanges(saved.changes),
  }
  return {
    record: (record) => readEntry(record, reading),
    state: () => ({
      session: reading.session,
      calls: reading.calls.state(),
      branches: reading.branches.state(),
      changes: reading.changes.state(),
    }),
  }
}

/** `<time>_<session>.jsonl` */
function sessionOfPath(path: string): string {
  return basename(path, '.jsonl').replace(/^[^_]*_/, '')
}

function readEntry(entry: JsonObject, reading: PiState): void {
  if (entry.type === 'session') return readHeader(entry, reading)
  const session = reading.out.session(reading.session)
  const events = eventsOf(entry, session, reading)
  const leftBehind = reading.branches.follow({
    id: asString(entry.id),
    parent: asString(entry.parentId),
    isPrompt: events.some((event) => event.kind === 'prompt'),
  })
  if (leftBehind > 0) session.event(rewind(entry, leftBehind))
  for (const event of events) session.event(event)
}

function readHeader(header: JsonObject, reading: PiState): void {
  reading.session = optionalString(header.id) ?? reading.session
  const parent = optionalString(header.parentSession) ?? optionalString(header.branchedFrom)
  reading.out.session(reading.session).about({
    kind: parent ? 'fork' : undefined,
    parent: parent && sessionOfPath(parent),
    cwd: optionalString(header.cwd),
    model: optionalString(header.modelId),
    started: asIsoTime(header.timestamp) ?? undefined,
  })
}

function eventsOf(entry: JsonObject, session: SessionOutput, reading: PiState): Event[] {
  const type = asString(entry.type)
  const base = { id: asString(entry.id), key: keyOf(entry), ts: asIsoTime(entry.timestamp) }
  switch (type) {
    case 'message':
      return messageEvents(asObject(entry.message), base, session, reading)
    case 'model_change': {
      const model = optionalString(entry.modelId)
      session.about({ model })
      return model ? [{ ...base, kind: 'lifecycle', role: 'system', text: `Model ${model}`, model }] : []
    }
    case 'compaction':
      return [{ ...base, kind: 'compaction', role: 'system', text: asString(entry.summary) }]
    case 'branch_summary':
      return [{ ...base, kind: 'context', role: 'system', text: asString(entry.summary) }]
    case 'custom_message':
      return [{ ...base, kind: 'context', role: 'user', text: contentText(entry.content) }]
    case 'session_info':
      session.about({ title: optionalString(entry.name), titleRank: 4 })
      return []
    case 'thinking_level_change':
    case 'custom': // state of extensions
    case 'label':
      return []
    default:
      reading.out.unknownType(type)
      return []
  }
}

/**
 * Ids were added in version 2, when an old file is opened and rewritten, and copies in forked
 * sessions keep ids and times. So the key is made of time and content, which are the same in every
 * version and copy.
 */
function keyOf(entry: JsonObject): string {
  const message = asObject(entry.message)
  const role = message.role === 'hookMessage' ? 'custom' : asString(message.role)
  const written = typeof message.timestamp === 'number' ? message.timestamp : asString(entry.timestamp)
  const content = entry.type === 'message' ? (message.content ?? message.command) : (entry.summary ?? entry.content)
  return fingerprint(
    asString(entry.type),
    role,
    written,
    asString(message.toolCallId),
    JSON.stringify(content ?? entry.modelId),
  )
}

function messageEvents(message: JsonObject, base: EventBase, session: SessionOutput, reading: PiState): Event[] {
  switch (message.role) {
    case 'user':
      return userEvents(contentText(message.content), base)
    case 'assistant':
      return assistantEvents(message, base, session, reading)
    case 'toolResult':
      return resultEvents(message, base, reading)
    case 'bashExecution':
      return shellEvents(message, base)
    case 'custom':
    case 'hookMessage':
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

function assistantEvents(message: JsonObject, base: EventBase, session: SessionOutput, reading: PiState): Event[] {
  const model = optionalString(message.model)
  session.about({ model })
  const usage = usageOf(message, base, model)
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0) session.usage(usage)
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
  if (!path || !/^(?:edit|write)(?:_file)?$/.test(tool)) return []
  const added = lineCount(asString(input.content ?? input.newText))
  return [{ path, change: 'update', added, removed: lineCount(asString(input.oldText)) }]
}

function usageOf(message: JsonObject, base: EventBase, model: string | undefined): Usage {
  const usage = asObject(message.usage)
  return {
    key: base.key,
    ts: base.ts,
    model: model ?? null,
    input: asCount(usage.input),
    cacheRead: asCount(usage.cacheRead),
    cacheWrite: asCount(usage.cacheWrite),
    cacheWrite1h: 0,
    output: asCount(usage.output),
    reasoning: asCount(usage.reasoning),
    costUsd: asUsd(asObject(usage.cost).total) || undefined, // zero means that Pi has no price
  }
}

function resultEvents(message: JsonObject, base: EventBase, reading: PiState): Event[] {
  const call = optionalString(message.toolCallId)
  const said = contentText(message.content)
  const exit = exitCode(message, said)
  const error = message.isError === true ? errorKind(said) : exit.isRecorded && exit.code ? 'failed' : undefined
  const events = [
    reading.calls.close({
      ...base,
      kind: 'tool_result',
      role: 'tool',
      text: said,
      tool: optionalString(message.toolName),
      call,
      error,
      exit: exit.code,
    }),
  ]
  const files = withLineCounts(reading.changes.close(call), asString(asObject(message.details).diff))
  if (files.length > 0 && !error)
    events.push({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
  return events
}

/** OpenClaw records the code and reports no error; Pi reports an error and prints the code. */
function exitCode(message: JsonObject, said: string): { code?: number; isRecorded: boolean } {
  const recorded = asObject(message.details).exitCode
  if (typeof recorded === 'number') return { code: recorded, isRecorded: true }
  const printed = /Command exited with code (\d+)\)?\s*$/.exec(said)?.[1]
  return { code: printed === undefined ? undefined : Number(printed), isRecorded: false }
}

function errorKind(said: string): ToolError {
  if (/(?:^|\n)(?:Command|Operation) aborted\s*$/.test(said)) return 'interrupted'
  if (/^Skipped due to queued user message/.test(said)) return 'cancelled'
  return /^Tool execution (?:was )?(?:blocked|denied)/.test(said) ? 'denied' : 'failed'
}

/**
 * The diff of an edit has numbered lines: `+ 12 text`, `- 12 text`. Writes, and edits of old
 * versions, have none.
 */
function withLineCounts(files: FileChange[], diff: string): FileChange[] {
  return diff ? files.map((file) => ({ ...file, ...diffCounts(diff) })) : files
}

function shellEvents(message: JsonObject, base: EventBase): Event[] {
  const exit = typeof message.exitCode === 'number' ? message.exitCode : undefined
  const error = message.cancelled === true ? 'cancelled' : exit ? 'failed' : undefined
  const output = asString(message.output)
  return [
    { ...base, kind: 'shell', role: 'user', text: asString(message.command), exit, error },
    ...(output ? [{ ...base, key: `${base.key}/output`, kind: 'context', role: 'tool', text: output } as const] : []),
  ]
}

function rewind(entry: JsonObject, undoes: number): Event {
  return {
    id: asString(entry.id),
    key: `${keyOf(entry)}/rewind`,
    kind: 'lifecycle',
    role: 'user',
    ts: asIsoTime(entry.timestamp),
    text: 'Went back to an earlier point of the session',
    undoes,
  }
}

function contentText(content: Json | undefined): string {
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

interface Branches {
  /** Adds the next entry of the file; returns the number of prompts that it abandons. */
  follow(entry: { id: string; parent: string; isPrompt: boolean }): number
  state(): Json
}

/** Rewinds go back a few turns, not thousands of entries. */
const maxEntries = 1000
const root = -1

export function trackBranches(state: Json | undefined): Branches {
  const saved = asObject(state)
  /** For every prompt the previous one on its branch. */
  const previous: number[] = asArray(saved.previous).map((at) => (typeof at === 'number' ? at : root))
  /** For every entry the last prompt before it on its branch. */
  const promptOf = new Map<string, number>(
    asArray(saved.entries).map((entry) => [asString(asArray(entry)[0]), asCount(asArray(entry)[1]) - 1]),
  )
  let latest = asString(saved.latest)
  let current = asCount(saved.current) - 1

  function ancestors(prompt: number): number[] {
    const path: number[] = []
    for (let at = prompt; at > root && path.length <= previous.length; at = previous[at] ?? root) path.push(at)
    return path
  }

  return {
    follow({ id, parent, isPrompt }) {
      if (!id) return 0 // version 1 has no tree
      let leftBehind = 0
      const target = parent ? promptOf.get(parent) : root
      if (parent !== latest && target !== undefined) {
        const kept = new Set(ancestors(target))
        leftBehind = ancestors(current).filter((prompt) => !kept.has(prompt)).length
        current = target
      }
      if (isPrompt) current = previous.push(current) - 1
      promptOf.set(id, current)
      if (promptOf.size > maxEntries) promptOf.delete(promptOf.keys().next().value!)
      latest = id
      return leftBehind
    },
    // Prompts are numbered from one in the saved state; zero is the root.
    state: () => ({
      previous,
      entries: [...promptOf].map(([id, prompt]) => [id, prompt + 1]),
      latest,
      current: current + 1,
    }),
  }
}
