// Remembers the usage of the latest answers by the id of their entry, for programs that correct it
// later.
import type { Json, Usage } from '../../core/session.ts'
import { asArray, asString, optionalString } from '../json-values.ts'

export type CountedResponse = Pick<Usage, 'key' | 'ts' | 'model'>

export interface Responses {
  add(entry: string, response: CountedResponse): void
  find(entry: string): CountedResponse | undefined
  state(): Json
}

/** Corrections follow while the answer's own tools run. */
const maxResponses = 100

export function trackResponses(state: Json | undefined): Responses {
  const known = new Map<string, CountedResponse>(
    asArray(state).map((saved) => {
      const [entry, key, ts, model] = asArray(saved)
      return [
        asString(entry),
        { key: asString(key), ts: optionalString(ts) ?? null, model: optionalString(model) ?? null },
      ]
    }),
  )
  return {
    add(entry, { key, ts, model }) {
      if (!entry) return
      known.set(entry, { key, ts, model })
      if (known.size > maxResponses) known.delete(known.keys().next().value!)
    },
    find: (entry) => known.get(entry),
    state: () => [...known].map(([entry, { key, ts, model }]) => [entry, key, ts, model]),
  }
}
