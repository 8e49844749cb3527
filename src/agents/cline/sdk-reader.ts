// Reads sessions of Cline's SDK (CLI and editors since 2026): a folder per session with one file of
// messages per agent.
import { basename, join } from 'node:path'
import type { Event, FileChange, Json, Usage } from '../../core/session.ts'
import type { DocumentTranscript, EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { lineCount, type PendingChanges, patchChanges, pendingChanges } from '../file-changes.ts'
import { listEntries, readJsonFile } from '../files.ts'
import {
  asArray,
  asCount,
  asIsoTime,
  asObject,
  asString,
  asUsd,
  fingerprint,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { blocksOf, contentText } from './api-history.ts'

const suffix = '.messages.json'

export function* sdkTranscripts(folder: string): Iterable<DocumentTranscript> {
  const lead = basename(folder)
  for (const entry of listEntries(folder)) {
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

interface SdkState {
  session: SessionOutput
  native: string
  out: ReaderOutput
  calls: PendingCalls
  /** Changes that take effect with the result of their call. */
  edits: PendingChanges
  isChild: boolean
}

function readSession(files: SessionFiles, out: ReaderOutput): void {
  const content = readJsonFile(files.path, out)
  const messages = asArray(Array.isArray(content) ? content : asObject(content).messages).map(asObject)
  if (messages.length === 0) return
  const manifest = asObject(readJsonFile(files.manifest, out))
  const isChild = files.agent !== files.lead
  const native = isChild ? `${files.lead}__${files.agent}` : files.lead
  const session = out.session(native)
  session.about({
    ...aboutOf(manifest),
    ...(isChild ? { kind: 'subagent', parent: files.lead, title: undefined } : {}),
  })
  const reading: SdkState = {
    session,
    native,
    out,
    calls: pendingCalls(undefined),
    edits: pendingChanges(undefined),
    isChild,
  }
  const compaction = asObject(readJsonFile(files.compaction, out))
  const compactedAt = compaction.messages === undefined ? -1 : asCount(compaction.source_message_count)
  messages.forEach((message, index) => {
    if (index === compactedAt) readCompaction(compaction, reading)
    readMessage(message, index, reading)
  })
  if (compactedAt >= messages.length) readCompaction(compaction, reading)
}

function aboutOf(manifest: JsonObject): Parameters<SessionOutput['about']>[0] {
  const metadata = asObject(manifest.metadata)
  const fork = optionalString(asObject(metadata.fork).forkedFromSessionId)
  const title = optionalString(metadata.title)
  // Until the session is named, its title is the beginning of the prompt.
  const isOwn =
    title !== undefined && !oneLine(asString(manifest.prompt)).startsWith(oneLine(title).replace(/(?:…|\.\.\.)$/, ''))
  return {
    kind: fork ? 'fork' : undefined,
    parent: fork,
    cwd: optionalString(manifest.cwd) ?? optionalString(manifest.workspace_root),
    model: optionalString(manifest.model),
    version: optionalString(asObject(metadata.sessionHistoryOrigin).version),
    started: asIsoTime(manifest.started_at) ?? undefined,
    ended: asIsoTime(manifest.ended_at) ?? undefined,
    ...(isOwn ? { title, titleRank: 3 } : {}),
  }
}

function oneLine(said: string): string {
  return said.replace(/\s+/g, ' ').trim()
}

function readMessage(message: JsonObject, index: number, reading: SdkState): void {
  const { session } = reading
  const id = asString(message.id)
  const key = id || fingerprint(reading.native, index, asString(message.role), contentText(message.content))
  const base = { id, ts: asIsoTime(message.ts) }
  const blocks = blocksOf(message.content)
  const isSummary = message.compactionSummary === true || asObject(message.metadata).kind === 'compaction_summary'
  if (isSummary) {
    const summary = contentText(message.content)
    return session.event({ ...base, key, kind: 'compaction', role: 'system', text: summary })
  }
  switch (message.role) {
    case 'assistant':
      if (asObject(message.metadata).displayOnly === true) return readError(message, { ...base, key }, reading)
      return readAssistant(message, blocks, { ...base, key }, reading)
    case 'user':
      return readUser(message, blocks, { ...base, key }, reading)
    case 'error':
      return readError(message, { ...base, key }, reading)
    default:
      reading.out.unknownType(asString(message.role) || 'message without role')
  }
}

function readError(message: JsonObject, base: EventBase, { session }: SdkState): void {
  session.event({ ...base, kind: 'error', role: 'system', text: contentText(message.content) })
}

function readAssistant(message: JsonObject, blocks: JsonObject[], base: EventBase, reading: SdkState): void {
  const { session, calls } = reading
  const model = optionalString(asObject(message.modelInfo).id)
  if (model) session.about({ model })
  const usage = usageOf(asObject(message.metrics), base, model)
  if (usage) session.usage(usage)
  blocks.forEach((block, index) => {
    const own = { ...base, key: `${base.key}#${index}`, role: 'assistant' as const, ...(model ? { model } : {}) }
    if (block.type === 'text' && asString(block.text).trim())
      session.event({ ...own, kind: 'reply', text: asString(block.text) })
    if (block.type === 'thinking' && asString(block.thinking).trim())
      session.event({ ...own, kind: 'thinking', text: asString(block.thinking) })
    if (block.type !== 'tool_use') return
    const call = optionalString(block.id)
    const event: Event = {
      ...own,
      kind: 'tool_call',
      text: '',
      tool: optionalString(block.name) ?? 'tool',
      call,
      input: block.input ?? {},
    }
    calls.open({ ...event, input: { command: commandsOf(block.input) } })
    reading.edits.open(call, changedFiles(asString(block.name), block.input))
    session.event(event)
  })
}

/** The shell tool takes several commands, each as text or as program and arguments. */
function commandsOf(input: Json | undefined): string {
  if (typeof input === 'string') return input
  if (Array.isArray(input)) return input.map(commandsOf).join('\n')
  const { command, cmd, commands, args } = asObject(input)
  if (commands !== undefined) return commandsOf(commands)
  return [asString(command) || asString(cmd), ...asArray(args).map(asString)].join(' ')
}

function usageOf(metrics: JsonObject, base: EventBase, model: string | undefined): Usage | undefined {
  const cacheRead = asCount(metrics.cacheReadTokens)
  const cacheWrite = asCount(metrics.cacheWriteTokens)
  const sent = asCount(metrics.inputTokens)
  const output = asCount(metrics.outputTokens)
  const costUsd = asUsd(metrics.cost)
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
    reasoning: asCount(metrics.reasoningTokens),
    costUsd,
  }
}

function readUser(message: JsonObject, blocks: JsonObject[], base: EventBase, reading: SdkState): void {
  const { session, calls, edits, isChild } = reading
  blocks.forEach((block, index) => {
    if (block.type !== 'tool_result') return
    const call = optionalString(block.tool_use_id)
    const key = `${base.key}#${index}`
    const said = resultText(block.content)
    const error =
      block.is_error === true ? (/\b(?:denied|rejected)\b/.test(said.slice(0, 200)) ? 'denied' : 'failed') : undefined
    session.event(calls.close({ ...base, key, kind: 'tool_result', role: 'tool', text: said, call, error }))
    const files = edits.close(call)
    if (files.length > 0 && !error)
      session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
  })
  const said = typedText(contentText(blocks.filter((block) => block.type !== 'tool_result') as Json))
  if (!said.text) return
  const isMachine = isChild || asObject(message.metadata).userRunSpan === 0
  session.event({ ...base, kind: isMachine ? 'context' : said.kind, role: 'user', text: said.text })
}

/** Newer versions store a result as JSON with one entry per command or file. */
function resultText(content: Json | undefined): string {
  return (
    contentText(content) || (content === undefined || content === null || content === '' ? '' : JSON.stringify(content))
  )
}

/** The typed text without the tags that the runtime puts around it. */
function typedText(said: string): { kind: 'prompt' | 'command'; text: string } {
  const plain = said.replace(/<(mode_notice|environment_notice)>[\s\S]*?<\/\1>/g, '').trim()
  const slash = /^<user_command\b[^>]*\bslash="([^"]+)"[^>]*>([\s\S]*?)<\/user_command>$/.exec(plain)
  if (slash) return { kind: 'command', text: `/${slash[1]} ${slash[2]!.trim()}`.trim() }
  return { kind: 'prompt', text: plain.replace(/^<user_input\b[^>]*>([\s\S]*?)<\/user_input>/, '$1').trim() }
}

function changedFiles(tool: string, asked: Json | undefined): FileChange[] {
  const input = asObject(asked)
  if (tool === 'apply_patch') return patchChanges(asString(asked) || asString(input.input), undefined)
  const path = optionalString(input.path)
  if (tool !== 'editor' || !path) return []
  const isNew = !optionalString(input.old_text) && typeof input.insert_line !== 'number'
  const added = lineCount(asString(input.new_text))
  return [{ path, change: isNew ? 'add' : 'update', added, removed: lineCount(asString(input.old_text)) }]
}

function readCompaction(compaction: JsonObject, { session, native }: SdkState): void {
  const summary = asArray(compaction.messages)
    .map(asObject)
    .find((message) => message.compactionSummary === true || asObject(message.metadata).kind === 'compaction_summary')
  const ts = asIsoTime(compaction.updated_at)
  const said =
    (summary && contentText(summary.content)) || `${asCount(compaction.source_message_count)} messages compacted`
  session.event({ id: '', key: `${native}/compaction/${ts}`, kind: 'compaction', role: 'system', ts, text: said })
}
