// Reads the messages of a session, from the database or an old file: text, tool calls, results and
// the files that they changed.
import type { Event, FileChange, Json } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { absolutePath, lineCount } from '../file-changes.ts'
import {
  asArray,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
} from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'

export interface GooseMessage {
  /** '' if the message has none; a streamed answer may have several rows with one id. */
  id: string
  role: string
  ts: string | null
  content: JsonObject[]
  metadata: JsonObject
}

interface Conversation {
  id: string
  out: ReaderOutput
  session: SessionOutput
  cwd: string | undefined
  /** Whether text with the user's role was typed. */
  isHuman: boolean
}

export function readConversation(messages: GooseMessage[], conversation: Conversation): void {
  const { session } = conversation
  const read = blockReader(conversation)
  const nextKey = keyCounter(conversation.id)
  let lastPrompt: string | undefined
  let isAfterCompaction = false
  messages.forEach((message, index) => {
    if (isHidden(message)) {
      lastPrompt = undefined
      return // a new copy follows
    }
    const said = message.role === 'user' ? textOf(message) : ''
    if (said) {
      const base = { id: message.id, key: nextKey(message), ts: message.ts, role: 'user' as const, text: said }
      if (isSummary(message, messages[index + 1])) {
        session.event({ ...base, kind: 'compaction', role: 'system' })
        isAfterCompaction = true
      } else {
        // After a summary the current request is sent to the model again.
        const isRepeated = isAfterCompaction && said === lastPrompt
        const kind = isRepeated || !conversation.isHuman || isMachine(message) ? 'context' : promptKind(said)
        if (kind === 'prompt') lastPrompt = said
        session.event({ ...base, kind })
        isAfterCompaction = false
      }
    }
    for (const block of message.content) read(block, message, () => nextKey(message))
  })
}

/** Visible neither to the user nor to the model: kept as history. */
function isHidden({ metadata }: GooseMessage): boolean {
  return metadata.userVisible === false && metadata.agentVisible === false
}

/** Visible to the model only, or text beside a tool result. */
function isMachine({ metadata, content }: GooseMessage): boolean {
  return metadata.userVisible === false || content.some((block) => block.type === 'toolResponse')
}

/**
 * A compaction writes a summary with the user's role, followed by an answer that explains it to the
 * model.
 */
function isSummary(message: GooseMessage, next: GooseMessage | undefined): boolean {
  return isMachine(message) && next !== undefined && next.role === 'assistant' && isMachine(next) && !isHidden(next)
}

function promptKind(said: string): 'prompt' | 'command' {
  return /^\/[a-z][\w-]*(?:\s|$)/i.test(said) ? 'command' : 'prompt'
}

function textOf({ content }: GooseMessage): string {
  return content
    .map((block) => {
      if (block.type === 'text') return asString(block.text).trim()
      return block.type === 'image' ? imagePlaceholder(optionalString(block.mimeType), asString(block.data)) : ''
    })
    .filter((part) => part !== '')
    .join('\n')
}

/** Keys are numbered across all rows with one message id; without an id the content is hashed. */
function keyCounter(session: string): (message: GooseMessage) => string {
  const used = new Map<string, number>()
  return ({ id, role, ts, content }) => {
    const key = id || fingerprint(session, ts, role, JSON.stringify(content))
    const index = used.get(key) ?? 0
    used.set(key, index + 1)
    return `${key}#${index}`
  }
}

type BlockReader = (block: JsonObject, message: GooseMessage, nextKey: () => string) => void

