// Writes a conversation as a session of Factory Droid, as 0.225 writes one: a header, then messages
// with Anthropic blocks.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Conversation } from '../../core/conversation/conversation.ts'
import type { CallOutput } from '../../core/conversation/handed-over.ts'
import type { HandoffTarget } from '../agent.ts'
import { jsonLines, type NativeItem, nativeItems } from '../handoff.ts'
import { droidHooks } from './hooks.ts'

export const droidHandoff: HandoffTarget = {
  tools: {
    shell: {
      tool: 'Execute',
      command: 'command',
      ignores: ['summary', 'description', 'timeout', 'riskLevel', 'riskLevelReason'],
      adds: (command) => ({ summary: command.split('\n')[0]!.slice(0, 60) }),
      result: { render: withExitCode, parse: withoutExitCode },
    },
    read: { tool: 'Read', path: 'file_path' },
    edit: { tool: 'Edit', path: 'file_path', before: 'old_str', after: 'new_str' },
    write: { tool: 'Create', path: 'file_path', content: 'content' },
  },
  write(conversation, machine) {
    const id = randomUUID()
    const path = join('sessions', conversation.cwd.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`)
    return {
      id,
      root: droidHooks.home(machine),
      files: [{ path, content: jsonLines(recordsOf(conversation, id)) }],
    }
  },
}

function recordsOf(conversation: Conversation, id: string): object[] {
  const { cwd, title, origin } = conversation
  const name = title ?? `Continued from ${origin.agent}`
  const records: object[] = [{ type: 'session_start', id, title: name, owner: 'unknown', version: 2, cwd }]
  let parentId: string | undefined
  for (const item of nativeItems(conversation, droidHandoff.tools)) {
    for (const message of messagesOf(item)) {
      const own = randomUUID()
      records.push({ type: 'message', id: own, ...(parentId ? { parentId } : {}), timestamp: item.ts, message })
      parentId = own
    }
  }
  return records
}

function messagesOf(item: NativeItem): object[] {
  switch (item.kind) {
    case 'prompt':
    case 'record':
      return [{ role: 'user', content: [{ type: 'text', text: item.text }] }]
    case 'reply':
      return [{ role: 'assistant', content: [{ type: 'text', text: item.text }] }]
    case 'call': {
      const { call: id, tool: name, input, text, isError } = item
      return [
        { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, is_error: isError, content: text }] },
      ]
    }
    default:
      return item satisfies never
  }
}

function withExitCode({ text, exit }: CallOutput): string {
  return exit === undefined ? text : `${text}\n\n[Process exited with code ${exit}]`
}

function withoutExitCode({ text }: CallOutput): string {
  return text.replace(/\n*\[Process exited with code -?\d+\]\s*$/, '')
}
