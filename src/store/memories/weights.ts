// What a search weighs memories by: it weighs hundreds and shows a few, and reading one whole costs ten times as much.
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'

export type MemoryRankingFields = Pick<
  Memory,
  'state' | 'status' | 'trust' | 'importance' | 'supersededBy' | 'doubt'
> & {
  counts: Pick<Memory['counts'], 'said'>
}

type Row = [number, Memory['state'], Memory['status'], Memory['trust'], number, string | null, string | null, number]

/** By their numbers. */
export function memoryRankingFields(ledger: Ledger, numbers: readonly number[]): Map<number, MemoryRankingFields> {
  if (numbers.length === 0) return new Map()
  const statement = ledger.sql(
    `SELECT number, state, status, trust, importance, superseded_by, doubt, said FROM memories
     WHERE number IN (SELECT value FROM json_each(?))`,
  )
  statement.setReturnArrays(true)
  const rows = statement.all(JSON.stringify(numbers)) as unknown as Row[]
  return new Map(
    rows.map(([number, state, status, trust, importance, supersededBy, doubt, said]) => [
      number,
      { state, status, trust, importance, supersededBy, doubt, counts: { said } },
    ]),
  )
}
