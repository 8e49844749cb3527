// The Messages API of Anthropic. The answer is forced into the input of a tool, so that it is a
// JSON value.
import * as z from 'zod'
import type { ModelContext } from '../context.ts'
import { postJson } from './http.ts'
import {
  type Provider,
  type ProviderAvailability,
  type ProviderReply,
  type ProviderRequest,
  tokenSpend,
} from './provider.ts'

export const anthropic: Provider = {
  name: 'anthropic',
  timeoutMs: 60_000,

  async find({ config, machine }): Promise<ProviderAvailability> {
    if (!machine.env.ANTHROPIC_API_KEY) return { kind: 'missing', reason: 'ANTHROPIC_API_KEY is not set' }
    return { kind: 'found', models: [config.models.anthropic] }
  },

  ask: (context, request) =>
    postJson(
      {
        url: `${baseOf(context)}/v1/messages`,
        headers: { 'x-api-key': context.machine.env.ANTHROPIC_API_KEY ?? '', 'anthropic-version': '2023-06-01' },
        body: {
          model: request.model,
          max_tokens: request.maxOutputTokens,
          system: request.system,
          messages: [{ role: 'user', content: request.text }],
          tools: [{ name: 'answer', description: 'Takes your answer.', input_schema: request.schema }],
          tool_choice: { type: 'tool', name: 'answer' },
        },
        timeoutMs: request.timeoutMs,
      },
      (answer) => replyOf(answer, request),
    ),
}

function baseOf({ machine }: ModelContext): string {
  return (machine.env.ANTHROPIC_BASE_URL || 'https://api.anthropic.com').replace(/\/+$/, '')
}

const message = z.object({
  model: z.string().optional(),
  content: z.array(
    z.union([
      z.object({ type: z.literal('tool_use'), input: z.unknown() }),
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.string() }),
    ]),
  ),
  usage: z
    .object({
      input_tokens: z.number().catch(0),
      output_tokens: z.number().catch(0),
    })
    .optional(),
})

function replyOf(answer: unknown, request: ProviderRequest): ProviderReply | undefined {
  const { data } = message.safeParse(answer)
  if (!data) return undefined
  const used = data.content.find((block) => 'input' in block)
  const texts = data.content.flatMap((block) => ('text' in block ? [block.text] : []))
  return {
    kind: 'said',
    text: used ? JSON.stringify(used.input) : texts.join(''),
    spent: tokenSpend(data.model ?? request.model, data.usage?.input_tokens, data.usage?.output_tokens),
  }
}
