// The candidates that are near in meaning. Whatever fails here, the words still answer.
import type { Access } from '../caller.ts'
import type { Services } from '../services.ts'
import type { Filter } from './candidates.ts'
import type { Plan } from './plan.ts'
import { importanceFactor, type Scored } from './score.ts'
import { hasVectors, nearest } from './vectors.ts'

export type Meaning = { kind: 'off' } | { kind: 'failed' } | { kind: 'used'; near: Scored[] }

export async function byMeaning(
  services: Services,
  accesses: readonly Access[],
  { query, phrases, without }: Plan,
  filter: Filter,
): Promise<Meaning> {
  const { embed, database } = services
  // What must be there, or must not, is checked by words alone.
  const isStrict = phrases.length + without.length > 0
  if (!embed || isStrict || query.text.trim() === '' || accesses.length === 0) return { kind: 'off' }
  if (!(await hasVectors(database))) return { kind: 'failed' }
  try {
    const [vector] = await embed([query.text])
    const near = await nearest(database, accesses, { model: embed.model, vector: vector! }, filter)
    const scored = near.map((one) => ({ ...one, fit: one.likeness, score: one.likeness * importanceFactor(one) }))
    return { kind: 'used', near: scored.filter(({ likeness }) => likeness > 0).sort((a, b) => b.score - a.score) }
  } catch {
    return { kind: 'failed' }
  }
}
