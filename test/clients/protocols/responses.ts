// OpenAI Responses, as Codex 0.166 speaks it: whole items, no deltas.
import { type Answer, events, type Protocol, summaryRequest, type ToolCall } from '../api.ts'
import { responsesViolations } from './rules/responses.ts'
import { seal } from './rules/seals.ts'

export const responses: Protocol = {
  path: /^\/v1\/responses/,
  purpose(body) {
    if (/Generate a concise, single-line task title/.test(JSON.stringify(body))) return 'side'
    // A subagent is given its task as a message of the agent that started it, which gets one too when it has ended.
    const input = Array.isArray(body.input) ? (body.input as { type?: string; recipient?: string }[]) : []
    // Pi says it in the first item, Codex in the last.
    if (summaryRequest.test(JSON.stringify([body.instructions, input.at(0), input.at(-1)]))) return 'compaction'
    return input.some(({ type, recipient }) => type === 'agent_message' && recipient !== '/root') ? 'subagent' : 'main'
  },
  reply(answer, _body, call) {
    const id = `resp_${call}`
    const usage = {
      input_tokens: answer.full ? 900_000 : 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.full ? 900_010 : 110,
    }
    return events([
      { type: 'response.created', response: { id } },
      ...items(answer, call).flatMap((item, output_index) =>
        ['added', 'done'].map((what) => ({ type: `response.output_item.${what}`, output_index, item })),
      ),
      { type: 'response.completed', response: { id, output: [], usage } },
    ])
  },
  violations: responsesViolations,
}

function items(answer: Answer, call: number): object[] {
  const { thinking } = answer
  if (thinking === undefined) return said(answer, call)
  const summary = [{ type: 'summary_text', text: thinking }]
  const encrypted_content = seal(`reasoning ${call}`, '', 'fernet')
  return [{ type: 'reasoning', id: `rs_${call}`, summary, encrypted_content }, ...said(answer, call)]
}

function said(answer: Answer, call: number): object[] {
  if (answer.kind === 'text') {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }]
    return [{ type: 'message', id: `msg_${call}`, role: 'assistant', status: 'completed', content }]
  }
  if (answer.kind === 'run') {
    const calls = answer.calls ?? [{ name: 'exec_command', input: { cmd: answer.command } }]
    return calls.map((one, index) => functionCall(one, index === 0 ? String(call) : `${call}_${index}`))
  }
  if (answer.kind === 'edit') {
    const { path, from, to } = answer
    const patch = ['*** Begin Patch', `*** Update File: ${path}`, '@@', `-${from}`, `+${to}`, '*** End Patch', '']
    const call_id = `call_${call}`
    return [{ type: 'custom_tool_call', id: `ctc_${call}`, call_id, name: 'apply_patch', input: patch.join('\n') }]
  }
  // Without `fork_turns` the subagent would be given the conversation so far, including the brief.
  const input = { message: answer.prompt, task_name: 'helper', fork_turns: 'none' }
  return [functionCall({ name: 'collaboration.spawn_agent', input }, String(call))]
}

function functionCall({ name, input }: ToolCall, number: string): object {
  const [own, namespace] = name.split('.').toReversed()
  const ids = { id: `fc_${number}`, call_id: `call_${number}` }
  const arguments_ = JSON.stringify(input)
  return { type: 'function_call', ...ids, ...(namespace ? { namespace } : {}), name: own, arguments: arguments_ }
}
