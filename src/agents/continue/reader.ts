// Reads a session of Continue: items with a message, and beside it the states of its tool calls.
// Items have no ids and no times. Seen in sessions of the command line (1.5.47 and one of 2025);
// the items of editors are known from the source of June 2026.
import { basename } from 'node:path'
import type { Event, Json, SessionDetails } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import {
  asArray,
  asObject,
  asString,
  fingerprint,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseDataUrl,
} from '../json-values.ts'
import { pathOfUri } from '../user-folders.ts'
import { type CallReader, callReader } from './calls.ts'
import { sessionUsage } from './usage.ts'

export function readSession(path: string, started: string | undefined, out: ReaderOutput): void {
  const document = asObject(readJsonFile(path, out))
  const items = asArray(document.history).map(asObject)
  if (items.length === 0) return
  const id = optionalString(document.sessionId) ?? basename(path, '.json')
  const place = continuationOf(id, items)
  const cwd = folderOf(document)
  const model = modelOf(document, items)
  const session = out.session(place.native)
  session.about({ ...place.about, ...titleOf(document), cwd, model, started })
  const calls = callReader({ session, cwd, model })
  // After a summary in the middle of a turn, `cn` itself says this.
  const nudge = place.about.parent ? items.findIndex((item) => asObject(item.message).role === 'user') : -1
  items.forEach((item, index) => {
    const isHuman = index !== nudge || asObject(item.message).content !== 'continue'
    readItem(item, { key: `${place.native}/${index}`, out, session, model, calls, isHuman })
  })
  for (const usage of sessionUsage(id, document, items))
    session.usage({ ...usage, model: usage.model ?? model ?? null, ts: started ?? null })
}

/**
 * `cn` drops everything before a summary from the file. What was captured of it stays in its session:
 * the rest becomes another one.
 */
function continuationOf(id: string, items: JsonObject[]): { native: string; about: SessionDetails } {
  const first = items.find((item) => asObject(item.message).role !== 'system')
  const summary = optionalString(first?.conversationSummary)
  if (!summary || !isSummary(first!)) return { native: id, about: {} }
  return { native: `${id}/${fingerprint(summary).slice(0, 8)}`, about: { kind: 'fork', parent: id } }
}

/** The item is the summary itself; in an editor, an item of the conversation has it beside its text. */
function isSummary(item: JsonObject): boolean {
  return asObject(item.message).content === item.conversationSummary
}

/** A path in sessions of the command line, a URI in those of editors. */
function folderOf(document: JsonObject): string | undefined {
  const folder = optionalString(document.workspaceDirectory)
  return folder?.includes('://') ? pathOfUri(folder) : folder
}

function titleOf(document: JsonObject): Pick<SessionDetails, 'title' | 'titleRank'> {
  const title = optionalString(document.title)
  return !title || /^(?:Untitled Session|New Session|Chat)$/.test(title) ? {} : { title, titleRank: 3 }
}

function modelOf(document: JsonObject, items: JsonObject[]): string | undefined {
  const used = items.map((item) => optionalString(asObject(asObject(item.message).usage).model))
  const logged = items.map((item) => optionalString(asObject(asArray(item.promptLogs).at(-1)).modelTitle))
  return used.findLast(Boolean) ?? optionalString(document.chatModelTitle) ?? logged.findLast(Boolean)
}

interface ItemContext {
  key: string
  out: ReaderOutput
  session: SessionOutput
  model: string | undefined
  calls: CallReader
  /** Whether text with the user's role was typed. */
  isHuman: boolean
}

function readItem(item: JsonObject, { key, out, session, model, calls, isHuman }: ItemContext): void {
  const message = asObject(item.message)
  const said = textOf(message.content)
  const base = { id: '', key, ts: null }
  const emit = (event: Omit<Event, 'id' | 'key' | 'ts'>, part = '') =>
    session.event({ ...base, key: `${key}${part}`, ...event })
  const role = asString(message.role)
  switch (role) {
    case 'user':
      if (isHuman) readUser(item, said, emit)
      else emit({ kind: 'context', role: 'user', text: said })
      break
    case 'assistant':
    case 'thinking': {
      const thought = role === 'thinking' ? said : asString(asObject(item.reasoning).text)
      if (thought.trim()) emit({ kind: 'thinking', role: 'assistant', text: thought, model }, '/thinking')
      if (role === 'assistant' && said.trim() && !isSummary(item))
        emit({ kind: 'reply', role: 'assistant', text: said, model })
      calls.read(item, base)
      break
    }
    case 'tool':
      calls.close(asString(message.toolCallId), { text: said }, base)
      break
    case 'system':
      if (said) emit({ kind: 'context', role: 'system', text: said })
      break
    default:
      out.unknownType(`message of ${role || 'nobody'}`)
  }
  const summary = optionalString(item.conversationSummary)
  if (summary) emit({ kind: 'compaction', role: 'system', text: summary }, '/summary')
}

type Emit = (event: Omit<Event, 'id' | 'key' | 'ts'>, part?: string) => void

/** A prompt file that a person called by name: the message is its content. */
function readUser(item: JsonObject, said: string, emit: Emit): void {
  const typed = typedCommand(asArray(asObject(item.editorState).content).map(asObject))
  if (typed) {
    emit({ kind: 'command', role: 'user', text: typed }, '/command')
    if (said) emit({ kind: 'context', role: 'user', text: said })
  } else if (said) {
    const isCommand = /^\/[a-z][\w.-]*(?:\s|$)/i.test(said)
    emit({ kind: isCommand ? 'command' : 'prompt', role: 'user', text: said })
  }
}

/** The content of the input field of an editor, if it begins with a prompt file. */
function typedCommand(blocks: JsonObject[]): string | undefined {
  const name = blocks
    .filter((block) => block.type === 'prompt-block')
    .map((block) => optionalString(asObject(asObject(block.attrs).item).name))
    .find(Boolean)
  if (!name) return undefined
  const lines = blocks.map((block) =>
    asArray(block.content)
      .map((part) => asString(asObject(part).text) || asString(asObject(asObject(part).attrs).label))
      .join(''),
  )
  return [`/${name}`, ...lines.filter(Boolean)].join(' ')
}

/** A text, or parts of text and images. */
function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((value) => {
      const part = asObject(value)
      if (part.type !== 'imageUrl') return asString(part.text)
      const parsed = parseDataUrl(asString(asObject(part.imageUrl).url))
      return imagePlaceholder(parsed?.mediaType, parsed?.data ?? '')
    })
    .filter(Boolean)
    .join('\n')
}
