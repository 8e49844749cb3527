// Compares two statements by their words: same, conflict or other. In doubt they are "other",
// because two similar memories do less harm than one that absorbed another.

import { jaccard, sharedCount } from '../text/similarity.ts'
import { conceptOf } from '../text/synonyms.ts'
import { differingChoice, reversal } from './choices.ts'
import type { StatementTerm } from './clauses.ts'
import { type ConflictCertainty, isScoped, readStatement, type StatementReading } from './reading.ts'
import { replacement } from './replacement.ts'
import { differingLimits, goAsFar } from './roles/limits.ts'
import { differingOwner, differingRoles, haveOtherOrder } from './roles/roles.ts'
import { withoutAfter } from './roles/sequence.ts'
import { differingValue } from './value-slot.ts'
import { auxiliary, conditionWords, environments } from './word-classes.ts'

export type Relation = { kind: 'same' } | { kind: 'conflict'; isSure: boolean } | { kind: 'other' }

/** `later` was said after `earlier`. */
export function compare(later: string, earlier: string): Relation {
  const [mine, theirs] = [readStatement(later), readStatement(earlier)]
  // Otherwise "pnpm instead of npm" would contradict itself.
  if (mine.plain === theirs.plain) return { kind: 'same' }
  if (isTransposed(mine.plain, theirs.plain)) return { kind: 'conflict', isSure: false }
  if (mine.isQuestion || theirs.isQuestion || sharedCount(mine.all, theirs.all) === 0) return { kind: 'other' }
  const inOrder = comparedInOrder(mine, theirs)
  if (inOrder) return inOrder
  const replaced = replacement(later, earlier)
  // What has changed places, or is limited in another way, is never the same.
  const moved = differingRoles(mine, theirs) ?? differingLimits(mine, theirs)
  if (!replaced && !moved && isSame(mine, theirs))
    return goAsFar(mine, theirs) ? { kind: 'same' } : { kind: 'conflict', isSure: false }
  if (Math.max(mine.terms.length, theirs.terms.length) > maxTerms) return { kind: 'other' }
  const found = [
    replaced,
    moved,
    isScoped(mine, theirs) ? weakened(reversal(later, earlier)) : reversal(later, earlier),
    opposition(mine, theirs),
    differingChoice(later, earlier),
    differingValue(mine, theirs),
    differingOwner(mine, theirs),
    ending(mine, theirs) ?? ending(theirs, mine),
    returnToTopic(mine, theirs),
  ]
  const isSure = found.includes('sure')
  return isSure || found.includes('unsure') ? { kind: 'conflict', isSure } : { kind: 'other' }
}

function weakened(found: ConflictCertainty): ConflictCertainty {
  return found && 'unsure'
}

