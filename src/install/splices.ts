// A change of a text as data: small enough to be kept in the record, exact enough to be taken back to the byte.

export interface Splice {
  /** Offset in the text before the change. */
  at: number
  removed: string
  added: string
}

/** Splices are in order and do not touch each other. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = ''
  let done = 0
  for (const { at, removed, added } of splices) {
    result += text.slice(done, at) + added
    done = at + removed.length
  }
  return result + text.slice(done)
}

export function takeBack(text: string, splices: readonly Splice[]): string {
  const back = inResult(splices).map(({ splice, start }) => ({
    at: start,
    removed: splice.added,
    added: splice.removed,
  }))
  return applySplices(text, back)
}

/**
 * The same change as if it had been made to another text: the splices are looked for by what they added, in order. With
 * `takeBack` this takes our text out of a file that has changed around it. Undefined where one of them is not to be found.
 */
export function findSplices(text: string, splices: readonly Splice[]): Splice[] | undefined {
  const found: Splice[] = []
  let from = 0
  let shift = 0
  for (const { removed, added } of splices) {
    const start = added ? text.indexOf(added, from) : -1
    if (start < 0) return undefined
    found.push({ at: start - shift, removed, added })
    shift += added.length - removed.length
    from = start + added.length
  }
  return found
}

/** Both changes as one: first `first`, then `second`, whose offsets are those of the text in between. */
export function joinSplices(first: readonly Splice[], second: readonly Splice[]): Splice[] {
  return second
    .toReversed()
    .reduce(joinOne, [...first])
    .filter(({ removed, added }) => removed !== added)
}

/** What the next splice touches becomes one splice with it, so that a later insertion into ours is part of ours. */
function joinOne(first: Splice[], next: Splice): Splice[] {
  const nextEnd = next.at + next.removed.length
  const placed = inResult(first)
  const touched = placed.filter(({ start, end }) => start <= nextEnd && end >= next.at)
  const before = placed.filter(({ end }) => end < next.at).map(({ splice }) => splice)
  const after = placed.filter(({ start }) => start > nextEnd).map(({ splice }) => splice)
  const start = Math.min(next.at, touched[0]?.start ?? next.at)
  const end = Math.max(nextEnd, touched.at(-1)?.end ?? nextEnd)

  let removed = ''
  let between = ''
  let done = start
  const keep = (until: number): void => {
    const text = next.removed.slice(done - next.at, until - next.at)
    removed += text
    between += text
  }
  for (const { splice, start: from, end: until } of touched) {
    if (from > done) keep(from)
    removed += splice.removed
    between += splice.added
    done = until
  }
  if (end > done) keep(end)

  const shift = before.reduce((sum, splice) => sum + splice.added.length - splice.removed.length, 0)
  const added = between.slice(0, next.at - start) + next.added + between.slice(nextEnd - start)
  return [...before, { at: start - shift, removed, added }, ...after]
}

interface Placed {
  splice: Splice
  /** Where its added text stands in the result. */
  start: number
  end: number
}

function inResult(splices: readonly Splice[]): Placed[] {
  let shift = 0
  return splices.map((splice) => {
    const start = splice.at + shift
    shift += splice.added.length - splice.removed.length
    return { splice, start, end: start + splice.added.length }
  })
}
