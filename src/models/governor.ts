// The governor: checks the budget before a call.
import { type Clock, isoTime } from '../core/clock.ts'
import type { JudgeName } from '../core/config/settings.ts'
import { withLock } from '../core/lock.ts'
import { formatUsd, plural, type Zone } from '../core/units.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { type Spending, spentSince } from '../store/memories/model-calls.ts'
import { mayBeAsked } from './consent.ts'
import type { ModelContext } from './context.ts'
import { isPaid } from './pricing-class.ts'

/** Longer than a call takes. The lock is free between calls, so this is enough for several. */
const maxLockWaitMs = 10 * 60_000

/**
 * Makes one call under the lock of models. Programs that use the same account at once make each
 * other fail, and two that check the budget at once would both find it sufficient: so the lock
 * covers the check, the call and the booking.
 */
export function withModelLock<T>(
  { ledger, clock }: Pick<ModelContext, 'ledger' | 'clock'>,
  name: JudgeName,
  call: () => Promise<T>,
): Promise<T> {
  return withLock(ledger.layout, 'model', { clock, command: `asking ${name}`, maxWaitMs: maxLockWaitMs }, call)
}

type Books = Pick<ModelContext, 'ledger' | 'clock' | 'config' | 'zone'>

/** Cost and number of paid calls since midnight in the zone. */
export function spentToday(ledger: Ledger, clock: Clock, zone: Zone, provider?: JudgeName): Spending {
  return spentSince(ledger, zone.startOfDay(today(clock, zone)), provider)
}

export interface BudgetState {
  usd: number
  calls: number
  limits: Spending
  /** A call was refused today because of the limits, or the next one would be. */
  isUsedUp: boolean
  /** The allowed judges in the order that cost nothing, if the budget is used up. */
  steppedDownTo: JudgeName[]
}

export function budgetState(books: Books & Pick<ModelContext, 'machine'>): BudgetState {
  const { ledger, clock, config, zone } = books
  const spent = spentToday(ledger, clock, zone)
  const limits = limitsOf(books)
  const wasRefused = JSON.stringify(readValue(ledger, refusedNote)) === JSON.stringify(refusedToday(books))
  const isUsedUp = wasRefused || spent.usd >= limits.usd || spent.calls >= limits.calls
  const free = config.models.order.filter((name) => !isPaid(name, config) && mayBeAsked(books, name))
  return { ...spent, limits, isUsedUp, steppedDownTo: isUsedUp ? free : [] }
}

/**
 * Why a call with this estimate is not made; undefined if it may be. Records the refusal for
 * `budgetState`.
 */
export function budgetRefusal(books: Books, name: JudgeName, estimateUsd: number): string | undefined {
  const { ledger, clock, config, zone } = books
  if (!isPaid(name, config)) return undefined
  const spent = spentToday(ledger, clock, zone)
  const limits = limitsOf(books)
  const areCallsLeft = spent.calls < limits.calls
  if (areCallsLeft && spent.usd + estimateUsd <= limits.usd) return undefined
  writeValue(ledger, refusedNote, refusedToday(books))
  if (!areCallsLeft) return `the limit of ${plural(limits.calls, 'call')} a day is reached`
  return `${formatUsd(estimateUsd)} more would exceed the limit of ${formatUsd(limits.usd)} a day`
}

/** What is left of the day's budget. */
export function remainingUsdToday(books: Books): number {
  const { ledger, clock, zone } = books
  return Math.max(0, limitsOf(books).usd - spentToday(ledger, clock, zone).usd)
}

/** Price of tokens. A model without a known price counts as an expensive one. */
export async function priceUsd(model: string, tokens: { input: number; output: number }): Promise<number> {
  const { priceOf } = await import('../core/prices.ts')
  const usage = { key: '', ts: null, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, reasoning: 0, ...tokens }
  const known = priceOf({ ...usage, model: listNames[model] ?? model })
  return known ?? tokens.input * expensive.input + tokens.output * expensive.output
}

/**
 * The claude program takes short names for the newest model of a family; older models never cost
 * less.
 */
const listNames: Record<string, string> = {
  haiku: 'claude-haiku-4-5',
  sonnet: 'claude-sonnet-4-5',
  opus: 'claude-opus-4-1',
}

const expensive = { input: 15 / 1e6, output: 75 / 1e6 }

const refusedNote = 'budget refused'

/** A refusal holds for one day and one set of limits, so raising them lifts it. */
function refusedToday(books: Books): { day: string; usd: number; calls: number } {
  return { day: today(books.clock, books.zone), ...limitsOf(books) }
}

function limitsOf({ config }: Books): Spending {
  return { usd: config.models.dailyUsd, calls: config.models.dailyCalls }
}

function today(clock: Clock, zone: Zone): string {
  return zone.day(isoTime(clock.nowMs()))
}