function blockReader({ out, session, cwd }: Conversation): BlockReader {
  const calls = pendingCalls(undefined)
  const made = new Map<string, { tool: string; input: Json }>()
  return (block, message, nextKey) => {
    const base = { id: message.id, ts: message.ts, model: modelOf(message) }
    const type = asString(block.type)
    switch (type) {
      case 'text':
        if (message.role === 'assistant' && asString(block.text).trim()) {
          const isForModel = isMachine(message)
          const event: Event = { ...base, key: nextKey(), kind: 'reply', role: 'assistant', text: asString(block.text) }
          session.event(isForModel ? { ...event, kind: 'context', role: 'system' } : event)
        }
        return
      case 'thinking':
      case 'reasoning':
        if (asString(block.thinking) || asString(block.text)) {
          const said = asString(block.thinking) || asString(block.text)
          session.event({ ...base, key: nextKey(), kind: 'thinking', role: 'assistant', text: said })
        }
        return
      case 'toolRequest':
      case 'frontendToolRequest': {
        const value = asObject(asObject(block.toolCall).value)
        const call = { tool: optionalString(value.name) ?? 'unknown', input: value.arguments ?? {} }
        if (optionalString(block.id)) made.set(asString(block.id), call)
        const event = { ...base, key: nextKey(), text: '', call: optionalString(block.id), ...call }
        return session.event(calls.open({ ...event, kind: 'tool_call', role: 'assistant' }))
      }
      case 'toolResponse': {
        const call = optionalString(block.id)
        const result = resultOf(asObject(block.toolResult))
        const done: Omit<Event, 'kind' | 'text'> = { ...base, model: undefined, key: nextKey(), role: 'tool', call }
        session.event(calls.close({ ...done, kind: 'tool_result', ...result }))
        if (result.error === 'interrupted')
          session.event({ ...done, key: nextKey(), kind: 'interrupt', role: 'user', text: '' })
        const request = call ? made.get(call) : undefined
        const files = request && !result.error ? changedFiles(request, result.text, cwd) : []
        if (files.length > 0) session.event({ ...done, key: nextKey(), kind: 'edit', text: '', files })
        return
      }
      case 'systemNotification': {
        if (block.notificationType === 'thinkingMessage' || !asString(block.msg)) return
        const kind = block.notificationType === 'creditsExhausted' ? 'error' : 'lifecycle'
        return session.event({ ...base, key: nextKey(), kind, role: 'system', text: asString(block.msg) })
      }
      case 'error': {
        const said = optionalString(block.message) ?? optionalString(block.error) ?? asString(block.msg)
        return session.event({ ...base, key: nextKey(), kind: 'error', role: 'system', text: said })
      }
      default:
        if (!ignoredBlocks.has(type)) out.unknownType(`block ${type || 'without type'}`)
    }
  }
}

/**
 * Images are part of the text of their message; the answer to a question follows from later events.
 */
const ignoredBlocks = new Set([
  'image',
  'redactedThinking',
  'toolConfirmationRequest',
  'actionRequired',
  'toolInputDelta',
])

function modelOf({ metadata }: GooseMessage): string | undefined {
  return optionalString(asObject(metadata.inference).requestedModel)
}

function resultOf(result: JsonObject): Pick<Event, 'text' | 'error' | 'exit'> {
  if (result.status === 'error') {
    const said = optionalString(result.error) ?? asString(asObject(result.error).message)
    return { text: said, error: /Interrupted by the user/.test(said) ? 'interrupted' : 'failed' }
  }
  const value = asObject(result.value)
  const said = contentText(asArray(Array.isArray(result.value) ? result.value : value.content))
  const code = asObject(value.structuredContent).exit_code
  const exit = typeof code === 'number' ? code : undefined
  if (said.startsWith('The user has declined to run this tool')) return { text: said, error: 'denied' }
  if (said.startsWith('Interrupted by the user to make a correction')) return { text: said, error: 'interrupted' }
  const isFailure = value.isError === true || (exit !== undefined && exit !== 0)
  return { text: said, error: isFailure ? 'failed' : undefined, exit }
}

/** Many tools answer the user and the model separately: the model's text counts. */
function contentText(content: Json[]): string {
  return content
    .map(asObject)
    .filter((block) => {
      const audience = asArray(asObject(block.annotations).audience ?? block.audience)
      return audience.length === 0 || audience.includes('assistant')
    })
    .map((block) => {
      if (block.type === 'image') return imagePlaceholder(optionalString(block.mimeType), asString(block.data))
      return asString(block.text) || asString(asObject(block.resource).text)
    })
    .filter((part) => part !== '')
    .join('\n')
}

/** The change of a successful call, according to its arguments. */
function changedFiles(
  { tool, input }: { tool: string; input: Json },
  result: string,
  cwd: string | undefined,
): FileChange[] {
  const given = asObject(input)
  const path = optionalString(given.path) ?? optionalString(given.file_path)
  const action = actions.get(tool.split('__').at(-1)!) ?? ''
  const command = action === 'text_editor' ? asString(given.command) : action
  if (!path) return []
  const place = absolutePath(path, cwd)
  if (command === 'write' || command === 'create') {
    const content = asString(given.file_text) || asString(given.content)
    const change = command === 'create' || /^\s*created\b/i.test(result) ? 'add' : 'update'
    return [{ path: place, change, added: lineCount(content) }]
  }
  if (command !== 'edit' && command !== 'str_replace' && command !== 'insert') return []
  const removed = lineCount(asString(given.old_str) || asString(given.before))
  return [
    { path: place, change: 'update', added: lineCount(asString(given.new_str) || asString(given.after)), removed },
  ]
}

const actions = new Map([
  ['text_editor', 'text_editor'],
  ['write', 'write'],
  ['edit', 'edit'],
])
