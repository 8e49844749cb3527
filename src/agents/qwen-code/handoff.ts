// Writes a conversation as a chat file of Qwen Code, as 0.24 writes one: Claude's envelope around
// Google's content.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Conversation } from '../../core/conversation/conversation.ts'
import type { HandoffTarget } from '../agent.ts'
import { googleShell } from '../gemini-cli/handoff.ts'
import { jsonLines, type NativeItem, nativeItems } from '../handoff.ts'
import { qwenCodeHooks } from './hooks.ts'

export const qwenCodeHandoff: HandoffTarget = {
  tools: {
    shell: { ...googleShell, folder: 'directory' },
    read: { tool: 'read_file', path: 'file_path' },
    edit: { tool: 'edit', path: 'file_path', before: 'old_string', after: 'new_string' },
    write: { tool: 'write_file', path: 'file_path', content: 'content' },
  },
  seenWith: '0.24.4',
  write(conversation, machine) {
    const id = randomUUID()
    const path = join('projects', conversation.cwd.replace(/[^A-Za-z0-9]/g, '-'), 'chats', `${id}.jsonl`)
    return {
      id,
      root: machine.env.QWEN_RUNTIME_DIR || qwenCodeHooks.home(machine),
      files: [{ path, content: jsonLines(recordsOf(conversation, id)) }],
    }
  },
}

function recordsOf(conversation: Conversation, sessionId: string): object[] {
  const { cwd, branch } = conversation
  const envelope = { sessionId, cwd, version: qwenCodeHandoff.seenWith, ...(branch ? { gitBranch: branch } : {}) }
  let parentUuid: string | null = null
  const records: object[] = []
  for (const item of nativeItems(conversation, qwenCodeHandoff.tools)) {
    for (const record of itemRecords(item)) {
      const uuid = randomUUID()
      records.push({ uuid, parentUuid, ...envelope, timestamp: item.ts, ...record })
      parentUuid = uuid
    }
  }
  return records
}

function itemRecords(item: NativeItem): object[] {
  const said = (type: string, provenance: string, role: string, parts: object[]) => ({
    ...{ type, provenance, message: { role, parts } },
  })
  switch (item.kind) {
    case 'prompt':
    case 'record':
      return [said('user', 'real_user', 'user', [{ text: item.text }])]
    case 'reply':
      return [said('assistant', 'assistant_output', 'model', [{ text: item.text }])]
    case 'call': {
      const { call: id, tool: name, input: args, text, isError } = item
      const response = isError ? { error: text } : { output: text }
      const status = isError ? 'error' : 'success'
      return [
        said('assistant', 'assistant_output', 'model', [{ functionCall: { id, name, args } }]),
        {
          ...said('tool_result', 'tool_result', 'user', [{ functionResponse: { id, name, response } }]),
          toolCallResult: { callId: id, status, resultDisplay: text.slice(0, 2000) },
        },
      ]
    }
    default:
      return item satisfies never
  }
}
