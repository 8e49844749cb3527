// OpenAI chat completions, as clients with a provider of one's own speak it.
import { type Answer, type Body, events, json, type Protocol, summaryRequest, type ToolCall } from '../api.ts'
import { chatViolations } from './rules/chat.ts'
import { seal } from './rules/seals.ts'

export const chat: Protocol = {
  path: /^\/v1\/chat\/completions/,
  purpose(body) {
    if (asksForSummary(body)) return 'compaction'
    return hasTools(body) ? 'main' : 'side'
  },
  reply(answer, body, call) {
    const about = { id: `chatcmpl-${call}`, created: 0, model: body.model }
    // Qwen Code takes a summary only if its request was as long as the conversation.
    const isFull =
      answer.full || (this.purpose(body) === 'compaction' && /state_snapshot/.test(JSON.stringify(body.messages)))
    const prompt_tokens = isFull ? 99_900 : 100
    const usage = { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 }
    const said = message(answer, body, call)
    const finish_reason = answer.kind === 'text' ? 'stop' : 'tool_calls'
    if (body.stream !== true) {
      const choices = [{ index: 0, message: said, finish_reason }]
      return json({ ...about, object: 'chat.completion', choices, usage })
    }
    const chunk = (choices: object[], rest = {}) => ({ ...about, object: 'chat.completion.chunk', choices, ...rest })
    const reply = events([
      chunk([{ index: 0, delta: said, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage }),
    ])
    return { ...reply, text: `${reply.text}data: [DONE]\n\n` }
  },
  violations: chatViolations,
}

/** In the last message; without tools also in the first. OpenCode 1.18 puts the whole conversation into the request. */
function asksForSummary(body: Body): boolean {
  const messages = body.messages as object[]
  const where = hasTools(body) ? [messages.at(-1)] : [messages[0], messages.at(-1)]
  const isOfOpenCode = !hasTools(body) && /"Here is the conversation so far:/.test(JSON.stringify(messages))
  return isOfOpenCode || summaryRequest.test(JSON.stringify(where))
}

function hasTools({ tools }: Body): boolean {
  return Array.isArray(tools) && tools.length > 0
}

function message(answer: Answer, body: Body, call: number): object {
  const thought = thoughtOf(answer, call)
  if (answer.kind === 'text') return { role: 'assistant', content: answer.text, ...thought }
  if (answer.kind !== 'run') throw new Error(`${answer.kind} is not scripted for chat completions`)
  const shell: ToolCall = { name: shellOf(body), input: { command: answer.command, description: 'Run it' } }
  const tool_calls = (answer.calls ?? [shell]).map(({ name, input }, index) => ({
    ...{ index, id: index === 0 ? `call_${call}` : `call_${call}_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { role: 'assistant', content: null, ...thought, tool_calls }
}

/** By the names of several services: Copilot's API alone seals what was thought. */
function thoughtOf({ thinking }: Answer, call: number): object {
  if (thinking === undefined) return {}
  const reasoning_opaque = seal(`reasoning_opaque ${call}`)
  return { reasoning_content: thinking, reasoning_text: thinking, reasoning_opaque }
}

/** The shell tool has another name in each client. */
function shellOf(body: Body): string {
  const names = (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name)
  return names.find((name) => /^(?:bash|shell|execute|run_shell_command|run_terminal_c\w+)$/i.test(name)) ?? 'bash'
}
