// Finds two statements that give different values to the same thing: "the timeout is 30 s", "the
// timeout is 60 s". Numbers and names that tell two things apart are not values: shard 1 and
// shard 2, Python 3.11 and 3.12, staging and production.
import type { StatementTerm } from './clauses.ts'
import type { ConflictCertainty, StatementReading } from './reading.ts'
import { environments } from './word-classes.ts'

/** How sure it is that the statements give one thing different values. */
export function differingValue(mine: StatementReading, theirs: StatementReading): ConflictCertainty {
  // Two things that are both forbidden do not contradict each other.
  if (mine.rejected.size > 0 || theirs.rejected.size > 0) return undefined
  const [one, other] = [termsBut(mine, theirs), termsBut(theirs, mine)]
  const shared = mine.terms.filter(({ term }) => theirs.asserted.has(term))
  if (shared.length === 0 || one.length === 0 || other.length === 0) return undefined
  if (!isRun(mine, one) || !isRun(theirs, other)) return undefined
  if ([...one, ...other].some(({ term }) => environments.has(term))) return undefined
  const isChange = mine.isChange
  const [value, was] = [one[0]!, other[0]!]
  if (value.quantity !== undefined || was.quantity !== undefined) {
    if (value.quantity !== was.quantity || (one.length > 1 && other.length > 1)) return undefined
    if ([...one.slice(1), ...other.slice(1)].some(({ isContext }) => !isContext)) return undefined
    const found = quantityCertainty(value, was, mine, shared)
    // "… in the EU" may be a case of its own.
    return found && one.length + other.length > 2 ? 'unsure' : found
  }
  if (!value.isBehindVerb || !was.isBehindVerb || one.length > 3 || other.length > 3) return undefined
  if ([...one, ...other].some(isIdentifier)) return undefined
  const isOnePhrase = [...one, ...other].every(({ preposition }) => preposition === value.preposition)
  if (!isOnePhrase || [...one, ...other].some(({ word }) => attribute.test(word))) return undefined
  if (shared.some(hasRole) && shared.every((term) => !term.isBehindVerb || term.isContext)) return 'sure'
  const isNamed = one.some(isName) && other.some(isName)
  if (isNamed && value.isContext && slots.has(value.preposition)) return isChange ? 'sure' : 'unsure'
  // "Tests run with pnpm", "tests run with npm".
  if (
    value.isContext &&
    value.preposition === was.preposition &&
    /^(?:from|to|with)$/.test(value.preposition) &&
    shared.length >= 2
  )
    return 'unsure'
  return isNamed && !value.isContext && shared.every((term) => !term.isBehindVerb) ? 'unsure' : undefined
}

function termsBut({ terms }: StatementReading, { asserted }: StatementReading): StatementTerm[] {
  return terms.filter(({ term }) => !asserted.has(term))
}

/** Whether the terms stand together: differences in two places are two things. */
function isRun({ terms }: StatementReading, some: readonly StatementTerm[]): boolean {
  const from = terms.indexOf(some[0]!)
  return some.every((term, index) => terms[from + index] === term)
}

function hasRole({ word, isBehindVerb }: StatementTerm): boolean {
  return !isBehindVerb && roles.has(word)
}

function isName({ isName: isNamed, quantity }: StatementTerm): boolean {
  return isNamed && quantity === undefined
}

/**
 * A number before the verb names the subject (`Python 3.12 builds take 9 minutes`) if another number
 * is its value; alone it may be either. So may one behind the noun that it numbers (`shard 2`).
 */
function quantityCertainty(
  value: StatementTerm,
  was: StatementTerm,
  { terms }: StatementReading,
  shared: readonly StatementTerm[],
): ConflictCertainty {
  if (shared.every(({ quantity }) => quantity !== undefined)) return undefined
  if (!value.isBehindVerb && terms.some(({ isBehindVerb }) => isBehindVerb)) {
    const hasValue = terms.some((term) => term !== value && term.isBehindVerb && term.quantity !== undefined)
    return hasValue ? undefined : 'unsure'
  }
  const isNumbered =
    value.quantity === 'number' &&
    numbers(value.previous) &&
    !roles.has(value.previous) &&
    value.previous === was.previous
  return isNumbered ? 'unsure' : 'sure'
}

/** Whether a number behind this word may belong to it as a name. */
function numbers(word: string): boolean {
  return (
    /^\p{L}{2,}$/u.test(word) &&
    !/^(?:is|are|to|at|by|of|for|in|with|below|above|minimum|maximum|be|than|every|after|within|use|has|have|takes?|lasts?|with)$/.test(
      word,
    )
  )
}

/** Things with one value at a time. */
const roles: ReadonlySet<string> = new Set(
  `address age attempts branch budget channel concurrency convention count coverage day deadline default depth
  domain editor endpoint engineer flag folder format frequency guide home host hostname id interval key language lead
  length level license limit locale location machine maintainer manager maximum minimum mode name number os owner
  password path period platform plan port prefix primary priority provider quota rate ratio registry remote retention
  reviewer region role room schema shell size standard style tag target theme threshold time timeout timezone title ttl
  type tz uri url user username value version width window zone`.split(/\s+/),
)

/** Behind these is what something is made with, or where it is. */
const slots = new Set(['to', 'in', 'on', 'with', 'at', 'by', 'from', 'as', 'for'])

/** `service-a`, `worker-1`, `user_id`, `v2`; S3 and H2 are names of products. */
function isIdentifier({ term, isName: isNamed }: StatementTerm): boolean {
  return /[\d_]|^\p{L}+-\p{L}$/u.test(term) && !(isNamed && /^(?!v\d)[a-z]+\d$/.test(term))
}

/** Participles and adverbs describe; several of them may hold. */
const attribute = /(?:[^e]ed|ing|ly|able|ible|ful|less|\w{3}en)$/
