// What the overview says about the store and the hooks. Reading settings of agents and sizes of folders takes
// milliseconds, so the result is kept for a minute.
import type { HealthCheck } from '../doctor/check.ts'
import { hookChecks } from '../doctor/hooks.ts'
import { type BudgetState, budgetState } from '../models/governor.ts'
import { type StorageState, storageState } from '../retain/describe.ts'
import type { Ledger } from '../store/ledger.ts'
import type { PageRequest } from './request.ts'

export interface StoreState {
  storage: StorageState
  budget: BudgetState
  /** Checks of hooks that failed. */
  hooks: HealthCheck[]
}

const keptMs = 60_000
const kept = new WeakMap<Ledger, { atMs: number; state: StoreState }>()

export function storeState({ app, ledger, program }: Pick<PageRequest, 'app' | 'ledger' | 'program'>): StoreState {
  const nowMs = app.clock.nowMs()
  const known = kept.get(ledger)
  if (known && nowMs - known.atMs < keptMs) return known.state
  const state = {
    storage: storageState(ledger, app.config),
    budget: budgetState({ ...app, ledger }),
    hooks: hookChecks(app, program, ledger).filter(({ ok }) => !ok),
  }
  kept.set(ledger, { atMs: nowMs, state })
  return state
}
