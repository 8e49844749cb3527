// Claude Code, 1.0 to 2.1.325: one JSONL file per session, subagents in files of their own.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Event, FileChange, Json, ToolError, Usage } from '../core/session.ts'
import type { Agent, LogReader, LogTranscript, Out, SessionOut } from './agent.ts'
import { type CallBook, callBook } from './calls.ts'
import { entries, subfolders } from './folders.ts'
import { count, type Fields, fields, imagePlaceholder, list, named, parseJson, text, time } from './values.ts'

export const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  roots({ home, env, platform }) {
    const configured = env.CLAUDE_CONFIG_DIR
    const desktop =
      platform === 'darwin'
        ? join(home, 'Library', 'Application Support', 'Claude')
        : platform === 'win32'
          ? join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Claude')
          : join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'Claude')
    return [
      ...(configured
        ? configured.split(',').map((path) => path.trim())
        : [join(home, '.claude'), join(home, '.config', 'claude')]),
      join(desktop, 'claude-code-sessions'),
      join(desktop, 'local-agent-mode-sessions'),
    ]
  },
  *find(root) {
    for (const project of subfolders(join(root, 'projects'))) yield* findInProject(project)
    // Desktop sessions keep a whole .claude of their own some folders down: <account>/<organisation>/<session>/.claude
    if (/-sessions$/.test(root)) for (const config of findConfigFolders(root, 5)) yield* claudeCode.find(config)
  },
}

function* findInProject(folder: string): Iterable<LogTranscript> {
  for (const entry of entries(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile() && entry.name.endsWith('.jsonl')) yield transcript(path)
    if (entry.isDirectory()) yield* findSubagents(join(path, 'subagents'))
  }
}

function* findSubagents(folder: string): Iterable<LogTranscript> {
  for (const entry of entries(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile() && /^agent-.*\.jsonl$/.test(entry.name)) yield transcript(path)
    if (entry.isDirectory()) yield* findSubagents(path)
  }
}

function* findConfigFolders(folder: string, depth: number): Iterable<string> {
  for (const child of subfolders(folder)) {
    if (basename(child) === '.claude') yield child
    else if (depth > 0) yield* findConfigFolders(child, depth - 1)
  }
}

/** To 2.1.8x a third of all records were progress notes that repeat what the results say. */
const progress = Buffer.from('"type":"progress","data":{"type":"')

function transcript(path: string): LogTranscript {
  return {
    shape: 'log',
    path,
    isNoise: (line) => line.subarray(0, 1500).includes(progress),
    open: (out, state) => openClaude(path, out, state),
  }
}

interface Reading {
  out: Out
  path: string
  /** Native id of the session that this file belongs to; known from the path, or from the first record of a subagent. */
  file: { session: string; isSubagent: boolean }
  calls: CallBook
  /** Sidechain records without an agent id, by uuid: which sidechain they belong to. */
  sidechains: Map<string, string>
}

function openClaude(path: string, out: Out, state: Json | undefined): LogReader {
  const saved = fields(state)
  const reading: Reading = {
    out,
    path,
    file: { session: text(saved.session) || sessionOfPath(path), isSubagent: /^agent-/.test(basename(path)) },
    calls: callBook(saved.calls),
    sidechains: new Map(Object.entries(fields(saved.sidechains)).map(([uuid, root]) => [uuid, text(root)])),
  }
  return {
    record(record) {
      if (!reading.file.session) reading.file.session = subagentSession(record, path)
      readRecord(record, reading)
    },
    state: () => ({
      session: reading.file.session,
      calls: reading.calls.state(),
      sidechains: Object.fromEntries([...reading.sidechains].slice(-500)),
    }),
  }
}

/** The file name is the session; a subagent of the older layout lies beside its session and names it only inside. */
function sessionOfPath(path: string): string {
  const name = basename(path, '.jsonl')
  if (!name.startsWith('agent-')) return name
  const parts = path.split(sep)
  const at = parts.lastIndexOf('subagents')
  return at > 0 ? `${parts[at - 1]}/${name.slice('agent-'.length)}` : ''
}

