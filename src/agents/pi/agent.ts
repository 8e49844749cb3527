// Pi, session versions 1 to 3 (seen to March 2026): one JSONL file per session, a tree from version 2 on.
import { basename, join } from 'node:path'
import type { Event, FileChange, Json, ToolError, Usage } from '../../core/session.ts'
import type { Agent, LogReader, LogTranscript, Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { type ChangeBook, changeBook, diffCounts, lineCount } from '../changes.ts'
import { filesBelow } from '../folders.ts'
import { count, type Fields, fields, fingerprint, imagePlaceholder, list, money, named, text, time } from '../values.ts'
import { type Branches, branches } from './branches.ts'

export const pi: Agent = {
  id: 'pi',
  name: 'Pi',
  roots({ home, env }) {
    const agentFolder = env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent')
    const sessions = join(agentFolder, 'sessions')
    return env.PI_CODING_AGENT_SESSION_DIR ? [env.PI_CODING_AGENT_SESSION_DIR, sessions] : [sessions]
  },
  *find(root) {
    for (const path of filesBelow(root, /\.jsonl$/, 1)) yield transcript(path)
  },
}

function transcript(path: string): LogTranscript {
  return { shape: 'log', path, open: (out, state) => openPi(path, out, state) }
}

interface Reading {
  out: Out
  session: string
  calls: CallBook
  branches: Branches
  /** Files that open calls are to change. */
  changes: ChangeBook
}

export function openPi(path: string, out: Out, state: Json | undefined): LogReader {
  const saved = fields(state)
  const reading: Reading = {
    out,
    session: text(saved.session) || sessionOfPath(path),
    calls: callBook(saved.calls),
    branches: branches(saved.branches),
    changes: changeBook(saved.changes),
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

function readEntry(entry: Fields, reading: Reading): void {
  if (entry.type === 'session') return readHeader(entry, reading)
  const session = reading.out.session(reading.session)
  const events = eventsOf(entry, session, reading)
  const leftBehind = reading.branches.follow({
    id: text(entry.id),
    parent: text(entry.parentId),
    isPrompt: events.some((event) => event.kind === 'prompt'),
  })
  if (leftBehind > 0) session.event(rewind(entry, leftBehind))
  for (const event of events) session.event(event)
}

function readHeader(header: Fields, reading: Reading): void {
  reading.session = named(header.id) ?? reading.session
  const parent = named(header.parentSession) ?? named(header.branchedFrom)
  reading.out.session(reading.session).about({
    kind: parent ? 'fork' : undefined,
    parent: parent && sessionOfPath(parent),
    cwd: named(header.cwd),
    model: named(header.modelId),
    started: time(header.timestamp) ?? undefined,
  })
}

function eventsOf(entry: Fields, session: SessionOut, reading: Reading): Event[] {
  const type = text(entry.type)
  const base = { id: text(entry.id), key: keyOf(entry), ts: time(entry.timestamp) }
  switch (type) {
    case 'message':
      return messageEvents(fields(entry.message), base, session, reading)
    case 'model_change': {
      const model = named(entry.modelId)
      session.about({ model })
      return model ? [{ ...base, kind: 'lifecycle', role: 'system', text: `Model ${model}`, model }] : []
    }
    case 'compaction':
      return [{ ...base, kind: 'compaction', role: 'system', text: text(entry.summary) }]
    case 'branch_summary':
      return [{ ...base, kind: 'context', role: 'system', text: text(entry.summary) }]
    case 'custom_message':
      return [{ ...base, kind: 'context', role: 'user', text: contentText(entry.content) }]
    case 'session_info':
      session.about({ title: named(entry.name), titleRank: 4 })
      return []
    case 'thinking_level_change':
    case 'custom': // state of extensions
    case 'label':
      return []
    default:
      reading.out.unknown(type)
      return []
  }
}

/**
 * Ids came with version 2, made up when an old file is first opened and rewritten, and a copy in a forked session keeps
 * them with its times. So the time and the content say which entry this is, in every version and every copy.
 */
function keyOf(entry: Fields): string {
  const message = fields(entry.message)
  const role = message.role === 'hookMessage' ? 'custom' : text(message.role)
  const written = typeof message.timestamp === 'number' ? message.timestamp : text(entry.timestamp)
  const content = entry.type === 'message' ? (message.content ?? message.command) : (entry.summary ?? entry.content)
  return fingerprint(
    text(entry.type),
    role,
    written,
    text(message.toolCallId),
    JSON.stringify(content ?? entry.modelId),
  )
}

type Base = Pick<Event, 'id' | 'key' | 'ts'>

function messageEvents(message: Fields, base: Base, session: SessionOut, reading: Reading): Event[] {
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
      return [{ ...base, kind: 'context', role: 'system', text: text(message.summary) }]
    case 'compactionSummary':
      return [{ ...base, kind: 'compaction', role: 'system', text: text(message.summary) }]
    default:
      reading.out.unknown(`message/${text(message.role)}`)
      return []
  }
}

function userEvents(said: string, base: Base): Event[] {
  const skill = /^<skill name="([^"]*)"[\s\S]*?\n<\/skill>\s*([\s\S]*)$/.exec(said)
  if (skill) return [{ ...base, kind: 'command', role: 'user', text: `/skill:${skill[1]} ${skill[2]}`.trim() }]
  const prompt = foldFiles(said).trim()
  return prompt ? [{ ...base, kind: 'prompt', role: 'user', text: prompt }] : []
}

