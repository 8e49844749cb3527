// Makes one call to a model: under the lock, within the budget, and booked in the ledger of spend
// whatever the outcome.

import type * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import { LockTimeoutError } from '../core/lock.ts'
import { beginCall, endCall } from '../store/memories/model-calls.ts'
import { estimateTokens } from '../text/tokens.ts'
import type { ModelContext, ModelQuestion, SpendPurpose } from './context.ts'
import { budgetRefusal, priceUsd, remainingUsdToday, withModelLock } from './governor.ts'
import { isPaid } from './pricing-class.ts'
import {
  type FailureRemedy,
  failed,
  type Provider,
  type ProviderReply,
  type ProviderRequest,
  type TokenSpend,
} from './providers/provider.ts'

export type CallResult<T> =
  /** By the governor; nothing was sent. */
  | { kind: 'refused'; reason: string }
  | { kind: 'valid'; value: T; model: string; costUsd: number; call: number }
  | { kind: 'malformed'; problem: string; text: string; costUsd: number }
  | { kind: 'failed'; reason: string; remedy: FailureRemedy; costUsd: number }

export async function callOnce<T>(
  context: ModelContext,
  provider: Provider,
  request: ProviderRequest,
  question: ModelQuestion<T>,
): Promise<CallResult<T>> {
  try {
    return await withModelLock(context, provider.name, () => callLocked(context, provider, request, question))
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error
    return { kind: 'failed', reason: error.message, remedy: 'later', costUsd: 0 }
  }
}

async function callLocked<T>(
  context: ModelContext,
  provider: Provider,
  request: ProviderRequest,
  { purpose, session, schema, personShare }: ModelQuestion<T>,
): Promise<CallResult<T>> {
  const { ledger, clock } = context
  const estimate = await estimateOf(context, provider, request)
  const refusal = budgetRefusal(context, provider.name, { purpose, estimateUsd: estimate.costUsd })
  if (refusal) return { kind: 'refused', reason: refusal }
  const id = beginCall(ledger, {
    ...{ at: clock.nowMs(), purpose, session, provider: provider.name, ...estimate },
    inputChars: request.system.length + request.text.length,
    personChars: personShare === undefined ? null : Math.round(personShare * request.text.length),
  })

  const beganAt = performance.now()
  const reply = await askOnce(context, provider, { ...request, maxUsd: maxUsd(context, purpose, estimate.costUsd) })
  const parsed = reply.kind === 'said' ? parseAnswer(reply.text, schema) : undefined
  const ms = Math.round(performance.now() - beganAt)

  const spent = await priced(context, provider, reply.spent, estimate)
  const result = reply.kind === 'failed' ? reply.result : parsed?.kind === 'valid' ? 'ok' : 'malformed'
  endCall(ledger, { id, ms, result, ...spent })

  const { costUsd, model } = spent
  if (reply.kind === 'failed')
    return { kind: 'failed', reason: reasonOf(reply, context), remedy: reply.remedy, costUsd }
  if (parsed!.kind === 'malformed') return { kind: 'malformed', problem: parsed!.problem, text: reply.text, costUsd }
  return { kind: 'valid', value: parsed!.value, model, costUsd, call: id }
}

type BookedSpend = TokenSpend & { costUsd: number }

async function estimateOf(context: ModelContext, { name }: Provider, request: ProviderRequest): Promise<BookedSpend> {
  const { model, system, text, maxOutputTokens } = request
  const tokens = { input: estimateTokens(system + text), output: maxOutputTokens }
  const costUsd = isPaid(name, context.config) ? await priceUsd(model, tokens) : 0
  return { model, inputTokens: tokens.input, outputTokens: tokens.output, costUsd }
}

/** A few times the estimate, for what a provider adds, but never more than is left today. */
function maxUsd(context: ModelContext, purpose: SpendPurpose, estimateUsd: number): number {
  return Math.min(remainingUsdToday(context, purpose) + estimateUsd, Math.max(0.02, 3 * estimateUsd))
}

/** An unexpected error of a provider is a failed call and does not end the sweep. */
async function askOnce(context: ModelContext, provider: Provider, request: ProviderRequest): Promise<ProviderReply> {
  try {
    return await provider.ask(context, request)
  } catch (error) {
    return failed('error', { detail: messageOf(error), remedy: 'later', spent: null })
  }
}

async function priced(
  context: ModelContext,
  { name }: Provider,
  spent: TokenSpend | null,
  estimate: BookedSpend,
): Promise<BookedSpend> {
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

type ParsedAnswer<T> = { kind: 'valid'; value: T } | { kind: 'malformed'; problem: string }

/** Parses a model's text. Models wrap the JSON in fences and words, and may use wrong types. */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): ParsedAnswer<T> {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1]
  const inside = fenced === undefined ? undefined : parseObject(fenced, schema)
  return inside?.kind === 'valid' ? inside : parseObject(text, schema)
}

function parseObject<T>(text: string, schema: z.ZodType<T>): ParsedAnswer<T> {
  const from = text.indexOf('{')
  const to = text.lastIndexOf('}')
  if (from < 0 || to < from) return malformed('there is no whole JSON object in it')
  try {
    const checked = schema.safeParse(JSON.parse(text.slice(from, to + 1)))
    if (checked.success) return { kind: 'valid', value: checked.data }
    return malformed(checked.error.issues.slice(0, 5).map(problemOf).join('; '))
  } catch (error) {
    return malformed(messageOf(error))
  }
}

function malformed(problem: string): ParsedAnswer<never> {
  return { kind: 'malformed', problem: problem.slice(0, 500) }
}

function problemOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message
}
