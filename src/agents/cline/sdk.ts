// Cline's SDK layout (CLI and editors since 2026): a folder per session, one file of messages per agent in it.
import { basename, join } from 'node:path'
import type { Event, FileChange, Json, Usage } from '../../core/session.ts'
import type { DocumentTranscript, Out, SessionOut } from '../agent.ts'
import { type CallBook, callBook } from '../calls.ts'
import { type ChangeBook, changeBook, lineCount, patchChanges } from '../changes.ts'
import { jsonFile } from '../files.ts'
import { entries } from '../folders.ts'
import { count, type Fields, fields, fingerprint, list, money, named, text, time } from '../values.ts'
import { blocksOf, contentText } from './api-history.ts'

const suffix = '.messages.json'

export function* sdkTranscripts(folder: string): Iterable<DocumentTranscript> {
  const lead = basename(folder)
  for (const entry of entries(folder)) {
    if (!entry.isFile() || !entry.name.endsWith(suffix)) continue
    const path = join(folder, entry.name)
    const manifest = join(folder, `${lead}.json`)
    const compaction = path.replace(/\.messages\.json$/, '.compaction.json')
    yield {
      shape: 'document',
      path,
      also: [manifest, compaction],
      read(out) {
        readSession({ lead, agent: entry.name.slice(0, -suffix.length), path, manifest, compaction }, out)
        return undefined
      },
    }
  }
}

interface SessionFiles {
  lead: string
  agent: string
  path: string
  manifest: string
  compaction: string
}

interface Reading {
  session: SessionOut
  native: string
  out: Out
  calls: CallBook
  /** Changes that become true with the result of their call. */
  edits: ChangeBook
  isChild: boolean
}

function readSession(files: SessionFiles, out: Out): void {
  const content = jsonFile(files.path, out)
  const messages = list(Array.isArray(content) ? content : fields(content).messages).map(fields)
  if (messages.length === 0) return
  const manifest = fields(jsonFile(files.manifest, out))
  const isChild = files.agent !== files.lead
  const native = isChild ? `${files.lead}__${files.agent}` : files.lead
  const session = out.session(native)
  session.about({
    ...aboutOf(manifest),
    ...(isChild ? { kind: 'subagent', parent: files.lead, title: undefined } : {}),
  })
  const reading: Reading = { session, native, out, calls: callBook(undefined), edits: changeBook(undefined), isChild }
  const compaction = fields(jsonFile(files.compaction, out))
  const compactedAt = compaction.messages === undefined ? -1 : count(compaction.source_message_count)
  messages.forEach((message, index) => {
    if (index === compactedAt) readCompaction(compaction, reading)
    readMessage(message, index, reading)
  })
  if (compactedAt >= messages.length) readCompaction(compaction, reading)
}

function aboutOf(manifest: Fields): Parameters<SessionOut['about']>[0] {
  const metadata = fields(manifest.metadata)
  const fork = named(fields(metadata.fork).forkedFromSessionId)
  const title = named(metadata.title)
  // Until a person or a model names the session, its title is the beginning of the prompt.
  const isOwn =
    title !== undefined && !oneLine(text(manifest.prompt)).startsWith(oneLine(title).replace(/(?:…|\.\.\.)$/, ''))
  return {
    kind: fork ? 'fork' : undefined,
    parent: fork,
    cwd: named(manifest.cwd) ?? named(manifest.workspace_root),
    model: named(manifest.model),
    version: named(fields(metadata.sessionHistoryOrigin).version),
    started: time(manifest.started_at) ?? undefined,
    ended: time(manifest.ended_at) ?? undefined,
    ...(isOwn ? { title, titleRank: 3 } : {}),
  }
}

function oneLine(said: string): string {
  return said.replace(/\s+/g, ' ').trim()
}

function readMessage(message: Fields, index: number, reading: Reading): void {
  const { session } = reading
  const id = text(message.id)
  const key = id || fingerprint(reading.native, index, text(message.role), contentText(message.content))
  const base = { id, ts: time(message.ts) }
  const blocks = blocksOf(message.content)
  const isSummary = message.compactionSummary === true || fields(message.metadata).kind === 'compaction_summary'
  if (isSummary) {
    const summary = contentText(message.content)
    return session.event({ ...base, key, kind: 'compaction', role: 'system', text: summary })
  }
  switch (message.role) {
    case 'assistant':
      if (fields(message.metadata).displayOnly === true) return readError(message, { ...base, key }, reading)
      return readAssistant(message, blocks, { ...base, key }, reading)
    case 'user':
      return readUser(message, blocks, { ...base, key }, reading)
    case 'error':
      return readError(message, { ...base, key }, reading)
    default:
      reading.out.unknown(text(message.role) || 'message without role')
  }
}

function readError(message: Fields, base: Base, { session }: Reading): void {
  session.event({ ...base, kind: 'error', role: 'system', text: contentText(message.content) })
}

type Base = Pick<Event, 'id' | 'key' | 'ts'>

