// Writes a conversation as a session of Pi, version 3 of its format, as 0.73 writes one: a header,
// then a chain of messages.
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Conversation } from '../../core/conversation/conversation.ts'
import type { CallOutput } from '../../core/conversation/handed-over.ts'
import type { Machine } from '../../core/paths.ts'
import type { HandoffTarget } from '../agent.ts'
import { jsonLines, type NativeItem, nativeItems } from '../handoff.ts'

export const piHandoff: HandoffTarget = {
  tools: {
    shell: {
      tool: 'bash',
      command: 'command',
      ignores: ['timeout'],
      result: { render: withExitCode, parse: withoutExitCode },
    },
    read: { tool: 'read', path: 'path' },
    write: { tool: 'write', path: 'path', content: 'content' },
  },
  seenWith: '0.73.1',
  write(conversation, machine) {
    const id = randomUUID()
    const { cwd, origin } = conversation
    const folder = `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`
    const name = `${origin.handedOverAt.replace(/[:.]/g, '-')}_${id}.jsonl`
    // A session folder of the user's own has no folders for projects.
    const path = machine.env.PI_CODING_AGENT_SESSION_DIR ? name : join(folder, name)
    return { id, root: sessionFolders(machine)[0]!, files: [{ path, content: jsonLines(recordsOf(conversation, id)) }] }
  },
}

export function sessionFolders({ home, env }: Machine): string[] {
  // Oh My Pi sets the same variable for the programs that it starts.
  const configured = /[\\/]\.omp[\\/]/.test(env.PI_CODING_AGENT_DIR ?? '') ? '' : env.PI_CODING_AGENT_DIR
  const sessions = join(configured || join(home, '.pi', 'agent'), 'sessions')
  return env.PI_CODING_AGENT_SESSION_DIR ? [env.PI_CODING_AGENT_SESSION_DIR, sessions] : [sessions]
}

function recordsOf(conversation: Conversation, id: string): object[] {
  const { cwd, origin, title } = conversation
  const header = { type: 'session', version: 3, id, timestamp: origin.handedOverAt, cwd }
  const entries: object[] = []
  let parentId: string | null = null
  const add = (timestamp: string, entry: object) => {
    const own = randomBytes(4).toString('hex')
    entries.push({ ...entry, id: own, parentId, timestamp })
    parentId = own
  }
  for (const item of nativeItems(conversation, piHandoff.tools)) {
    const timestamp = Date.parse(item.ts)
    for (const message of messagesOf(item)) add(item.ts, { type: 'message', message: { ...message, timestamp } })
  }
  if (title) add(origin.handedOverAt, { type: 'session_info', name: title })
  return [header, ...entries]
}

function messagesOf(item: NativeItem): object[] {
  switch (item.kind) {
    case 'prompt':
    case 'record':
      return [{ role: 'user', content: [{ type: 'text', text: item.text }] }]
    case 'reply':
      return [assistant([{ type: 'text', text: item.text }], 'stop')]
    case 'call': {
      const { call: id, tool: name, input, text, isError } = item
      const content = [{ type: 'text', text }]
      return [
        assistant([{ type: 'toolCall', id, name, arguments: input }], 'toolUse'),
        { role: 'toolResult', toolCallId: id, toolName: name, content, isError },
      ]
    }
    default:
      return item satisfies never
  }
}

/** Tokens were counted in the session that it comes from; Pi adds up the fields, so they must exist. */
const noUsage = {
  ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

/** Pi requires the names of service and model. */
function assistant(content: object[], stopReason: string): object {
  const model = { api: 'openai-completions', provider: 'recollect', model: 'handed-over' }
  return { role: 'assistant', content, ...model, usage: noUsage, stopReason }
}

function withExitCode({ text, exit }: CallOutput): string {
  return exit ? `${text}\n\nCommand exited with code ${exit}` : text
}

function withoutExitCode({ text }: CallOutput): string {
  return text.replace(/\n*Command exited with code -?\d+\s*$/, '')
}
