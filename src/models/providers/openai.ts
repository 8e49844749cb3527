// Any endpoint with OpenAI's chat completions: OpenAI itself, vLLM, llama.cpp, LM Studio,
// OpenRouter …
import * as z from 'zod'
import type { Machine } from '../../core/paths.ts'
import type { ModelContext } from '../context.ts'
import { isPaid } from '../pricing-class.ts'
import { postJson } from './http.ts'
import {
  type EmbeddingProvider,
  type Provider,
  type ProviderAvailability,
  type ProviderReply,
  type ProviderRequest,
  tokenSpend,
} from './provider.ts'

export const openai: Provider = {
  name: 'openai',
  timeoutMs: 60_000,

  async find({ config }): Promise<ProviderAvailability> {
    if (!config.models.openaiUrl) return { kind: 'missing', reason: 'models.openai_url is not set' }
    if (!config.models.openai) return { kind: 'missing', reason: 'models.openai is not set' }
    return { kind: 'found', models: [config.models.openai] }
  },

  async ask(context, request) {
    const reply = await send(context, request, inSchema(context, request))
    // Many servers do not know schemas or name the limit differently; all know the oldest form of
    // the request.
    const isRefused = reply.kind === 'failed' && /^http (?:400|404|415|422|501)$/.test(reply.result)
    return isRefused ? send(context, request, { max_tokens: request.maxOutputTokens }) : reply
  },
}

/** Newer models of OpenAI refuse `max_tokens`; local servers often know nothing else. */
function inSchema({ config }: ModelContext, { schema, maxOutputTokens }: ProviderRequest): object {
  const limit = isPaid('openai', config) ? 'max_completion_tokens' : 'max_tokens'
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    [limit]: maxOutputTokens,
  }
}

function send({ config, machine }: ModelContext, request: ProviderRequest, more: object): Promise<ProviderReply> {
  return postJson(
    {
      url: `${config.models.openaiUrl.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/chat/completions`,
      headers: headersFor(machine),
      body: {
        model: request.model,
        messages: [
          { role: 'system', content: request.system },
          { role: 'user', content: request.text },
        ],
        ...more,
      },
      timeoutMs: request.timeoutMs,
    },
    (answer) => replyOf(answer, request),
  )
}

const completion = z.object({
  model: z.string().optional(),
  choices: z.tuple([z.object({ message: z.object({ content: z.string().nullish() }) })], z.unknown()),
  usage: z.object({ prompt_tokens: z.number().catch(0), completion_tokens: z.number().catch(0) }).nullish(),
})

function replyOf(answer: unknown, { model }: ProviderRequest): ProviderReply | undefined {
  const { data } = completion.safeParse(answer)
  if (!data) return undefined
  return {
    kind: 'said',
    text: data.choices[0].message.content ?? '',
    spent: tokenSpend(data.model ?? model, data.usage?.prompt_tokens, data.usage?.completion_tokens),
  }
}

function headersFor({ env }: Machine): Record<string, string> {
  return env.OPENAI_API_KEY ? { authorization: `Bearer ${env.OPENAI_API_KEY}` } : {}
}

/** `/embeddings`; the configured address may be that of the chat completions. */
export const openaiEmbeddings: EmbeddingProvider = {
  name: 'openai',
  find({ config }) {
    const base = config.models.openaiUrl.replace(/\/+$/, '').replace(/\/(?:chat\/completions|embeddings)$/, '')
    return base
      ? { kind: 'found', url: `${base}/embeddings` }
      : { kind: 'missing', reason: 'models.openai_url is not set' }
  },
  headers: ({ machine }) => headersFor(machine),
  read(answer) {
    const { data } = embeddings.safeParse(answer)
    if (!data) return undefined
    // Servers may answer in any order; then they number the vectors.
    const inOrder = data.data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
    return { vectors: inOrder.map(({ embedding }) => embedding), tokens: data.usage?.prompt_tokens }
  },
}

const embeddings = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()).min(1), index: z.number().optional() })),
  usage: z.object({ prompt_tokens: z.number().optional() }).nullish().catch(null),
})
