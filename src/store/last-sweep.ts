// What the last sweep did, for `status` and `doctor`.
import type { Json } from '../core/session.ts'
import { deleteValue, isObject, readValue, writeValue } from './key-values.ts'
import type { Ledger } from './ledger.ts'

export interface LastSweep extends Record<string, Json | undefined> {
  at: string
  ingested: number
  ms: number
}

const sweepKey = 'last sweep'

export function saveLastSweep(ledger: Ledger, at: string, counts: Record<string, number>): void {
  writeValue(ledger, sweepKey, { at, ...counts })
}

export function lastSweep(ledger: Ledger): LastSweep | undefined {
  const saved = objectOf(readValue(ledger, sweepKey))
  const { at, ingested, ms } = saved
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return undefined
  return { ...saved, at, ingested: Number(ingested) || 0, ms: Number(ms) || 0 }
}

export interface StageFailure {
  stage: string
  reason: string
}

const failuresKey = 'failed stages'

/** Writes only if there is or was a failure: most sweeps have none. */
export function saveFailedStages(ledger: Ledger, failures: readonly StageFailure[]): void {
  if (failures.length > 0)
    writeValue(
      ledger,
      failuresKey,
      failures.map(({ stage, reason }) => ({ stage, reason: reason.slice(0, 500) })),
    )
  else if (readValue(ledger, failuresKey) !== undefined) deleteValue(ledger, failuresKey)
}

export function failedStages(ledger: Ledger): StageFailure[] {
  const saved = readValue(ledger, failuresKey)
  if (!Array.isArray(saved)) return []
  return saved.map((one) => ({ stage: String(objectOf(one).stage), reason: String(objectOf(one).reason) }))
}

function objectOf(value: Json | undefined): Record<string, Json | undefined> {
  return value !== undefined && isObject(value) ? value : {}
}
