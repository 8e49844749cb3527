// Finds statements that differ in how far they go: at least and at most, always and sometimes, more
// and less, ascending and descending. All else must be equal.
import { sharedCount } from '../../text/similarity.ts'
import { conceptOf } from '../../text/synonyms.ts'
import type { ConflictCertainty, StatementReading } from '../reading.ts'

/** Never sure: "at least 3" and "at most 5" may both hold. */
export function differingLimits(mine: StatementReading, theirs: StatementReading): ConflictCertainty {
  const shared = sharedCount(mine.all, theirs.all)
  const isOnlyOrExcept = (a: StatementReading, b: StatementReading) => a.particles.has('only') && b.all.has(except)
  if (isOnlyOrExcept(mine, theirs) || isOnlyOrExcept(theirs, mine))
    return shared > 1 && Math.abs(mine.all.size - theirs.all.size) <= 2 ? 'unsure' : undefined
  const isOnlyOrAny = (a: StatementReading, b: StatementReading) => a.particles.has('only') && b.particles.has('any')
  if (isOnlyOrAny(mine, theirs) || isOnlyOrAny(theirs, mine))
    return shared > 0 && Math.abs(mine.all.size - theirs.all.size) <= 2 ? 'unsure' : undefined
  const [rest, others] = [mine.all.size - shared, theirs.all.size - shared]
  if (rest > 1 || others > 1 || shared === 0) return undefined
  const [one, other] = [restOf(mine, theirs), restOf(theirs, mine)]
  if (rest === 1 && others === 1) {
    // "Do not leave it", "remove it".
    const isAligned = mine.rejected.has(one!) === theirs.rejected.has(other!)
    return isAligned && contraries.get(one!)?.has(other!) ? 'unsure' : undefined
  }
  // "Cache unless it is private", "cache only if it is private".
  if ((one === unless && others === 0) || (other === unless && rest === 0)) return shared > 1 ? 'unsure' : undefined
  const isLess = (term: string | undefined, { particles }: StatementReading) =>
    term !== undefined && lesser.has(term) && particles.has('more')
  if (isLess(one, theirs) || isLess(other, mine)) return 'unsure'
  const isLimited = rest === 0 && others === 0 && !goAsFar(mine, theirs)
  return isLimited ? 'unsure' : undefined
}

function restOf(mine: StatementReading, theirs: StatementReading): string | undefined {
  for (const term of mine.all) if (!theirs.all.has(term)) return term
  return undefined
}

/** Not "only on Fridays" and "on Fridays", nor "always" and "sometimes". */
export function goAsFar({ particles: mine }: StatementReading, { particles: theirs }: StatementReading): boolean {
  if (mine.has('some') !== theirs.has('some')) return false
  // "Staging can only be reached when connected", "you must be connected to reach staging".
  return mine.has('only') === theirs.has('only') || mine.has('must') || theirs.has('must')
}

const except = conceptOf('except')
const unless = conceptOf('unless')
const lesser = new Set(['less', 'fewer'].map(conceptOf))

/** Of a thing one of them holds. Names such as upload and download are no contraries. */
const contraries = new Map<string, Set<string>>()
for (const line of `
  minimum,above below,maximum
  long short
  large small
  high low
  early late
  earlier later
  fast slow
  ascending descending,desc
  asc desc,descending
  strict loose,lenient
  sync,synchronous async,asynchronous
  mutable immutable
  verbose,detailed short
  lazy,lazily eager,eagerly
  nested flat
  relative absolute
  implicit explicit
  upper lower
  uppercase lowercase
  singular plural
  open closed
  inside outside
  first last
  newest oldest
  increase decrease
  raise lower
  push pull
  many few
  locally remotely
  automatically manually
  blocking non-blocking
  optimistic pessimistic
  required optional
  more fewer,less
  single double
  upwards downwards
  allow block,deny,reject
  accept reject,refuse,decline
  keep drop,split,discard,retire
  leave remove
  fast late
  cold,cool warm,hot
  left right
  even odd
  green red
  pass,succeed fail
  optin optout
  online offline
  public private
  horizontal vertical
  plain encrypted
  empty full
  before after
`
  .trim()
  .split('\n')) {
  const [left, right] = line
    .trim()
    .split(' ')
    .map((words) => words.split(',').map(conceptOf)) as [string[], string[]]
  for (const one of left) for (const other of right) addContrary(one, other)
}

function addContrary(one: string, other: string): void {
  contraries.set(one, (contraries.get(one) ?? new Set()).add(other))
  contraries.set(other, (contraries.get(other) ?? new Set()).add(one))
}
