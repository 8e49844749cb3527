// What was superseded is answered by what took its place, however often that happened.
import type { Queries } from '../database/database.ts'
import { type FoundItem, keyOf, type Place, readFound } from './found-items.ts'

const deepestChain = 10

/** For each place the last of its chain that is there and may be seen; the item itself where nothing took its place. */
export async function withSuccessors(queries: Queries, places: readonly Place[]): Promise<(FoundItem | undefined)[]> {
  const known = await readFound(queries, places)
  const chains = places.map((place) => {
    const first = known.get(keyOf(place))
    return { last: first, seen: new Set(first ? [first.id] : []), next: nextOf(first) }
  })
  for (let depth = 0; depth < deepestChain; depth++) {
    const missing = chains.flatMap(({ next }) => (next && !known.has(keyOf(next)) ? [next] : []))
    for (const [key, item] of await readFound(queries, missing)) known.set(key, item)
    for (const chain of chains) {
      const item = chain.next && known.get(keyOf(chain.next))
      // Two that name each other end where they began.
      const isNew = item !== undefined && !chain.seen.has(item.id)
      if (isNew) chain.last = item
      if (isNew) chain.seen.add(item.id)
      chain.next = isNew ? nextOf(item) : undefined
    }
  }
  return chains.map(({ last }) => last)
}

function nextOf(item: FoundItem | undefined): Place | undefined {
  return item?.next ? { access: item.access, id: item.next } : undefined
}