/** Files named on the command line stand before the prompt with all they contain. */
function foldFiles(said: string): string {
  return said.replace(/^(?:<file name="[^"]*">[\s\S]*?<\/file>\s*)+/, (files) =>
    files.replace(/<file name="([^"]*)">[\s\S]*?<\/file>\s*/g, '@$1\n'),
  )
}

function assistantEvents(message: Fields, base: Base, session: SessionOut, reading: Reading): Event[] {
  const model = named(message.model)
  session.about({ model })
  const usage = usageOf(message, base, model)
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0) session.usage(usage)
  const events = list(message.content).flatMap((block, index) =>
    blockEvents(fields(block), { ...base, key: `${base.key}#${index}`, model }, reading),
  )
  const end = { ...base, key: `${base.key}/end`, text: text(message.errorMessage) }
  if (message.stopReason === 'error') events.push({ ...end, kind: 'error', role: 'system' })
  if (message.stopReason === 'aborted') events.push({ ...end, kind: 'interrupt', role: 'user' })
  return events
}

function blockEvents(block: Fields, base: Base & { model?: string }, reading: Reading): Event[] {
  if (block.type === 'text' && text(block.text).trim())
    return [{ ...base, kind: 'reply', role: 'assistant', text: text(block.text) }]
  if (block.type === 'thinking' && text(block.thinking).trim())
    return [{ ...base, kind: 'thinking', role: 'assistant', text: text(block.thinking) }]
  if (block.type !== 'toolCall' || !named(block.name)) return []
  const call = named(block.id)
  const input = block.arguments ?? {}
  reading.changes.opened(call, changesOf(text(block.name), fields(input)))
  return [
    reading.calls.opened({
      ...base,
      kind: 'tool_call',
      role: 'assistant',
      text: '',
      tool: text(block.name),
      call,
      input,
    }),
  ]
}

function changesOf(tool: string, input: Fields): FileChange[] {
  const path = named(input.path) ?? named(input.file_path)
  if (!path || (tool !== 'edit' && tool !== 'write')) return []
  const added = lineCount(text(input.content ?? input.newText))
  return [{ path, change: 'update', added, removed: lineCount(text(input.oldText)) }]
}

function usageOf(message: Fields, base: Base, model: string | undefined): Usage {
  const usage = fields(message.usage)
  return {
    key: base.key,
    ts: base.ts,
    model: model ?? null,
    input: count(usage.input),
    cacheRead: count(usage.cacheRead),
    cacheWrite: count(usage.cacheWrite),
    cacheWrite1h: 0,
    output: count(usage.output),
    reasoning: count(usage.reasoning),
    costUsd: money(fields(usage.cost).total) || undefined, // zero where Pi knows no price
  }
}

function resultEvents(message: Fields, base: Base, reading: Reading): Event[] {
  const call = named(message.toolCallId)
  const said = contentText(message.content)
  const exit = /Command exited with code (\d+)\s*$/.exec(said)?.[1]
  const error = message.isError === true ? errorKind(said) : undefined
  const events = [
    reading.calls.closed({
      ...base,
      kind: 'tool_result',
      role: 'tool',
      text: said,
      tool: named(message.toolName),
      call,
      error,
      exit: exit === undefined ? undefined : Number(exit),
    }),
  ]
  const files = counted(reading.changes.closed(call), text(fields(message.details).diff))
  if (files.length > 0 && !error)
    events.push({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
  return events
}

function errorKind(said: string): ToolError {
  if (/(?:^|\n)(?:Command|Operation) aborted\s*$/.test(said)) return 'interrupted'
  if (/^Skipped due to queued user message/.test(said)) return 'cancelled'
  return /^Tool execution (?:was )?(?:blocked|denied)/.test(said) ? 'denied' : 'failed'
}

/** The diff of an edit numbers its lines: `+ 12 text`, `- 12 text`. A write has none, nor has an edit of old versions. */
function counted(files: FileChange[], diff: string): FileChange[] {
  return diff ? files.map((file) => ({ ...file, ...diffCounts(diff) })) : files
}

function shellEvents(message: Fields, base: Base): Event[] {
  const exit = typeof message.exitCode === 'number' ? message.exitCode : undefined
  const error = message.cancelled === true ? 'cancelled' : exit ? 'failed' : undefined
  const output = text(message.output)
  return [
    { ...base, kind: 'shell', role: 'user', text: text(message.command), exit, error },
    ...(output ? [{ ...base, key: `${base.key}/output`, kind: 'context', role: 'tool', text: output } as const] : []),
  ]
}

function rewind(entry: Fields, undoes: number): Event {
  return {
    id: text(entry.id),
    key: `${keyOf(entry)}/rewind`,
    kind: 'lifecycle',
    role: 'user',
    ts: time(entry.timestamp),
    text: 'Went back to an earlier point of the session',
    undoes,
  }
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) => {
      const block = fields(part)
      return block.type === 'image' ? imagePlaceholder(named(block.mimeType), text(block.data)) : text(block.text)
    })
    .filter((part) => part !== '')
    .join('\n')
}
