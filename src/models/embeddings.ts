// Turns texts into vectors with an embedding provider. Consent, redaction, limits and the ledger of
// spend are the same as for every question to a model.

import type { EmbeddingProviderName } from '../core/config/settings.ts'
import { LockTimeoutError } from '../core/lock.ts'
import { beginCall, endCall } from '../store/memories/model-calls.ts'
import { estimateTokens } from '../text/tokens.ts'
import { mayBeAsked } from './consent.ts'
import type { ModelContext } from './context.ts'
import { budgetRefusal, priceUsd, withModelLock } from './governor.ts'
import { isPaid } from './pricing-class.ts'
import { postJson } from './providers/http.ts'
import { failed, type ProviderReply, tokenSpend } from './providers/provider.ts'
import { embeddingProviders } from './registry.ts'
import { sanitiseText } from './sanitise.ts'

export interface EmbeddingModel {
  provider: EmbeddingProviderName
  model: string
}

export type EmbeddingResult =
  | { kind: 'embedded'; vectors: Float32Array[] }
  /** Nothing was sent, or sending it again does not help by itself. */
  | { kind: 'unfit'; reason: string }
  | { kind: 'failed'; reason: string }

export interface EmbedOptions {
  timeoutMs: number
  /**
   * A search waits for the answer: does not take the lock of models, so other calls may run at the
   * same time.
   */
  isQuestion?: boolean
}

export async function embedTexts(
  context: ModelContext,
  by: EmbeddingModel,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<EmbeddingResult> {
  const found = embeddingProviders[by.provider].find(context)
  if (found.kind === 'missing') return { kind: 'unfit', reason: found.reason }
  if (!mayEmbed(context, by.provider))
    return { kind: 'unfit', reason: `not allowed: recollect models allow ${by.provider}` }
  const embed = () => embedBooked(context, by, texts, { url: found.url, timeoutMs: options.timeoutMs })
  if (options.isQuestion) return embed()
  try {
    return await withModelLock(context, by.provider, embed)
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error
    return { kind: 'failed', reason: error.message }
  }
}

/** `recall.vectors` names its provider, so an Ollama on this machine is chosen. */
function mayEmbed(context: ModelContext, name: EmbeddingProviderName): boolean {
  const models = { ...context.config.models, isOllamaChosen: true }
  return mayBeAsked({ ...context, config: { ...context.config, models } }, name)
}

async function embedBooked(
  context: ModelContext,
  by: EmbeddingModel,
  texts: readonly string[],
  { url, timeoutMs }: { url: string; timeoutMs: number },
): Promise<EmbeddingResult> {
  const { ledger, clock, redact } = context
  const { provider, model } = by
  const input = texts.map((text) => sanitiseText(text, redact))
  const estimate = await priced(context, by, estimateTokens(input.join('\n')))
  const refusal = budgetRefusal(context, provider, { purpose: 'vectors', estimateUsd: estimate.costUsd })
  if (refusal) return { kind: 'unfit', reason: refusal }
  const at = clock.nowMs()
  const id = beginCall(ledger, { at, purpose: 'vectors', session: null, provider, model, outputTokens: 0, ...estimate })

  const beganAt = performance.now()
  const { reply, vectors } = await requestVectors(context, by, input, { url, timeoutMs })
  const ms = Math.round(performance.now() - beganAt)

  const counted = reply.spent?.inputTokens
  const spent = counted === undefined ? estimate : await priced(context, by, counted)
  const result = reply.kind === 'failed' ? reply.result : 'ok'
  endCall(ledger, { id, model, outputTokens: 0, ms, result, ...spent })
  if (reply.kind === 'said') return { kind: 'embedded', vectors }
  const detail = redact(reply.detail.slice(0, 2000)).replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  const reason = `${model}: ${reply.result}${detail ? `: ${detail}` : ''}`
  return { kind: reply.remedy === 'retry' ? 'failed' : 'unfit', reason }
}

/** As many vectors as texts, all of one length; anything else is a failure. */
async function requestVectors(
  context: ModelContext,
  by: EmbeddingModel,
  input: readonly string[],
  { url, timeoutMs }: { url: string; timeoutMs: number },
): Promise<{ reply: ProviderReply; vectors: Float32Array[] }> {
  const provider = embeddingProviders[by.provider]
  let vectors: Float32Array[] = []
  const reply = await postJson(
    { url, headers: provider.headers(context), body: { model: by.model, input }, timeoutMs },
    (answer) => {
      const read = provider.read(answer)
      if (!read) return undefined
      vectors = read.vectors.map((vector) => Float32Array.from(vector))
      const problem = problemWith(vectors, input.length)
      const spent = tokenSpend(by.model, read.tokens, 0)
      return problem
        ? failed('wrong answer', { detail: problem, remedy: 'later', spent })
        : { kind: 'said', text: '', spent }
    },
  )
  return { reply, vectors }
}

function problemWith(vectors: readonly Float32Array[], count: number): string {
  if (vectors.length !== count) return `${vectors.length} vectors for ${count} texts`
  if (vectors.some(({ length }) => length !== vectors[0]!.length)) return 'vectors of different lengths'
  return vectors.some((vector) => vector.some((value) => !Number.isFinite(value))) ? 'a vector without end' : ''
}

async function priced(
  { config }: ModelContext,
  { provider, model }: EmbeddingModel,
  inputTokens: number,
): Promise<{ inputTokens: number; costUsd: number }> {
  const costUsd = isPaid(provider, config) ? await priceUsd(model, { input: inputTokens, output: 0 }) : 0
  return { inputTokens, costUsd }
}
