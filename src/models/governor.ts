// The governor: checks the budget before a call, for the whole day and for the purpose of the call.
import { type Clock, isoTime } from '../core/clock.ts'
import { type BudgetShareName, budgetShareNames, type JudgeName } from '../core/config/settings.ts'
import { withLock } from '../core/lock.ts'
import { formatUsd, plural, type Zone } from '../core/units.ts'
import { isObject, isStrings, readChecked, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { type Spending, spentByPurpose, spentSince } from '../store/memories/model-calls.ts'
import { mayBeAsked } from './consent.ts'
import type { ModelContext, SpendPurpose } from './context.ts'
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

export interface BudgetState extends Spending {
  limits: Spending
  /** A call was refused today because of the limits, or the next one would be. */
  isUsedUp: boolean
  /** The allowed judges in the order that cost nothing, if the budget is used up. */
  steppedDownTo: JudgeName[]
  shares: Record<BudgetShareName, BudgetShare>
}

/** What one share of the budget has spent and may spend. */
export interface BudgetShare extends Spending {
  limits: Spending
  isUsedUp: boolean
}

export function budgetState(books: Books & Pick<ModelContext, 'machine'>): BudgetState {
  const { ledger, clock, config, zone } = books
  const spent = spentToday(ledger, clock, zone)
  const limits = limitsOf(books)
  const refused = refusedToday(books)
  const isUsedUp = refused.includes(wholeBudget) || spent.usd >= limits.usd || spent.calls >= limits.calls
  const free = config.models.order.filter((name) => !isPaid(name, config) && mayBeAsked(books, name))
  const shares = budgetShareNames.map((name): [BudgetShareName, BudgetShare] => {
    const share = shareSpending(books, name)
    const isReached = share.usd >= share.limits.usd || share.calls >= share.limits.calls
    return [name, { ...share, isUsedUp: isUsedUp || refused.includes(name) || isReached }]
  })
  return {
    ...{ ...spent, limits, isUsedUp, steppedDownTo: isUsedUp ? free : [] },
    shares: Object.fromEntries(shares) as BudgetState['shares'],
  }
}

/**
 * Why a call for this purpose with this estimate is not made; undefined if it may be. Records the
 * refusal for `budgetState`.
 */
export function budgetRefusal(
  books: Books,
  name: JudgeName,
  { purpose, estimateUsd }: { purpose: SpendPurpose; estimateUsd: number },
): string | undefined {
  const { ledger, clock, config, zone } = books
  if (!isPaid(name, config)) return undefined
  const whole = limitProblem(spentToday(ledger, clock, zone), limitsOf(books), estimateUsd)
  if (whole) {
    recordRefusal(books, wholeBudget)
    return whole
  }
  const share = shareNameOf(purpose)
  if (!share) return undefined
  const { limits, ...spent } = shareSpending(books, share)
  // The first call of a share is always possible: a small share must not be worth nothing.
  const problem = spent.calls > 0 || limits.calls === 0 ? limitProblem(spent, limits, estimateUsd) : undefined
  if (!problem) return undefined
  recordRefusal(books, share)
  return `${problem} for ${share} (models.share)`
}

function limitProblem(spent: Spending, limits: Spending, estimateUsd: number): string | undefined {
  if (spent.calls >= limits.calls) return `the limit of ${plural(limits.calls, 'call')} a day is reached`
  if (spent.usd + estimateUsd <= limits.usd) return undefined
  return `${formatUsd(estimateUsd)} more would exceed the limit of ${formatUsd(limits.usd)} a day`
}

/** What is left of the day's budget for this purpose. */
export function remainingUsdToday(books: Books, purpose: SpendPurpose): number {
  const { ledger, clock, zone } = books
  const name = shareNameOf(purpose)
  const share = name && shareSpending(books, name)
  const left = limitsOf(books).usd - spentToday(ledger, clock, zone).usd
  return Math.max(0, share ? Math.min(left, share.limits.usd - share.usd) : left)
}

/** Undefined for a test by the user, which only the limits of the day restrict. */
function shareNameOf(purpose: SpendPurpose): BudgetShareName | undefined {
  switch (purpose) {
    case 'memories':
      return 'memories'
    case 'journal':
    case 'wiki':
      return 'wiki'
    case 'consolidate':
    case 'lint':
    case 'ask':
    case 'vectors':
      return 'other'
    case 'try':
      return undefined
    default:
      return purpose satisfies never
  }
}

function shareSpending(books: Books, name: BudgetShareName): Spending & { limits: Spending } {
  const { ledger, clock, config, zone } = books
  const purposes = spentByPurpose(ledger, zone.startOfDay(today(clock, zone)))
  const spent = [...purposes].filter(([purpose]) => shareNameOf(purpose as SpendPurpose) === name)
  const whole = limitsOf(books)
  const part = config.models.share[name] / 100
  return {
    usd: spent.reduce((sum, [, { usd }]) => sum + usd, 0),
    calls: spent.reduce((sum, [, { calls }]) => sum + calls, 0),
    limits: { usd: whole.usd * part, calls: Math.ceil(whole.calls * part) },
  }
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
const wholeBudget = 'all'

/** A refusal holds for one day and one set of limits, so raising them lifts it. */
function refusalKey(books: Books): string {
  return JSON.stringify([today(books.clock, books.zone), limitsOf(books), books.config.models.share])
}

/** The shares that were refused a call today; `all` for the whole budget. */
function refusedToday(books: Books): string[] {
  const note = readChecked<{ key: string; shares: string[] }>(
    books.ledger,
    refusedNote,
    (value) => isObject(value) && isStrings(value.shares ?? []),
  )
  return note?.key === refusalKey(books) ? note.shares : []
}

function recordRefusal(books: Books, share: string): void {
  const shares = [...new Set([...refusedToday(books), share])]
  writeValue(books.ledger, refusedNote, { key: refusalKey(books), shares })
}

function limitsOf({ config }: Books): Spending {
  return { usd: config.models.dailyUsd, calls: config.models.dailyCalls }
}

function today(clock: Clock, zone: Zone): string {
  return zone.day(isoTime(clock.nowMs()))
}
