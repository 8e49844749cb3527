// Writes a conversation as a transcript of Claude Code, as 2.1.325 writes one: a chain of user and
// assistant records, one content block each. Texts that the user did not write are `isMeta`, so that
// the model gets them and the screen does not show them.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { CommonTools } from '../../core/conversation/common-tools.ts'
import type { Conversation } from '../../core/conversation/conversation.ts'
import type { CallOutput } from '../../core/conversation/handed-over.ts'
import type { Machine } from '../../core/paths.ts'
import type { HandoffTarget } from '../agent.ts'
import { jsonLines, type NativeItem, nativeItems } from '../handoff.ts'
import { claudeCodeHooks } from './hooks.ts'
import { projectFolderName } from './memories.ts'

export const claudeCodeHandoff: HandoffTarget = {
  tools: {
    shell: {
      tool: 'Bash',
      command: 'command',
      ignores: ['description', 'timeout'],
      result: { render: withExitCode, parse: withoutExitCode },
    },
    read: { tool: 'Read', path: 'file_path' },
    edit: { tool: 'Edit', path: 'file_path', before: 'old_string', after: 'new_string' },
    write: { tool: 'Write', path: 'file_path', content: 'content' },
  } satisfies CommonTools,
  seenWith: '2.1.325',
  write(conversation, machine) {
    const id = randomUUID()
    const root = claudeCodeHooks.home(machine)
    const path = join('projects', folderOf(conversation.cwd, root, machine), `${id}.jsonl`)
    return { id, root, files: [{ path, content: jsonLines(recordsOf(conversation, id)) }] }
  },
}

function folderOf(cwd: string, home: string, { env }: Machine): string {
  return env.CLAUDE_CODE_PROJECT_DIR_NAME || projectFolderName(home, cwd)
}

function recordsOf(conversation: Conversation, sessionId: string): object[] {
  const { cwd, branch, title, origin } = conversation
  const envelope = {
    isSidechain: false,
    userType: 'external',
    entrypoint: 'cli',
    cwd,
    sessionId,
    version: claudeCodeHandoff.seenWith,
    gitBranch: branch ?? 'HEAD',
  }
  let parentUuid: string | null = null
  const records: object[] = []
  let answer = messageId()
  for (const item of nativeItems(conversation, claudeCodeHandoff.tools)) {
    for (const record of itemRecords(item, answer)) {
      // Records up to the next one of the user are one message.
      if (record.type === 'user') answer = messageId()
      const uuid = randomUUID()
      records.push({ parentUuid, ...envelope, ...record, uuid, timestamp: item.ts })
      parentUuid = uuid
    }
  }
  return [...records, { type: 'ai-title', aiTitle: title ?? `Continued from ${origin.agent}`, sessionId }]
}

interface ChainRecord {
  type: 'user' | 'assistant'
  message: object
  [field: string]: unknown
}

function itemRecords(item: NativeItem, answer: string): ChainRecord[] {
  switch (item.kind) {
    case 'prompt':
      return [{ type: 'user', promptSource: 'typed', origin: { kind: 'human' }, message: user(item.text) }]
    case 'record':
      return [{ type: 'user', isMeta: true, message: user(item.text) }]
    case 'reply':
      return [assistant(answer, { type: 'text', text: item.text }, 'end_turn')]
    case 'call': {
      const { call, tool, input, text, isError } = item
      const id = call.replace('call_', 'toolu_')
      const result = { type: 'tool_result', tool_use_id: id, content: text, is_error: isError }
      return [
        assistant(answer, { type: 'tool_use', id, name: tool, input }, 'tool_use'),
        { type: 'user', message: user([result]), toolUseResult: isError ? `Error: ${text}` : undefined },
      ]
    }
    default:
      return item satisfies never
  }
}

function user(content: string | object[]): object {
  return { role: 'user', content }
}

/** Without `usage`: the tokens were spent, and counted, in the session that it comes from. */
function assistant(id: string, block: object, stop_reason: string): ChainRecord {
  const message = { id, type: 'message', role: 'assistant', content: [block], stop_reason, stop_sequence: null }
  return { type: 'assistant', message }
}

function messageId(): string {
  return `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}

function withExitCode({ text, error, exit }: CallOutput): string {
  if (error === undefined || !exit) return text
  return text === '' ? `Exit code ${exit}` : `Exit code ${exit}\n${text}`
}

function withoutExitCode({ text, exit }: CallOutput): string {
  return exit === undefined ? text : text.replace(/^Exit code \d+(?:\n|$)/, '')
}
