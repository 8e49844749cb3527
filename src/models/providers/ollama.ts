// Ollama, on this machine or at OLLAMA_HOST.
import * as z from 'zod'
import { estimateTokens } from '../../text/tokens.ts'
import type { ModelContext } from '../context.ts'
import { postJson, readAnswer } from './http.ts'
import { ollamaUrl } from './ollama-url.ts'
import type { EmbeddingProvider, Provider, ProviderAvailability, ProviderReply, ProviderRequest } from './provider.ts'

export const ollama: Provider = {
  name: 'ollama',
  timeoutMs: 30_000,

  async find(context): Promise<ProviderAvailability> {
    const url = urlOf(context)
    const there = await modelsAt(url)
    if (!there) return { kind: 'missing', reason: `nothing answers at ${url}`, obstacle: 'outage' }
    const wanted = context.config.models.ollama
    const models = wanted.filter((name) => there.includes(name) || there.includes(`${name}:latest`))
    if (models.length > 0) return { kind: 'found', models }
    return { kind: 'missing', reason: `it has none of ${wanted.join(', ')}: ollama pull ${wanted[0] ?? '<model>'}` }
  },

  ask: (context, request) =>
    postJson(
      {
        url: `${urlOf(context)}/api/chat`,
        headers: {},
        body: {
          model: request.model,
          messages: [
            { role: 'system', content: request.system },
            { role: 'user', content: request.text },
          ],
          format: request.schema,
          stream: false,
          options: { temperature: 0, num_predict: request.maxOutputTokens, num_ctx: windowOf(request) },
        },
        timeoutMs: request.timeoutMs,
      },
      (answer) => replyOf(answer, request),
    ),
}

/** All models of the server; undefined if nothing answers. */
export function installedModels(context: ModelContext): Promise<string[] | undefined> {
  return modelsAt(urlOf(context))
}

/**
 * By default the server truncates silently to its window. Few different sizes, since it reloads the
 * model for each.
 */
function windowOf({ system, text, maxOutputTokens }: ProviderRequest): number {
  const needed = estimateTokens(system + text) + maxOutputTokens
  return Math.max(8192, 2 ** Math.ceil(Math.log2(needed)))
}

/** A server on this machine answers at once; do not wait for one that is missing. */
const findTimeoutMs = 2000

const tags = z.object({ models: z.array(z.object({ name: z.string() })) })

async function modelsAt(url: string): Promise<string[] | undefined> {
  const signal = AbortSignal.timeout(findTimeoutMs)
  try {
    const response = await fetch(`${url}/api/tags`, { signal })
    const { text } = await readAnswer(response, signal)
    return tags.parse(JSON.parse(text)).models.map(({ name }) => name)
  } catch {
    return undefined
  }
}

export function urlOf({ machine }: Pick<ModelContext, 'machine'>): string {
  return ollamaUrl(machine.env.OLLAMA_HOST ?? '')
}

const chat = z.object({
  message: z.object({ content: z.string() }),
  prompt_eval_count: z.number().catch(0),
  eval_count: z.number().catch(0),
})

function replyOf(answer: unknown, { model }: ProviderRequest): ProviderReply | undefined {
  const { data } = chat.safeParse(answer)
  if (!data) return undefined
  const { message, prompt_eval_count: inputTokens, eval_count: outputTokens } = data
  return { kind: 'said', text: message.content, spent: { model, inputTokens, outputTokens, costUsd: 0 } }
}

/** `/api/embed`, Ollama 0.3 and later. */
export const ollamaEmbeddings: EmbeddingProvider = {
  name: 'ollama',
  find: (context) => ({ kind: 'found', url: `${urlOf(context)}/api/embed` }),
  headers: () => ({}),
  read(answer) {
    const { data } = embedding.safeParse(answer)
    return data && { vectors: data.embeddings, tokens: data.prompt_eval_count }
  },
}

const embedding = z.object({
  embeddings: z.array(z.array(z.number()).min(1)),
  prompt_eval_count: z.number().optional().catch(undefined),
})
