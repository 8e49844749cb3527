// Writes a conversation as a session of Copilot CLI, as 1.0.102 writes one: a chain of events, and a
// file beside it that names the folder.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Conversation } from '../../core/conversation/conversation.ts'
import type { CallOutput } from '../../core/conversation/handed-over.ts'
import type { HandoffTarget } from '../agent.ts'
import { jsonLines, type NativeItem, nativeItems } from '../handoff.ts'
import { copilotCliHooks } from './hooks.ts'

export const copilotCliHandoff: HandoffTarget = {
  tools: {
    shell: {
      tool: 'bash',
      command: 'command',
      ignores: ['description', 'mode', 'sessionId', 'shellId', 'initial_wait', 'timeout'],
      adds: (command) => ({ description: command.split('\n')[0]!.slice(0, 60) }),
      result: { render: withExitCode, parse: withoutExitCode },
    },
    read: { tool: 'view', path: 'path' },
    edit: { tool: 'edit', path: 'path', before: 'old_str', after: 'new_str' },
    write: { tool: 'create', path: 'path', content: 'file_text' },
  },
  seenWith: '1.0.102',
  write(conversation, machine) {
    const id = randomUUID()
    const folder = join('session-state', id)
    return {
      id,
      root: copilotCliHooks.home(machine),
      files: [
        { path: join(folder, 'workspace.yaml'), content: workspaceOf(conversation, id) },
        { path: join(folder, 'events.jsonl'), content: jsonLines(recordsOf(conversation, id)) },
      ],
    }
  },
}

function workspaceOf({ cwd, branch, title, origin }: Conversation, id: string): string {
  const fields = {
    id,
    cwd,
    ...(branch ? { branch } : {}),
    name: title ?? `Continued from ${origin.agent}`,
    created_at: origin.handedOverAt,
    updated_at: origin.handedOverAt,
  }
  // JSON strings are valid YAML.
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')
}

function recordsOf(conversation: Conversation, sessionId: string): object[] {
  const { cwd, branch, origin } = conversation
  const context = { cwd, ...(branch ? { branch } : {}) }
  const items = nativeItems(conversation, copilotCliHandoff.tools)
  const startTime = origin.handedOverAt
  const start = {
    type: 'session.start',
    data: {
      sessionId,
      version: 1,
      producer: 'copilot-agent',
      copilotVersion: copilotCliHandoff.seenWith,
      startTime,
      context,
      alreadyInUse: false,
    },
    timestamp: startTime,
  }
  let parentId: string | null = null
  let turn = 0
  const records: object[] = []
  const interactionId = randomUUID()
  for (const record of [
    start,
    ...items.flatMap((item) => itemEvents(item, { interactionId, turnId: String(turn++) })),
  ]) {
    const id = randomUUID()
    records.push({ ...record, id, parentId })
    parentId = id
  }
  return records
}

interface TurnIds {
  interactionId: string
  turnId: string
}

function itemEvents(item: NativeItem, ids: TurnIds): { type: string; data: object; timestamp: string }[] {
  const event = (type: string, data: object) => ({ type, data, timestamp: item.ts })
  const said = (content: string, toolRequests: object[]) =>
    event('assistant.message', { messageId: randomUUID(), content, toolRequests, ...ids })
  switch (item.kind) {
    case 'prompt':
    case 'record':
      return [event('user.message', { content: item.text, transformedContent: item.text, attachments: [], ...ids })]
    case 'reply':
      return [event('assistant.turn_start', ids), said(item.text, []), event('assistant.turn_end', ids)]
    case 'call': {
      const { call: toolCallId, tool, input, text, isError } = item
      const request = { toolCallId, name: tool, arguments: input, type: 'function' }
      // A failed command is a successful call.
      const isFailed = isError && item.exit === undefined
      const outcome = isFailed ? { success: false, error: { message: text, code: 'failure' } } : { success: true }
      return [
        event('assistant.turn_start', ids),
        said('', [request]),
        event('tool.execution_start', { toolCallId, toolName: tool, arguments: input, turnId: ids.turnId }),
        event('tool.execution_complete', { toolCallId, ...ids, ...outcome, result: { content: text } }),
        event('assistant.turn_end', ids),
      ]
    }
    default:
      return item satisfies never
  }
}

function withExitCode({ text, exit }: CallOutput): string {
  return exit === undefined ? text : `${text}\n<exited with exit code ${exit}>`
}

function withoutExitCode({ text }: CallOutput): string {
  return text.replace(/\n?<(?:exited|shellId: \S+ completed) with exit code -?\d+>\s*$/, '')
}
