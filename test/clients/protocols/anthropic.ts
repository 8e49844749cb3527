// Anthropic Messages, as Claude Code 2.1.325 speaks it.
import {
  type Answer,
  type Body,
  events,
  json,
  type Protocol,
  type Purpose,
  summaryRequest,
  type ToolCall,
} from '../api.ts'
import { anthropicViolations } from './rules/anthropic.ts'
import { seal } from './rules/seals.ts'

export const anthropic: Protocol = {
  path: /^\/v1\/messages/,
  purpose,
  reply(answer, body, call) {
    if (String(body.path).includes('count_tokens')) return json({ input_tokens: 100 })
    const message = {
      id: `msg_${call}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: blocks(answer, call),
      stop_reason: answer.kind === 'text' ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: answer.full ? 950_000 : 100,
        output_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    }
    return body.stream === true ? events(stream(message)) : json(message)
  },
  violations: anthropicViolations,
}

/** Only the conversation has the shell tool, of which Copilot CLI and Pi write the name small; a subagent's has the delegated prompt for its first message. */
function purpose(body: Body): Purpose {
  const messages = body.messages as Message[]
  const latest = messages.findLast(({ role }) => role === 'user')!
  if (summaryRequest.test(said(latest) + JSON.stringify(body.system ?? ''))) return 'compaction'
  const tools = (body.tools ?? []) as { name: string }[]
  if (!tools.some(({ name }) => /^bash$/i.test(name))) return 'side'
  return said(messages[0]!).includes(delegated) ? 'subagent' : 'main'
}

/** In every prompt that a script delegates: tells a subagent's conversation from that of its parent. */
export const delegated = 'As a subagent'

interface Message {
  role: string
  content: string | { type: string; text?: string }[]
}

function said({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => part.text ?? '').join('\n')
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: object }
  | { type: 'thinking'; thinking: string; signature: string }

function blocks(answer: Answer, call: number): Block[] {
  const { thinking } = answer
  const signature = seal(`signature ${call}`, thinking)
  const thought: Block[] = thinking === undefined ? [] : [{ type: 'thinking', thinking, signature }]
  if (answer.kind === 'text') return [...thought, { type: 'text', text: answer.text }]
  return [
    ...thought,
    ...toolCalls(answer).map((one, index): Block => ({ type: 'tool_use', id: `toolu_${call}_${index}`, ...one })),
  ]
}

function toolCalls(answer: Exclude<Answer, { kind: 'text' }>): ToolCall[] {
  switch (answer.kind) {
    case 'run':
      return answer.calls ?? [{ name: 'Bash', input: { command: answer.command, description: 'Run it' } }]
    case 'edit': {
      const { path, from, to } = answer
      // Claude Code edits only what it has read.
      return [
        { name: 'Read', input: { file_path: path } },
        { name: 'Edit', input: { file_path: path, old_string: from, new_string: to } },
      ]
    }
    case 'delegate':
      return [
        {
          name: 'Agent',
          input: {
            description: 'Look into it',
            prompt: answer.prompt,
            subagent_type: 'general-purpose',
            run_in_background: false,
          },
        },
      ]
    default:
      return answer satisfies never
  }
}

function stream(message: { content: Block[]; stop_reason: string; usage: object }): object[] {
  const blocks = message.content.flatMap((block, index) => {
    const { start, deltas } = piecesOf(block)
    return [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage },
    { type: 'message_stop' },
  ]
}

function piecesOf(block: Block): { start: Block; deltas: object[] } {
  switch (block.type) {
    case 'text':
      return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block.text }] }
    case 'tool_use': {
      const partial_json = JSON.stringify(block.input)
      return { start: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json }] }
    }
    case 'thinking': {
      const { thinking, signature } = block
      const deltas = [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ]
      return { start: { ...block, thinking: '', signature: '' }, deltas }
    }
    default:
      return block satisfies never
  }
}
