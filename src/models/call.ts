// One call of a model: alone on this machine, within the budget, and in the ledger of spend whatever becomes of it.
import { messageOf } from '../core/errors.ts'
import { beginCall, endCall } from '../store/memories/model-calls.ts'
import { estimateTokens } from '../text/tokens.ts'
import { leftToday, priceUsd, refusalOf } from './governor.ts'
import { lockModels } from './lock.ts'
import type { ModelContext, Question } from './model.ts'
import { isPaid } from './paid.ts'
import { parseAnswer } from './parse-answer.ts'
import { failed, type Provider, type Reply, type Request, type Spent } from './provider.ts'

export type Call<T> =
  /** By the governor: nothing was sent. */
  | { kind: 'refused'; reason: string }
  | { kind: 'valid'; value: T; model: string; costUsd: number }
  | { kind: 'malformed'; problem: string; text: string; costUsd: number }
  | { kind: 'failed'; reason: string; isPassing: boolean; costUsd: number }

export async function callOnce<T>(
  context: ModelContext,
  provider: Provider,
  request: Request,
  question: Question<T>,
): Promise<Call<T>> {
  const release = await lockModels(context, provider.name).catch(messageOf)
  if (typeof release === 'string') return { kind: 'failed', reason: release, isPassing: false, costUsd: 0 }
  try {
    return await callAlone(context, provider, request, question)
  } finally {
    release()
  }
}

async function callAlone<T>(
  context: ModelContext,
  provider: Provider,
  request: Request,
  { purpose, session, schema }: Question<T>,
): Promise<Call<T>> {
  const { ledger, clock } = context
  const estimate = await estimateOf(context, provider, request)
  const refusal = refusalOf(context, provider.name, estimate.costUsd)
  if (refusal) return { kind: 'refused', reason: refusal }
  const id = beginCall(ledger, { at: clock.nowMs(), purpose, session, provider: provider.name, ...estimate })

  const beganAt = performance.now()
  const reply = await askOnce(context, provider, { ...request, maxUsd: maxUsd(context, estimate.costUsd) })
  const parsed = reply.kind === 'said' ? parseAnswer(reply.text, schema) : undefined
  const ms = Math.round(performance.now() - beganAt)

  const spent = await priced(context, provider, reply.spent, estimate)
  const result = reply.kind === 'failed' ? reply.result : parsed?.kind === 'valid' ? 'ok' : 'malformed'
  endCall(ledger, { id, ms, result, ...spent })

  const { costUsd, model } = spent
  if (reply.kind === 'failed')
    return { kind: 'failed', reason: reasonOf(reply, context), isPassing: reply.isPassing, costUsd }
  if (parsed!.kind === 'malformed') return { kind: 'malformed', problem: parsed!.problem, text: reply.text, costUsd }
  return { kind: 'valid', value: parsed!.value, model, costUsd }
}

type Booked = Spent & { costUsd: number }

async function estimateOf(context: ModelContext, { name }: Provider, request: Request): Promise<Booked> {
  const { model, system, text, maxOutputTokens } = request
  const tokens = { input: estimateTokens(system + text), output: maxOutputTokens }
  const costUsd = isPaid(name, context.config) ? await priceUsd(model, tokens) : 0
  return { model, inputTokens: tokens.input, outputTokens: tokens.output, costUsd }
}

/** A few times the estimate, for what a provider adds of its own, but never more than is left. */
function maxUsd(context: ModelContext, estimateUsd: number): number {
  return Math.min(leftToday(context) + estimateUsd, Math.max(0.02, 3 * estimateUsd))
}

/** A provider that breaks in a way of its own is a failed call, not the end of the sweep. */
async function askOnce(context: ModelContext, provider: Provider, request: Request): Promise<Reply> {
  try {
    return await provider.ask(context, request)
  } catch (error) {
    return failed('error', { detail: messageOf(error), isPassing: false, spent: null })
  }
}

async function priced(
  context: ModelContext,
  { name }: Provider,
  spent: Spent | null,
  estimate: Booked,
): Promise<Booked> {
  if (!spent) return estimate
  const { inputTokens: input, outputTokens: output } = spent
  const model = spent.model || estimate.model
  if (!isPaid(name, context.config)) return { ...spent, model, costUsd: 0 }
  return { ...spent, model, costUsd: spent.costUsd || (await priceUsd(model, { input, output })) }
}

function reasonOf({ result, detail }: { result: string; detail: string }, { redact }: ModelContext): string {
  const said = redact(detail.slice(0, 2000)).replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return said ? `${result}: ${said}` : result
}