function subagentSession(record: Fields, path: string): string {
  const agent = named(record.agentId) ?? basename(path, '.jsonl').slice('agent-'.length)
  return `${named(record.sessionId) ?? 'unknown'}/${agent}`
}

function readRecord(record: Fields, reading: Reading): void {
  const type = text(record.type)
  switch (type) {
    case 'user':
      return readUser(record, place(record, reading), reading)
    case 'assistant':
      return readAssistant(record, place(record, reading), reading)
    case 'system':
      return readSystem(record, place(record, reading))
    case 'attachment':
      return readAttachment(record, place(record, reading))
    case 'summary':
      return title(reading, text(record.summary), 1)
    case 'agent-name':
      return title(reading, text(record.agentName), 2)
    case 'ai-title':
      return title(reading, text(record.aiTitle), 3)
    case 'custom-title':
      return title(reading, text(record.customTitle), 4)
    case 'pr-link':
      return readPullRequest(record, reading)
    case 'relocated':
      return reading.out.session(reading.file.session).about({ cwd: named(record.relocatedCwd) })
    default:
      if (!passedOver.has(type)) reading.out.unknown(type || 'record without type')
  }
}

/** State and machinery that say nothing which the chain records do not say. */
const passedOver = new Set(
  `progress last-prompt mode permission-mode file-history-snapshot file-history-delta queue-operation agent-color
   agent-setting tag worktree-state continued-in content-replacement cost-state bridge-session frame-link atis-latch
   ended-by-model fork-context-ref api-request api-request-shape api-request-blob tools-used started result
   marble-origami-commit marble-origami-snapshot speculation-accept`.split(/\s+/),
)

/** A summary may stand in the file of another session than its own, so the weakest title. */
function title(reading: Reading, value: string, titleRank: number): void {
  if (value) reading.out.session(reading.file.session).about({ title: value, titleRank })
}

interface Place {
  session: SessionOut
  isSubagent: boolean
}

/** The session that a chain record belongs to, told what the record's envelope says about it. */
function place(record: Fields, reading: Reading): Place {
  const { file, out } = reading
  const sidechain = file.isSubagent ? '' : sidechainOf(record, reading)
  const session = out.session(sidechain ? `${file.session}/${sidechain}` : file.session)
  const isSubagent = file.isSubagent || sidechain !== ''
  session.about({
    kind: isSubagent ? 'subagent' : undefined,
    parent: isSubagent ? file.session.split('/')[0] : undefined,
    cwd: named(record.cwd),
    branch: record.gitBranch === 'HEAD' ? undefined : named(record.gitBranch),
    version: named(record.version),
    ...(file.isSubagent ? subagentTitle(reading) : {}),
  })
  return { session, isSubagent }
}

/** Old versions wrote subagents inline: a sidechain starts without a parent and goes on by parentUuid. */
function sidechainOf(record: Fields, { sidechains }: Reading): string {
  if (record.isSidechain !== true) return ''
  if (named(record.agentId)) return text(record.agentId)
  const uuid = text(record.uuid)
  const root = sidechains.get(text(record.parentUuid)) ?? uuid
  sidechains.set(uuid, root)
  if (sidechains.size > 2000) sidechains.delete(sidechains.keys().next().value!)
  return root
}

function subagentTitle(reading: Reading): { title?: string; titleRank?: number } {
  if (reading.sidechains.has('meta')) return {}
  reading.sidechains.set('meta', 'read')
  try {
    const meta = fields(parseJson(readFileSync(reading.path.replace(/\.jsonl$/, '.meta.json'), 'utf8')))
    const description = [named(meta.agentType), named(meta.description)].filter(Boolean).join(': ')
    return description ? { title: description, titleRank: 3 } : {}
  } catch {
    return {} // older layouts have no such file
  }
}

