// Reads the entries of a session, in a file or the database: those of Pi (see ../pi), with other
// navigation in the tree, and with text of messengers and the runtime around what the user wrote.
import type { Json } from '../../core/session.ts'
import type { LogReader, ReaderOutput } from '../agent.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject } from '../json-values.ts'
import { pi } from '../pi/pi.ts'
import { openPi } from '../pi/reader.ts'
import type { SessionOrigin } from './session-index.ts'

export function openEntries(
  path: string,
  out: ReaderOutput,
  state: Json | undefined,
  origin: SessionOrigin,
): LogReader {
  const entries = openPi(path, pi, out, state)
  if (origin.isSkipped) return { record() {}, state: entries.state }
  const session = () => out.session(asString(asObject(entries.state()).session))
  return {
    record(entry, offset) {
      if (entry.type === 'reset') session().event(resetEvent(entry))
      // Fields that were removed are undefined, which is read as missing.
      entries.record(piEntry(entry, origin.isHuman) as Record<string, Json>, offset)
      if (entry.type === 'session') session().about(origin.about)
    },
    state: entries.state,
  }
}

/** `/new` empties the context; the session and its id remain (documentation of 2026.9.6). */
function resetEvent(entry: JsonObject) {
  const id = asString(entry.id)
  const ts = asIsoTime(entry.timestamp)
  return {
    id,
    key: `reset/${id}/${ts}`,
    kind: 'lifecycle',
    role: 'user',
    ts,
    text: 'Began a new conversation',
  } as const
}

/** The same entry as Pi would have written it. */
function piEntry(entry: JsonObject, isHuman: boolean): JsonObject {
  switch (entry.type) {
    case 'leaf': // goes on at another entry
      return { ...entry, type: 'label', parentId: entry.targetId }
    case 'reset':
      return { ...entry, type: 'label' }
    case 'message':
      return piMessage(withoutSideBranch(entry), asObject(entry.message), isHuman)
    default:
      return withoutSideBranch(entry)
  }
}

/** An entry beside the conversation abandons nothing: without an id it has no place in the tree. */
function withoutSideBranch(entry: JsonObject): JsonObject {
  return entry.appendMode === 'side' ? { ...entry, id: undefined } : entry
}

function piMessage(entry: JsonObject, message: JsonObject, isHuman: boolean): JsonObject {
  const context = { ...entry, type: 'custom_message', content: message.content }
  switch (message.role) {
    case 'user': {
      const content = typedContent(message.content)
      const isTyped = isHuman && !isMachine(message) && !isMachineText(textOf(content))
      return isTyped ? { ...entry, message: { ...message, content } } : context
    }
    case 'system':
      return context
    case 'assistant':
      // Messages of the program itself, among them copies of answers that went to a messenger.
      if (message.provider !== 'openclaw') return entry
      if (message.model === 'delivery-mirror') return { ...entry, type: 'label' }
      return { ...entry, message: { ...message, model: undefined } }
    default:
      return entry
  }
}

/** Another session, the runtime or another person wrote it (code of 2026.9.6). */
function isMachine(message: JsonObject): boolean {
  const origin = asObject(message.provenance).kind ?? 'external_user'
  const isOthers = asObject(message.__openclaw).senderIsOwner === false
  return origin !== 'external_user' || isOthers || message.display === false
}

/** Texts of the runtime of 2026.9.6 and, for heartbeats, of earlier versions. */
function isMachineText(text: string): boolean {
  return text.trim() === '' || runtimeText.test(text)
}

const runtimeText =
  /^(?:\[cron:|\[OpenClaw [a-z]|\[Subagent (?:Context|Task)\]|\[Inter-session message|Pre-compaction memory flush|A new session was started via \/new or \/reset|Read HEARTBEAT\.md|Follow the heartbeat|Run the following periodic tasks)/

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((block) => asString(asObject(block).text) || (asObject(block).type === 'image' ? '[image]' : ''))
    .join('\n')
}

function typedContent(content: Json | undefined): Json {
  if (typeof content === 'string') return typedText(content)
  return asArray(content).map((block) => {
    const { text } = asObject(block)
    return typeof text === 'string' ? { ...asObject(block), text: typedText(text) } : block
  })
}

/** What the user wrote, without notices of the runtime and the envelope of a messenger. */
export function typedText(text: string): string {
  let typed = text.trim()
  // Twice, because their order differs between versions.
  for (const wrapper of [...wrappers, ...wrappers]) typed = typed.replace(wrapper, '')
  return typed.replace(/^\s*\[message_id: [^\]\n]+\]\s*$/gim, '').trim()
}

const wrappers = [
  /** `System: [2026-02-18 11:20 GMT+1] Connected.` */
  /^(?:System(?: \(untrusted\))?: [^\n]*(?:\n+|$))+/,
  /** `Sender (untrusted metadata):`, since 2026.9 `Sender: ⟦openclaw:ctx⟧`, then a block of JSON. */
  /^(?:[^\n]*(?:\(untrusted[^)\n]*\):|⟦openclaw:ctx⟧)[ \t]*\n(?:```json\n[\s\S]*?\n```|(?:[^\n]+\n)*)\s*)+/,
  /** `[Wed 2026-02-18 11:21 GMT+1] `, `[WhatsApp +1555 2026-01-05 10:00] ` */
  /^\[[^\]\n]*\d{4}-\d\d-\d\d[ T]\d\d:\d\d[^\]\n]*\]\s*/,
]
