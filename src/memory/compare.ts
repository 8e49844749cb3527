// Compares two statements by their words: same, conflict or other. In doubt they are "other",
// because two similar memories do less harm than one that absorbed another.

import { sharedCount } from '../text/similarity.ts'
import { type StatementTerms, statementSimilarity, statementTerms, topicSimilarity } from '../text/statement.ts'
import { choosesDifferently, reversal } from './choices.ts'

export type Relation = { kind: 'same' } | { kind: 'conflict'; isSure: boolean } | { kind: 'other' }

/** `later` was said after `earlier`. */
export function compare(later: string, earlier: string): Relation {
  // Otherwise "pnpm instead of npm" would contradict itself.
  if (plain(later) === plain(earlier)) return { kind: 'same' }
  const mine = withDays(statementTerms(later))
  const theirs = withDays(statementTerms(earlier))
  const reversed = reversal(later, earlier)
  if (reversed === 'sure' || replaces(later, mine, theirs)) return { kind: 'conflict', isSure: true }
  if (reversed === 'unsure') return { kind: 'conflict', isSure: false }
  const topic = topicSimilarity(mine, theirs)
  const isAbout = Math.min(mine.words.size, theirs.words.size) >= 2 && topic >= 0.6
  if (mine.isNegative !== theirs.isNegative) return compareOpposites(mine, theirs)
  if (isShort(mine) && isShort(theirs) && choosesDifferently(later, earlier)) return { kind: 'conflict', isSure: true }
  if (isSame(mine, theirs))
    return isTurned(later, earlier, mine, theirs) ? { kind: 'conflict', isSure: true } : { kind: 'same' }
  // Two things that are both forbidden do not contradict each other.
  const place = isAbout && !mine.isNegative && isWithin(mine, theirs) ? differingNumber(later, mine, theirs) : 'none'
  return place === 'none' ? { kind: 'other' } : { kind: 'conflict', isSure: topic >= 0.8 && place === 'value' }
}

/** One of them forbids, the other demands or permits. */
function compareOpposites(one: StatementTerms, other: StatementTerms): Relation {
  const [mine, theirs] = [withoutPermission(one), withoutPermission(other)]
  const topic = topicSimilarity(mine, theirs)
  const size = ({ words, values }: StatementTerms) => words.size + values.size
  const isAbout = mine.words.size > 0 && Math.min(size(mine), size(theirs)) >= 2 && topic >= 0.6
  if (!isAbout || !sameValues(mine, theirs)) return { kind: 'other' }
  return { kind: 'conflict', isSure: topic >= 0.75 && isWithin(mine, theirs) }
}

/** "Deploying on Fridays is fine again" is about the same as "never deploy on Fridays". */
function withoutPermission({ words, ...others }: StatementTerms): StatementTerms {
  return { ...others, words: new Set([...words].filter((word) => !permission.test(word))) }
}

/** Stems. */
const permission = /^(?:fine|ok|okai|allow|permit|accept|again|anymor|need|now|you|can|mai)$/

/** A choice and its purpose, and nothing else. */
function isShort({ words, values }: StatementTerms): boolean {
  return words.size + values.size <= 3
}

/** Days of the week count as values, like numbers. */
function withDays({ words, values, isNegative }: StatementTerms): StatementTerms {
  const days = [...words].filter((word) => dayName.test(word))
  if (days.length === 0) return { words, values, isNegative }
  const others = [...words].filter((word) => !dayName.test(word))
  return { words: new Set(others), values: new Set([...values, ...days]), isNegative }
}

/** Stems of the days of the week. */
const dayName = /^(?:mon|tues|wednes|thurs|fri|satur|sun)dai$/

/** Punctuation inside the text is kept: `C` is not `C++`. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[ .!]+$/, '')
    .trim()
}

/** If each has a word that the other lacks, they differ: tabs and spaces, orders and billing. */
function isWithin(mine: StatementTerms, theirs: StatementTerms): boolean {
  return sharedCount(mine.words, theirs.words) === Math.min(mine.words.size, theirs.words.size)
}

function isSame(mine: StatementTerms, theirs: StatementTerms): boolean {
  if (!sameValues(mine, theirs) || !isWithin(mine, theirs)) return false
  return statementSimilarity(mine, theirs) >= 0.6 || Math.min(mine.words.size, theirs.words.size) >= 4
}

