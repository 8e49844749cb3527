// The two protocols for vectors: Ollama's `/api/embed` (0.3 and later) and OpenAI's `/embeddings`.
import * as z from 'zod'
import { post } from './http.ts'
import type { ModelContext } from './model.ts'
import { ollamaUrl } from './ollama-url.ts'
import { failed, type Reply, spentOf } from './provider.ts'

export interface Embedder {
  provider: 'ollama' | 'openai'
  model: string
}

/** Empty where nobody has said where it is. */
export function urlOf({ config, machine }: ModelContext, { provider }: Embedder): string {
  if (provider === 'ollama') return `${ollamaUrl(machine.env.OLLAMA_HOST ?? '')}/api/embed`
  const base = config.models.openaiUrl.replace(/\/+$/, '').replace(/\/(?:chat\/completions|embeddings)$/, '')
  return base && `${base}/embeddings`
}

/** As many vectors as texts, all of one length; anything else is a failure. */
export async function askForVectors(
  context: ModelContext,
  by: Embedder,
  input: readonly string[],
  timeoutMs: number,
): Promise<{ reply: Reply; vectors: Float32Array[] }> {
  const key = by.provider === 'openai' ? context.machine.env.OPENAI_API_KEY : undefined
  let vectors: Float32Array[] = []
  const reply = await post(
    {
      url: urlOf(context, by),
      headers: key ? { authorization: `Bearer ${key}` } : {},
      body: { model: by.model, input },
      timeoutMs,
    },
    (answer) => {
      const read = readers[by.provider](answer)
      if (!read) return undefined
      vectors = read.vectors.map((vector) => Float32Array.from(vector))
      const problem = problemWith(vectors, input.length)
      const spent = spentOf(by.model, read.tokens, 0)
      return problem
        ? failed('wrong answer', { detail: problem, isPassing: false, spent })
        : { kind: 'said', text: '', spent }
    },
  )
  return { reply, vectors }
}

interface Read {
  vectors: number[][]
  tokens: number | undefined
}

const numbers = z.array(z.number()).min(1)
const ollamaAnswer = z.object({
  embeddings: z.array(numbers),
  prompt_eval_count: z.number().optional().catch(undefined),
})
const openaiAnswer = z.object({
  data: z.array(z.object({ embedding: numbers, index: z.number().optional() })),
  usage: z.object({ prompt_tokens: z.number().optional() }).nullish().catch(null),
})

const readers: Record<Embedder['provider'], (answer: unknown) => Read | undefined> = {
  ollama(answer) {
    const { data } = ollamaAnswer.safeParse(answer)
    return data && { vectors: data.embeddings, tokens: data.prompt_eval_count }
  },
  openai(answer) {
    const { data } = openaiAnswer.safeParse(answer)
    if (!data) return undefined
    // Servers may answer in any order, and number what they answer.
    const inOrder = data.data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
    return { vectors: inOrder.map(({ embedding }) => embedding), tokens: data.usage?.prompt_tokens }
  },
}

function problemWith(vectors: readonly Float32Array[], wanted: number): string {
  if (vectors.length !== wanted) return `${vectors.length} vectors for ${wanted} texts`
  if (vectors.some(({ length }) => length !== vectors[0]!.length)) return 'vectors of different lengths'
  return vectors.some((vector) => vector.some((value) => !Number.isFinite(value))) ? 'a vector without end' : ''
}
