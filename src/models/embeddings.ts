// Texts as vectors, from Ollama or from an endpoint that speaks OpenAI's protocol: with the same consent, redaction, limits and
// ledger of spend as every question to a model.
import { messageOf } from '../core/errors.ts'
import { beginCall, endCall } from '../store/memories/model-calls.ts'
import { estimateTokens } from '../text/tokens.ts'
import { mayBeAsked } from './consent.ts'
import { askForVectors, type Embedder, urlOf } from './embeddings-http.ts'
import { priceUsd, refusalOf } from './governor.ts'
import { lockModels } from './lock.ts'
import type { ModelContext } from './model.ts'
import { outgoing } from './outgoing.ts'
import { isPaid } from './paid.ts'

export type { Embedder } from './embeddings-http.ts'

export type Embeddings =
  | { kind: 'embedded'; vectors: Float32Array[] }
  /** Nothing was sent, or sending it again changes nothing by itself. */
  | { kind: 'unfit'; reason: string }
  | { kind: 'failed'; reason: string }

export interface EmbedOptions {
  timeoutMs: number
  /** Somebody waits for the search: it is asked beside whatever else is being asked. */
  isQuestion?: boolean
}

export async function embedTexts(
  context: ModelContext,
  by: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Embeddings> {
  if (!urlOf(context, by)) return { kind: 'unfit', reason: 'models.openai_url is not set' }
  if (!mayBeAsked(context, by.provider))
    return { kind: 'unfit', reason: `not allowed: recollect models allow ${by.provider}` }
  if (options.isQuestion) return embedBooked(context, by, texts, options.timeoutMs)
  const release = await lockModels(context, by.provider).catch(messageOf)
  if (typeof release === 'string') return { kind: 'failed', reason: release }
  try {
    return await embedBooked(context, by, texts, options.timeoutMs)
  } finally {
    release()
  }
}

async function embedBooked(
  context: ModelContext,
  by: Embedder,
  texts: readonly string[],
  timeoutMs: number,
): Promise<Embeddings> {
  const { ledger, clock, redact } = context
  const { provider, model } = by
  const input = texts.map((text) => outgoing(text, redact))
  const estimate = await priced(context, by, estimateTokens(input.join('\n')))
  const refusal = refusalOf(context, provider, estimate.costUsd)
  if (refusal) return { kind: 'unfit', reason: refusal }
  const at = clock.nowMs()
  const id = beginCall(ledger, { at, purpose: 'vectors', session: null, provider, model, outputTokens: 0, ...estimate })

  const beganAt = performance.now()
  const { reply, vectors } = await askForVectors(context, by, input, timeoutMs)
  const ms = Math.round(performance.now() - beganAt)

  const counted = reply.spent?.inputTokens
  const spent = counted === undefined ? estimate : await priced(context, by, counted)
  const result = reply.kind === 'failed' ? reply.result : 'ok'
  endCall(ledger, { id, model, outputTokens: 0, ms, result, ...spent })
  if (reply.kind === 'said') return { kind: 'embedded', vectors }
  const detail = redact(reply.detail.slice(0, 2000)).replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  const reason = `${model}: ${reply.result}${detail ? `: ${detail}` : ''}`
  return { kind: reply.isPassing ? 'failed' : 'unfit', reason }
}

async function priced(
  { config }: ModelContext,
  { provider, model }: Embedder,
  inputTokens: number,
): Promise<{ inputTokens: number; costUsd: number }> {
  const costUsd = isPaid(provider, config) ? await priceUsd(model, { input: inputTokens, output: 0 }) : 0
  return { inputTokens, costUsd }
}
