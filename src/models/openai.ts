// Any endpoint that speaks OpenAI's chat completions: OpenAI itself, vLLM, llama.cpp, LM Studio, OpenRouter …
import * as z from 'zod'
import { post } from './http.ts'
import type { ModelContext } from './model.ts'
import { isPaid } from './paid.ts'
import { type Found, type Provider, type Reply, type Request, spentOf } from './provider.ts'

export const openai: Provider = {
  name: 'openai',
  timeoutMs: 60_000,

  async find({ config }): Promise<Found> {
    if (!config.models.openaiUrl) return { kind: 'missing', reason: 'models.openai_url is not set' }
    if (!config.models.openai) return { kind: 'missing', reason: 'models.openai is not set' }
    return { kind: 'found', models: [config.models.openai] }
  },

  async ask(context, request) {
    const reply = await send(context, request, inSchema(context, request))
    // Many servers know no schema, or another name for the limit; all know the oldest form of the request.
    const isRefused = reply.kind === 'failed' && /^http (?:400|404|415|422|501)$/.test(reply.result)
    return isRefused ? send(context, request, { max_tokens: request.maxOutputTokens }) : reply
  },
}

/** OpenAI's own newer models refuse `max_tokens`, and servers on this machine often know nothing else. */
function inSchema({ config }: ModelContext, { schema, maxOutputTokens }: Request): object {
  const limit = isPaid('openai', config) ? 'max_completion_tokens' : 'max_tokens'
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    [limit]: maxOutputTokens,
  }
}

function send({ config, machine }: ModelContext, request: Request, more: object): Promise<Reply> {
  const key = machine.env.OPENAI_API_KEY
  return post(
    {
      url: `${config.models.openaiUrl.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/chat/completions`,
      headers: key ? { authorization: `Bearer ${key}` } : {},
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

function replyOf(answer: unknown, { model }: Request): Reply | undefined {
  const { data } = completion.safeParse(answer)
  if (!data) return undefined
  return {
    kind: 'said',
    text: data.choices[0].message.content ?? '',
    spent: spentOf(data.model ?? model, data.usage?.prompt_tokens, data.usage?.completion_tokens),
  }
}
