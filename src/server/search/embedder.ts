// Embeds texts through an endpoint with OpenAI's protocol.
import * as z from 'zod'
import { postJson } from '../../models/providers/http.ts'
import { failed } from '../../models/providers/provider.ts'

export interface Embed {
  (texts: readonly string[]): Promise<Float32Array[]>
  /** Vectors of different models are not comparable. */
  model: string
}

interface EmbedderSettings {
  /** RECOLLECT_EMBEDDINGS, RECOLLECT_EMBEDDINGS_MODEL, RECOLLECT_EMBEDDINGS_KEY. */
  url: string
  model: string
  key?: string | undefined
  timeoutMs?: number
}

/** Undefined if not configured. */
export function embedderOf(env: Readonly<Record<string, string | undefined>>): Embed | undefined {
  const { RECOLLECT_EMBEDDINGS: url, RECOLLECT_EMBEDDINGS_MODEL: model, RECOLLECT_EMBEDDINGS_KEY: key } = env
  return url && model ? embedderAt({ url, model, key }) : undefined
}

export function embedderAt({ url, model, key, timeoutMs = 20_000 }: EmbedderSettings): Embed {
  const endpoint = `${url.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  const embed = async (texts: readonly string[]) => {
    let vectors: Float32Array[] = []
    const reply = await postJson({ url: endpoint, headers, body: { model, input: texts }, timeoutMs }, (answer) => {
      const { data } = answerSchema.safeParse(answer)
      if (!data) return undefined
      vectors = inOrder(data.data)
      return areComplete(vectors, texts.length)
        ? { kind: 'said', text: '', spent: null }
        : failed('wrong answer', { spent: null })
    })
    if (reply.kind === 'failed') throw new Error(`no vectors: ${reply.result}`)
    return vectors
  }
  return Object.assign(embed, { model })
}

const answerSchema = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()).min(1), index: z.number().optional() })),
})

/** Servers may return the vectors in any order, with an index. */
function inOrder(data: z.infer<typeof answerSchema>['data']): Float32Array[] {
  return data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ embedding }) => Float32Array.from(embedding))
}

function areComplete(vectors: readonly Float32Array[], wanted: number): boolean {
  const { length } = vectors[0] ?? []
  return (
    vectors.length === wanted && vectors.every((vector) => vector.length === length && vector.every(Number.isFinite))
  )
}
