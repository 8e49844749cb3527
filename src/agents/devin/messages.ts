// Turns the messages of a Devin session into events: text, tool calls, results and the files that
// they changed.
import type { FileChange, Json } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { absolutePath, lineCount, pendingChanges } from '../file-changes.ts'
import {
  asArray,
  asObject,
  asString,
  imagePlaceholder,
  type JsonObject,
  optionalString,
  parseJson,
} from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { typedKind } from '../typed-text.ts'

export interface DevinMessage {
  id: string
  role: string
  ts: string | null
  /** Text, or a list of parts. */
  content: Json | undefined
  thinking: string
  /** A person wrote it; other texts with the user's role are the client's. */
  isTyped: boolean
  calls: JsonObject[]
  /** The call that a result belongs to. */
  call: string | undefined
}

interface DevinSession {
  id: string
  cwd: string | undefined
  session: SessionOutput
  out: ReaderOutput
}

export function readMessages(messages: DevinMessage[], { id, cwd, session, out }: DevinSession): void {
  const calls = pendingCalls(undefined)
  const changes = pendingChanges(undefined)
  for (const message of messages) {
    const base: EventBase = { id: message.id, key: `${id}/${message.id}`, ts: message.ts }
    const text = textOf(message.content)
    switch (message.role) {
      case 'user': {
        if (text.trim())
          session.event({ ...base, kind: message.isTyped ? typedKind(text) : 'context', role: 'user', text })
        break
      }
      case 'assistant':
      case 'agent': {
        const answer = { ...base, role: 'assistant' } as const
        if (message.thinking.trim())
          session.event({ ...answer, key: `${base.key}/thinking`, kind: 'thinking', text: message.thinking })
        if (text.trim()) session.event({ ...answer, kind: 'reply', text })
        for (const [index, made] of message.calls.entries()) {
          const { tool, input } = callOf(made)
          if (!tool) continue
          const call = optionalString(made.id)
          changes.open(call, plannedChanges(tool, asObject(input), cwd))
          const event = { ...answer, key: `${base.key}#${index}`, text: '', tool, call, input }
          session.event(calls.open({ ...event, kind: 'tool_call' }))
        }
        break
      }
      case 'tool': {
        const { call } = message
        session.event(calls.close({ ...base, kind: 'tool_result', role: 'tool', text, call }))
        const files = changes.close(call)
        if (files.length > 0)
          session.event({ ...base, key: `${base.key}/edit`, kind: 'edit', role: 'tool', text: '', call, files })
        break
      }
      case 'system': // the instructions of the client
        break
      default:
        out.unknownType(`role ${message.role}`)
    }
  }
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map((part) => {
      const { type, text, source } = asObject(part)
      if (type !== 'image') return asString(text)
      return imagePlaceholder(optionalString(asObject(source).media_type), asString(asObject(source).data))
    })
    .filter((part) => part !== '')
    .join('\n')
}

/** Arguments are an object; other versions may have the form of the provider, with a JSON string. */
function callOf(made: JsonObject): { tool: string; input: Json } {
  const { name = made.name, arguments: given = made.arguments } = asObject(made.function)
  const input = typeof given === 'string' ? parseJson(given) : given
  return { tool: asString(name), input: input ?? {} }
}

/** Tools are called as in Claude Code, in lower case. A failed call is not marked in any known field. */
function plannedChanges(tool: string, input: JsonObject, cwd: string | undefined): FileChange[] {
  const path = optionalString(input.file_path) ?? optionalString(input.path)
  if (!path || (tool !== 'edit' && tool !== 'write')) return []
  const added = lineCount(asString(input.new_string ?? input.content))
  const removed = lineCount(asString(input.old_string))
  return [{ path: absolutePath(path, cwd), change: 'update', added, removed }]
}