function readAssistant(record: Fields, { session }: Place, { calls }: Reading): void {
  const message = fields(record.message)
  const model = named(message.model)
  const isSynthetic = model === '<synthetic>'
  const base = { id: text(record.uuid), ts: time(record.timestamp), model: isSynthetic ? undefined : model }
  if (model && !isSynthetic) {
    session.about({ model })
    session.usage(usageOf(record, message, model))
  }
  const replaces = list(record.supersedesUuids).map(text)
  blocks(message.content).forEach((block, index) => {
    const event = assistantEvent(block, { ...base, key: `${base.id}#${index}` })
    if (!event) return
    if (replaces.length > 0) event.replaces = replaces
    if (event.kind === 'reply' && (record.isApiErrorMessage === true || named(record.error))) event.kind = 'error'
    session.event(event.kind === 'tool_call' ? calls.opened(event) : event)
  })
}

function assistantEvent(block: Fields, base: Pick<Event, 'id' | 'key' | 'ts' | 'model'>): Event | undefined {
  switch (block.type) {
    case 'text':
      return text(block.text).trim() ? { ...base, kind: 'reply', role: 'assistant', text: text(block.text) } : undefined
    case 'thinking':
      return text(block.thinking)
        ? { ...base, kind: 'thinking', role: 'assistant', text: text(block.thinking) }
        : undefined
    case 'tool_use':
    case 'server_tool_use':
      return {
        ...base,
        kind: 'tool_call',
        role: 'assistant',
        text: '',
        tool: text(block.name),
        call: named(block.id),
        input: block.input ?? {},
      }
    case 'web_search_tool_result':
      return {
        ...base,
        kind: 'tool_result',
        role: 'tool',
        text: contentText(block.content),
        call: named(block.tool_use_id),
      }
    default:
      return undefined
  }
}

/** From here on every piece of a streamed answer carries its final usage; before, output was often counted too early. */
const soundUsage = [2, 1, 77]

