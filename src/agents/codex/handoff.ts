// Writes a conversation as a rollout of Codex, in the form of September 2025 to mid 2026, which 0.166
// continues too: items for the model, and events from which the client shows the conversation.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { CommonTools } from '../../core/conversation/common-tools.ts'
import type { Conversation } from '../../core/conversation/conversation.ts'
import type { CallOutput } from '../../core/conversation/handed-over.ts'
import type { HandoffTarget } from '../agent.ts'
import { jsonLines, type NativeItem, nativeItems } from '../handoff.ts'
import { codexHooks } from './hooks.ts'

export const codexHandoff: HandoffTarget = {
  tools: {
    shell: {
      tool: 'exec_command',
      also: ['shell', 'shell_command', 'local_shell'],
      command: 'cmd',
      folder: 'workdir',
      ignores: ['yield_time_ms', 'max_output_tokens', 'timeout_ms', 'login', 'justification', 'type', 'shell', 'tty'],
      result: { render: withHeading, parse: ({ text }) => text },
    },
  } satisfies CommonTools,
  seenWith: '0.166.0',
  write(conversation, machine) {
    const at = conversation.origin.handedOverAt
    const id = timeId(Date.parse(at))
    const folder = join('sessions', ...at.slice(0, 10).split('-'))
    const path = join(folder, `rollout-${at.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`)
    return {
      id,
      root: codexHooks.home(machine),
      files: [{ path, content: jsonLines(recordsOf(conversation, id)) }],
    }
  },
}

/** A UUID of version 7, which contains a time: Codex names threads and turns by it. */
function timeId(ms: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

interface RolloutLine {
  timestamp: string
  type: string
  payload: object
}

function recordsOf(conversation: Conversation, id: string): RolloutLine[] {
  const { origin, cwd, branch } = conversation
  const meta = {
    id,
    session_id: id,
    timestamp: origin.handedOverAt,
    cwd,
    originator: 'recollect',
    cli_version: codexHandoff.seenWith,
    source: 'cli',
    ...(branch ? { git: { branch } } : {}),
  }
  const lines: RolloutLine[] = [{ timestamp: origin.handedOverAt, type: 'session_meta', payload: meta }]
  const madeAt = Date.parse(origin.handedOverAt)
  const turns = turnsOf(nativeItems(conversation, codexHandoff.tools))
  for (const [index, turn] of turns.entries()) {
    const turnId = timeId(madeAt + index)
    const event = (timestamp: string, payload: object) => ({ timestamp, type: 'event_msg', payload })
    lines.push(event(turn[0]!.ts, { type: 'task_started', turn_id: turnId, model_context_window: null }))
    for (const item of turn) lines.push(...itemLines(item))
    const last = turn.findLast((item) => item.kind === 'reply')?.text ?? null
    lines.push(event(turn.at(-1)!.ts, { type: 'task_complete', turn_id: turnId, last_agent_message: last }))
  }
  return lines
}

/** A turn begins with a prompt; what comes before the first prompt belongs to its turn. */
function turnsOf(items: readonly NativeItem[]): NativeItem[][] {
  const turns: NativeItem[][] = [[]]
  for (const item of items) {
    if (item.kind === 'prompt' && turns.at(-1)!.some(({ kind }) => kind !== 'record')) turns.push([])
    turns.at(-1)!.push(item)
  }
  return turns
}

function itemLines(item: NativeItem): RolloutLine[] {
  const line = (type: string, payload: object): RolloutLine => ({ timestamp: item.ts, type, payload })
  const message = (role: string, type: string, text: string) =>
    line('response_item', { type: 'message', role, content: [{ type, text }] })
  switch (item.kind) {
    case 'prompt':
      return [
        message('user', 'input_text', item.text),
        line('event_msg', {
          type: 'user_message',
          message: item.text,
          images: [],
          local_images: [],
          text_elements: [],
        }),
      ]
    case 'record':
      return [message('user', 'input_text', item.text)]
    case 'reply':
      return [
        message('assistant', 'output_text', item.text),
        line('event_msg', { type: 'agent_message', message: item.text }),
      ]
    case 'call': {
      const { call: call_id, tool: name, input, text: output } = item
      return [
        line('response_item', { type: 'function_call', name, arguments: JSON.stringify(input), call_id }),
        line('response_item', { type: 'function_call_output', call_id, output }),
      ]
    }
    default:
      return item satisfies never
  }
}

/** Always with a heading: without one, output that begins like an error would be read as one. */
function withHeading({ text, exit, error }: CallOutput): string {
  const code = exit ?? (error === undefined ? 0 : 1)
  return `Exit code: ${code}\nWall time: 0 seconds\nOutput:\n${text}`
}