function readAssistant(message: Fields, blocks: Fields[], base: Base, reading: Reading): void {
  const { session, calls } = reading
  const model = named(fields(message.modelInfo).id)
  if (model) session.about({ model })
  const usage = usageOf(fields(message.metrics), base, model)
  if (usage) session.usage(usage)
  blocks.forEach((block, index) => {
    const own = { ...base, key: `${base.key}#${index}`, role: 'assistant' as const, ...(model ? { model } : {}) }
    if (block.type === 'text' && text(block.text).trim())
      session.event({ ...own, kind: 'reply', text: text(block.text) })
    if (block.type === 'thinking' && text(block.thinking).trim())
      session.event({ ...own, kind: 'thinking', text: text(block.thinking) })
    if (block.type !== 'tool_use') return
    const call = named(block.id)
    const event: Event = {
      ...own,
      kind: 'tool_call',
      text: '',
      tool: named(block.name) ?? 'tool',
      call,
      input: block.input ?? {},
    }
    calls.opened({ ...event, input: { command: commandsOf(block.input) } })
    reading.edits.opened(call, changedFiles(text(block.name), block.input))
    session.event(event)
  })
}

/** The shell tool takes several commands, each as text or as program and arguments. */
function commandsOf(input: Json | undefined): string {
  if (typeof input === 'string') return input
  if (Array.isArray(input)) return input.map(commandsOf).join('\n')
  const { command, cmd, commands, args } = fields(input)
  if (commands !== undefined) return commandsOf(commands)
  return [text(command) || text(cmd), ...list(args).map(text)].join(' ')
}

function usageOf(metrics: Fields, base: Base, model: string | undefined): Usage | undefined {
  const cacheRead = count(metrics.cacheReadTokens)
  const cacheWrite = count(metrics.cacheWriteTokens)
  const sent = count(metrics.inputTokens)
  const output = count(metrics.outputTokens)
  const costUsd = money(metrics.cost)
  if (sent + output + cacheRead + cacheWrite + (costUsd ?? 0) === 0) return undefined
  return {
    key: base.key,
    ts: base.ts,
    model: model ?? null,
    input: sent >= cacheRead + cacheWrite ? sent - cacheRead - cacheWrite : sent, // the SDK counts the whole prompt
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
    output,
    reasoning: count(metrics.reasoningTokens),
    costUsd,
  }
}

function readUser(message: Fields, blocks: Fields[], base: Base, reading: Reading): void {
  const { session, calls, edits, isChild } = reading
  blocks.forEach((block, index) => {
    if (block.type !== 'tool_result') return
    const call = named(block.tool_use_id)
    const key = `${base.key}#${index}`
    const said = resultText(block.content)
    const error =
      block.is_error === true ? (/\b(?:denied|rejected)\b/.test(said.slice(0, 200)) ? 'denied' : 'failed') : undefined
    session.event(calls.closed({ ...base, key, kind: 'tool_result', role: 'tool', text: said, call, error }))
    const files = edits.closed(call)
    if (files.length > 0 && !error)
      session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
  })
  const said = typed(contentText(blocks.filter((block) => block.type !== 'tool_result') as Json))
  if (!said.text) return
  const isMachine = isChild || fields(message.metadata).userRunSpan === 0
  session.event({ ...base, kind: isMachine ? 'context' : said.kind, role: 'user', text: said.text })
}

/** Newer versions keep a result as JSON: one entry per command or file. */
function resultText(content: Json | undefined): string {
  return (
    contentText(content) || (content === undefined || content === null || content === '' ? '' : JSON.stringify(content))
  )
}

/** What a person typed, out of the wrapping that the runtime puts around it. */
function typed(said: string): { kind: 'prompt' | 'command'; text: string } {
  const plain = said.replace(/<(mode_notice|environment_notice)>[\s\S]*?<\/\1>/g, '').trim()
  const slash = /^<user_command\b[^>]*\bslash="([^"]+)"[^>]*>([\s\S]*?)<\/user_command>$/.exec(plain)
  if (slash) return { kind: 'command', text: `/${slash[1]} ${slash[2]!.trim()}`.trim() }
  return { kind: 'prompt', text: plain.replace(/^<user_input\b[^>]*>([\s\S]*?)<\/user_input>/, '$1').trim() }
}

function changedFiles(tool: string, asked: Json | undefined): FileChange[] {
  const input = fields(asked)
  if (tool === 'apply_patch') return patchChanges(text(asked) || text(input.input), undefined)
  const path = named(input.path)
  if (tool !== 'editor' || !path) return []
  const isNew = !named(input.old_text) && typeof input.insert_line !== 'number'
  const added = lineCount(text(input.new_text))
  return [{ path, change: isNew ? 'add' : 'update', added, removed: lineCount(text(input.old_text)) }]
}

function readCompaction(compaction: Fields, { session, native }: Reading): void {
  const summary = list(compaction.messages)
    .map(fields)
    .find((message) => message.compactionSummary === true || fields(message.metadata).kind === 'compaction_summary')
  const ts = time(compaction.updated_at)
  const said =
    (summary && contentText(summary.content)) || `${count(compaction.source_message_count)} messages compacted`
  session.event({ id: '', key: `${native}/compaction/${ts}`, kind: 'compaction', role: 'system', ts, text: said })
}