function usageOf(record: Fields, message: Fields, model: string): Usage {
  const usage = fields(message.usage)
  const creation = fields(usage.cache_creation)
  const hour = count(creation.ephemeral_1h_input_tokens)
  const written = count(usage.cache_creation_input_tokens)
  return {
    key: named(message.id) ? `${text(message.id)}/${text(record.requestId)}` : text(record.uuid),
    ts: time(record.timestamp),
    model,
    input: count(usage.input_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite: Math.max(0, written - hour),
    cacheWrite1h: Math.min(hour, written || hour),
    output: count(usage.output_tokens),
    reasoning: count(fields(usage.output_tokens_details).thinking_tokens),
    isLowerBound: message.stop_reason == null && isOlder(text(record.version), soundUsage) ? true : undefined,
  }
}

function isOlder(version: string, than: number[]): boolean {
  const parts = version.split('.').map(Number)
  if (parts.length < 3) return true
  const at = than.findIndex((part, index) => parts[index] !== part)
  return at >= 0 && (parts[at] ?? 0) < than[at]!
}

function readUser(record: Fields, { session, isSubagent }: Place, reading: Reading): void {
  const base = { id: text(record.uuid), ts: time(record.timestamp) }
  const content = blocks(fields(record.message).content)
  const results = content.filter((block) => block.type === 'tool_result')
  results.forEach((block, index) => {
    const call = named(block.tool_use_id)
    const key = `${base.id}#${index}`
    const result = toolResult(block, record, reading.path)
    session.event(reading.calls.closed({ ...base, ...result, key, role: 'tool', kind: 'tool_result', call }))
    const files = result.error ? [] : changedFiles(fields(record.toolUseResult))
    if (files.length > 0)
      session.event({ ...base, key: `${key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
  })
  if (results.length > 0) return
  const said = stripIdeContext(contentText(fields(record.message).content))
  if (!said) return
  const kind = isSubagent ? 'context' : userKind(record, said)
  const event: Event = {
    ...base,
    key: `${base.id}#0`,
    kind,
    role: 'user',
    text: kind === 'command' ? commandText(said) : said,
  }
  if (kind === 'shell') event.text = tagged(said, 'bash-input')
  session.event(event)
}

/** Machine text begins with one of these; the same words further inside are a person's. */
const machineText =
  /^\s*(?:<(?:local-command-caveat|local-command-stdout|local-command-stderr|bash-stdout|bash-stderr|task-notification|system-reminder|ci-monitor-event|fork-boilerplate|user-memory-input)\b|Caveat: The messages below)/

function userKind(record: Fields, said: string): Event['kind'] {
  const origin = named(fields(record.origin).kind)
  if (
    record.isCompactSummary === true ||
    said.startsWith('This session is being continued from a previous conversation')
  )
    return 'compaction'
  if (record.isMeta === true || record.isSidechain === true || named(record.sourceToolUseID)) return 'context'
  if ((origin && origin !== 'human') || record.promptSource === 'system') return 'context'
  if (/^\s*<command-(?:name|message)>/.test(said)) return 'command'
  if (/^\s*<bash-input>/.test(said)) return 'shell'
  if (said.startsWith('[Request interrupted by user')) return 'interrupt'
  return machineText.test(said) ? 'context' : 'prompt'
}

function commandText(said: string): string {
  return `${tagged(said, 'command-name')} ${tagged(said, 'command-args')}`.trim()
}

function tagged(said: string, tag: string): string {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(said)?.[1]?.trim() ?? ''
}

/** Editors put what is open or selected before the prompt that follows. */
function stripIdeContext(said: string): string {
  return said.replace(/^(?:\s*<(ide_opened_file|ide_selection|ide_diagnostics)>[\s\S]*?<\/\1>)+\s*/, '')
}

function toolResult(block: Fields, record: Fields, path: string): Pick<Event, 'text' | 'error' | 'exit'> {
  const said = persisted(contentText(block.content), path)
  if (block.is_error !== true) {
    return { text: said, error: fields(record.toolUseResult).interrupted === true ? 'interrupted' : undefined }
  }
  const exit = /^(?:Error: )?Exit code (\d+)/.exec(said)?.[1]
  return { text: said, error: errorKind(record, said), exit: exit === undefined ? undefined : Number(exit) }
}

function errorKind(record: Fields, said: string): ToolError {
  if (
    named(record.toolDenialKind) ||
    /^(?:The user doesn't want to (?:proceed|take this action)|User rejected tool use|Permission to use .* has been denied)/.test(
      said,
    )
  )
    return 'denied'
  if (/^(?:<tool_use_error>)?Sibling tool call errored|^Cancelled:/.test(said)) return 'cancelled'
  return /^\[Request interrupted by user|^Interrupted by user/.test(said) ? 'interrupted' : 'failed'
}

/** Long output lies in a file; it is read only from this session's own folder, whatever the text says. */
function persisted(said: string, path: string): string {
  const file = /^<persisted-output>[\s\S]*?Full output saved to: (\S+)/.exec(said)?.[1]
  if (!file) return said
  try {
    const session = sessionOfPath(path).split('/')[0]!
    const project = path.slice(0, path.lastIndexOf(`${sep}${session}`))
    const folder = realpathSync(join(project, session, 'tool-results'))
    const real = realpathSync(join(folder, basename(file)))
    return dirname(real) === folder && statSync(real).size < 5_000_000 ? readFileSync(real, 'utf8') : said
  } catch {
    return said // the file is gone: what the transcript kept is what there is
  }
}

function changedFiles(result: Fields): FileChange[] {
  const path = named(result.filePath) ?? named(result.notebook_path)
  const isEdit =
    Array.isArray(result.structuredPatch) ||
    named(result.newString) !== undefined ||
    named(result.new_source) !== undefined
  if (!path || !isEdit) return []
  let added = 0
  let removed = 0
  for (const hunk of list(result.structuredPatch)) {
    for (const line of list(fields(hunk).lines)) {
      if (text(line).startsWith('+')) added++
      if (text(line).startsWith('-')) removed++
    }
  }
  const isNew = result.type === 'create'
  if (isNew && added === 0) added = text(result.content).split('\n').length
  return [{ path, change: isNew ? 'add' : 'update', added, removed }]
}

function readSystem(record: Fields, { session }: Place): void {
  const base = {
    id: text(record.uuid),
    key: `${text(record.uuid)}#0`,
    ts: time(record.timestamp),
    role: 'system' as const,
  }
  const said = text(record.content)
  switch (record.subtype) {
    case 'compact_boundary':
    case 'microcompact_boundary': {
      const { trigger, preTokens } = fields(record.compactMetadata ?? record.microcompactMetadata)
      return session.event({
        ...base,
        kind: 'compaction',
        text: `${said} (${text(trigger) || 'auto'}, ${count(preTokens)} tokens before)`,
      })
    }
    case 'api_error': {
      const error = fields(record.error)
      return session.event({
        ...base,
        kind: 'error',
        text: named(error.message) ?? named(error.formatted) ?? (said || JSON.stringify(record.error ?? '')),
      })
    }
    case 'local_command':
      return session.event(
        /<command-name>/.test(said)
          ? { ...base, role: 'user', kind: 'command', text: commandText(said) }
          : { ...base, kind: 'context', text: said },
      )
    case 'api_refusal':
    case 'model_refusal_fallback':
      return session.event({ ...base, kind: 'error', text: said })
    default: // durations, hook summaries, status lines: nothing that happened in the conversation
  }
}

/** Of the context given to the model, what a person typed or what a hook or file brought in; reminders are noise. */
function readAttachment(record: Fields, { session, isSubagent }: Place): void {
  const attachment = fields(record.attachment)
  const type = text(attachment.type)
  const base = { id: text(record.uuid), key: `${text(record.uuid)}#0`, ts: time(record.timestamp) }
  if (type === 'queued_command') {
    const said = stripIdeContext(contentText(attachment.prompt))
    const origin = named(fields(attachment.origin).kind)
    const isHuman = origin ? origin === 'human' : attachment.commandMode === 'prompt' && !machineText.test(said)
    if (said) session.event({ ...base, kind: isHuman && !isSubagent ? 'prompt' : 'context', role: 'user', text: said })
  } else if (type === 'edited_text_file') {
    session.event({
      ...base,
      kind: 'context',
      role: 'system',
      text: `File changed outside: ${text(attachment.filename)}`,
    })
  } else if (type.startsWith('hook_') && type !== 'hook_success') {
    const said = contentText(attachment.content) || text(attachment.blockingError) || text(attachment.stderr)
    if (said) session.event({ ...base, kind: /error/.test(type) ? 'error' : 'context', role: 'system', text: said })
  }
}

function readPullRequest(record: Fields, reading: Reading): void {
  const url = named(record.prUrl)
  if (!url) return
  const key = `${reading.file.session}/${url}` // the same link is written again and again
  reading.out
    .session(reading.file.session)
    .event({ id: '', key, kind: 'lifecycle', role: 'system', ts: time(record.timestamp), text: `Pull request ${url}` })
}

function blocks(content: Json | undefined): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return list(content).map((block) => (typeof block === 'string' ? { type: 'text', text: block } : fields(block)))
}

function contentText(content: Json | undefined): string {
  return blocks(content)
    .map((block) => {
      if (block.type === 'text') return text(block.text)
      if (block.type === 'image' || block.type === 'document') {
        const source = fields(block.source)
        return imagePlaceholder(named(source.media_type), text(source.data))
      }
      if (block.type === 'tool_reference') return `[tool ${text(block.tool_name)}]`
      return typeof block.title === 'string' && typeof block.url === 'string' ? `${block.title} ${block.url}` : ''
    })
    .filter((part) => part !== '')
    .join('\n')
}