/** The same characters in another order, in scripts without spaces: 先测试再提交, 先提交再测试. */
function isTransposed(mine: string, theirs: string): boolean {
  if (mine.length !== theirs.length || !spaceless.test(mine)) return false
  return [...mine].sort().join('') === [...theirs].sort().join('')
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** "A before B" and "B after A" are compared in one form; undefined for all other pairs. */
function comparedInOrder(mine: StatementReading, theirs: StatementReading): Relation | undefined {
  const saysOnly = ({ all }: StatementReading, word: string, other: string) => all.has(word) && !all.has(other)
  const [before, after] = ['before', 'after'].map(conceptOf) as [string, string]
  const isMineLast = saysOnly(mine, after, before) && saysOnly(theirs, before, after)
  if (!isMineLast && !(saysOnly(theirs, after, before) && saysOnly(mine, before, after))) return undefined
  const turned = withoutAfter((isMineLast ? mine : theirs).said)
  if (turned === undefined) return undefined
  return isMineLast ? compare(turned, theirs.said) : compare(mine.said, turned)
}

/** A longer statement says several things; that one of them contradicts another is a guess. */
const maxTerms = 25

function isSame(mine: StatementReading, theirs: StatementReading): boolean {
  const [a, b] = [mine.all, theirs.all]
  if (!isWithin(a, b)) return false
  // A name in one of them makes it a statement about less.
  const values = new Set([...mine.terms, ...theirs.terms].filter(isValue).map(({ term }) => term))
  const [fewer, others] = a.size < b.size ? [a, b] : [b, a]
  if (fewer.size < 4 && [...others].some((term) => values.has(term) && !fewer.has(term))) return false
  // A name that both have weighs more than a word.
  const names = new Set([...values].filter((term) => !term.startsWith('§')))
  const weightOf = (terms: ReadonlySet<string>) => terms.size + sharedCount(terms, names)
  const [less, more] = [weightOf(a), weightOf(b)].toSorted((one, other) => one - other) as [number, number]
  if (less / more < minSimilarity(less)) return false
  if (mine.isPermission !== theirs.isPermission || mine.isExemption !== theirs.isExemption) return false
  if (mine.tense !== theirs.tense || !sameFrame(mine, theirs)) return false
  if (flippedTerms(mine, theirs).size > 0) return false
  return [...a].some((term) => (mine.asserted.has(term) ? theirs.asserted : theirs.rejected).has(term))
}

/** One more word changes a short statement more than a long one. */
function minSimilarity(weight: number): number {
  return weight <= 2 ? 1 : weight === 3 ? 0.75 : weight === 4 ? 0.6 : 0.5
}

/** If each has a word that the other lacks, they differ: tabs and spaces, orders and billing. */
function isWithin(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean {
  return sharedCount(mine, theirs) === Math.min(mine.size, theirs.size)
}

/** Terms that one asserts and the other rejects. */
function flippedTerms(mine: StatementReading, theirs: StatementReading): Set<string> {
  const shared = [...deniedOf(mine, theirs), ...deniedOf(theirs, mine)]
  if (isExchange(mine, theirs)) return new Set(shared)
  // "Use pnpm instead of npm for installs" and "never use npm for installs": the purpose is no flip.
  const rejectsCommon = [...mine.rejected].some((term) => theirs.rejected.has(term))
  const isOpposed = (term: string) => !rejectsCommon || isLacking(mine, term) || isLacking(theirs, term)
  return new Set(shared.filter((term) => (isCore(mine, term) && isCore(theirs, term)) || isOpposed(term)))
}

/** Terms that the first only rejects and the second only asserts. */
function deniedOf(denying: StatementReading, stating: StatementReading): string[] {
  return [...denying.rejected].filter(
    (term) => !denying.asserted.has(term) && stating.asserted.has(term) && !stating.rejected.has(term),
  )
}

/** "With pnpm, never with npm" and "with npm, never with pnpm". */
function isExchange(mine: StatementReading, theirs: StatementReading): boolean {
  return deniedOf(mine, theirs).length > 0 && deniedOf(theirs, mine).length > 0
}

/** "Merge without a review". */
function isLacking({ terms }: StatementReading, term: string): boolean {
  return terms.some((one) => one.term === term && one.isRejected && one.preposition === 'without')
}

function isCore({ terms }: StatementReading, term: string): boolean {
  return terms.some((one) => one.term === term && !one.isContext)
}

/** Whether conditions, environments and directions are the same. */
function sameFrame(mine: StatementReading, theirs: StatementReading): boolean {
  const [a, b] = [mine.all, theirs.all]
  if ([...conditions, ...environments].some((term) => a.has(term) !== b.has(term))) return false
  if (differIn(mine, theirs, 'my', 'your') || differIn(mine, theirs, 'and', 'or')) return false
  return !mine.terms.some(({ term, preposition }) =>
    theirs.terms.some((other) => other.term === term && isOtherWay(preposition, other.preposition)),
  )
}

function differIn(
  { particles: mine }: StatementReading,
  { particles: theirs }: StatementReading,
  a: string,
  b: string,
) {
  const isOnly = (one: ReadonlySet<string>, word: string, other: string) => one.has(word) && !one.has(other)
  return (isOnly(mine, a, b) && isOnly(theirs, b, a)) || (isOnly(mine, b, a) && isOnly(theirs, a, b))
}

function isOtherWay(one: string, other: string): boolean {
  return contrary.has(`${one} ${other}`) || contrary.has(`${other} ${one}`)
}

const contrary = new Set(['from to', 'by to', 'before after', 'until after', 'above below', 'with without', 'by from'])
/** A word that ends something is never a detail. */
const endings = 'drop remove replace retire deprecate skip ignore revert undo abandon discontinue'.split(' ')
const conditions: readonly string[] = [...conditionWords, ...endings].map(conceptOf)

/** One rejects what the other asserts. */
function opposition(mine: StatementReading, theirs: StatementReading): ConflictCertainty {
  if (isExchange(mine, theirs) && jaccard(mine.all, theirs.all) === 1) return 'sure'
  const found = [isRejectedBy(mine, theirs), isRejectedBy(theirs, mine)]
  return found.includes('sure') ? 'sure' : found.find((one) => one !== undefined)
}

function isRejectedBy(denying: StatementReading, stating: StatementReading): ConflictCertainty {
  const { guarded } = denying
  if (guarded && guarded.thing.size > 1 && sharedCount(guarded.unless, stating.asserted) === 0)
    return isWithin(guarded.thing, stating.asserted) && jaccard(guarded.thing, stating.asserted) >= 0.6
      ? 'unsure'
      : undefined
  if (denying.rejected.size === 0 || stating.asserted.size === 0) return undefined
  // Both reject the same thing, and not only words that the other half repeats.
  const isRejected = (term: string) => denying.rejected.has(term) && !denying.asserted.has(term)
  if ([...stating.rejected].some((term) => isRejected(term) && !stating.asserted.has(term))) return undefined
  const flipped = flippedTerms(denying, stating)
  if (flipped.size === 0) return undefined
  const common = [...denying.asserted].filter((term) => stating.asserted.has(term))
  const denied = new Set([...denying.rejected, ...common])
  const topic = jaccard(denied, stating.asserted)
  // "Log nothing", "log everything".
  if (denying.all.size === 1 && stating.all.size === 1) return 'unsure'
  const isEither = denying.asserted.size > 0 && stating.rejected.size > 0 && flippedTerms(stating, denying).size > 1
  if (topic < 0.6 || (Math.min(denied.size, stating.asserted.size) < 2 && !isEither)) return undefined
  const isInside = isWithin(denied, stating.asserted)
  if (!isInside && (!sameValues(denying, stating) || !sameEnvironments(denied, stating.asserted))) return undefined
  // A rule for the parser is an exception to one for all code, or the end of it.
  const isNarrower = isNarrowerThan(denying, stating) || isNarrowerThan(stating, denying)
  return topic >= 0.75 && isInside && !isNarrower && sameFrame(denying, stating) && !haveOtherOrder(denying, stating)
    ? 'sure'
    : 'unsure'
}

/** Whether it is about fewer things than the other; a verb more limits nothing. */
function isNarrowerThan(mine: StatementReading, theirs: StatementReading): boolean {
  if (isScoped(mine, theirs)) return true
  const [{ terms, rejected }, { all }] = [mine, theirs]
  const isDenial = rejected.size > 0
  return terms.some(({ term, isContext, isBehindVerb, previous, isRejected }) => {
    if (all.has(term)) return false
    // What a denial recommends instead is no limit of it, but its subject is.
    return (isRejected || !isDenial || !isBehindVerb) && (isContext || (previous !== '' && !auxiliary.test(previous)))
  })
}

function sameEnvironments(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...environments].every((term) => a.has(term) === b.has(term))
}

/** One may have more values than the other, but neither has different ones. */
function sameValues(mine: StatementReading, theirs: StatementReading): boolean {
  const valuesOf = ({ terms }: StatementReading) => new Set(terms.filter(isValue).map(({ term }) => term))
  return isWithin(valuesOf(mine), valuesOf(theirs))
}

function isValue({ quantity, isName }: StatementTerm): boolean {
  return quantity !== undefined || isName
}

/** "Drop Python 3.9", "keep Python 3.9": the one only adds that it ends. */
function ending(mine: StatementReading, theirs: StatementReading): ConflictCertainty {
  if (mine.rejected.size > 0 || theirs.rejected.size > 0 || mine.asserted.size !== theirs.asserted.size + 1)
    return undefined
  const [added, ...others] = [...mine.asserted].filter((term) => !theirs.asserted.has(term))
  return others.length === 0 && endings.map(conceptOf).includes(added!) ? 'unsure' : undefined
}

/** The later statement says itself that something has changed, and it is about the same. */
function returnToTopic(mine: StatementReading, theirs: StatementReading): ConflictCertainty {
  // Two reports of a change are more often about the same change.
  if (!mine.isChange || theirs.isChange) return undefined
  const [a, b] = [mine.all, theirs.all]
  if (sharedCount(a, b) < 2 || jaccard(a, b) < 0.5 || !sameEnvironments(a, b)) return undefined
  // "Classes are allowed in the frontend now" is not about the frontend.
  const core = [...a].filter((term) => isCore(mine, term))
  if (core.length > 0 && !core.some((term) => b.has(term))) return undefined
  // Another name or number before the verb is another subject.
  const isOtherSubject = (one: StatementReading, other: ReadonlySet<string>) =>
    one.terms.some((term) => isValue(term) && !term.isBehindVerb && !other.has(term.term))
  return isOtherSubject(mine, b) && isOtherSubject(theirs, a) ? undefined : 'unsure'
}