/** One may have more values than the other, but neither has different ones. */
function sameValues({ values: mine }: StatementTerms, { values: theirs }: StatementTerms): boolean {
  return sharedCount(mine, theirs) === Math.min(mine.size, theirs.size)
}

/**
 * Whether only one number (`port 3000`, `port 8080`) or only days differ, and what the number is. Other
 * different names, and several different numbers (`shard 1 … port 5001`), are more often two
 * subjects than two values of one. So is a number before the verb (`Python 3.12 builds take 9
 * minutes`): with another number as its value it names the subject, alone it may be either.
 */
function differingNumber(
  later: string,
  { values: mine }: StatementTerms,
  { values: theirs }: StatementTerms,
): 'none' | 'value' | 'unclear' {
  const onlyMine = [...mine].filter((value) => !theirs.has(value))
  const onlyTheirs = [...theirs].filter((value) => !mine.has(value))
  const all = [...onlyMine, ...onlyTheirs]
  if (onlyMine.length === 0 || onlyMine.length !== onlyTheirs.length) return 'none'
  if (all.every((value) => dayName.test(value))) return 'value'
  if (onlyMine.length > 1 || !all.every((value) => number.test(value))) return 'none'
  const [differing] = onlyMine
  const behind = plain(later).split(differing!).slice(1).join(differing)
  if (!verb.test(behind)) return 'value'
  const hasValue = [...mine].some((value) => value !== differing && number.test(value) && behind.includes(value))
  return hasValue ? 'none' : 'unclear'
}

const number = /^v?\d[\d.,:%]*\w{0,3}$/

/** Verbs that follow a subject. */
const verb =
  /\b(?:is|isn't|are|aren't|was|were|has|have|does|doesn't|do|don't|must|should|shall|can|cannot|can't|will|won't|takes?|needs?|requires?|runs?|uses?|listens?|lives?|fails?|works?|costs?|supports?|stays?|goes|go|gets?|keeps?|writes?|reads?|stores?|owns?|handles?|belongs?|points?|serves?|breaks?|drops?|starts?|ends?)\b/

/**
 * `pnpm, never npm` and `npm, never pnpm` have the same words, but each forbids what the other
 * wants.
 */
function isTurned(later: string, earlier: string, mine: StatementTerms, theirs: StatementTerms): boolean {
  const [denied, deniedThere] = [deniedIn(later), deniedIn(earlier)]
  const isOverruled = (one: Set<string>, by: StatementTerms, other: Set<string>) =>
    [...one].some((word) => !other.has(word) && (by.words.has(word) || by.values.has(word)))
  return isOverruled(denied, theirs, deniedThere) && isOverruled(deniedThere, mine, denied)
}

function deniedIn(text: string): Set<string> {
  const found = [...text.toLowerCase().matchAll(denying)].map((match) => statementTerms(match[1]!))
  return new Set(found.flatMap(({ words, values }) => [...words, ...values]))
}

const denying =
  /\b(?:never|not|don't|dont|avoid|no|instead of|rather than)\s+(?:use |using |the |our |an? )*([\w./@+-]+)/g

/** `pnpm instead of npm` retracts earlier statements for npm. */
function replaces(later: string, mine: StatementTerms, theirs: StatementTerms): boolean {
  if (theirs.isNegative) return false
  for (const match of later.toLowerCase().matchAll(replacing)) {
    const { words, values } = statementTerms(match[1]!)
    const gone = [...words, ...values]
    const isThere = gone.length > 0 && gone.every((word) => theirs.words.has(word) || theirs.values.has(word))
    if (!isThere) continue
    const rest = [...theirs.words, ...theirs.values].filter((word) => !gone.includes(word))
    const common = rest.filter((word) => mine.words.has(word) || mine.values.has(word)).length
    if (common >= Math.max(1, rest.length / 3)) return true
  }
  return false
}

const replacing =
  /\b(?:instead of|rather than|no longer (?:uses?|using|with|on)?|not use|stop using|away from|(?:switch|move|migrat|chang)\w* from|replac\w+ (?=[\w./@+-]+ (?:with|by)\b)|drop(?:s|ped|ping)? (?:support for|the use of|using)|in place of)\s+(?:the |our |an? )?([\w./@+-]+)/g
