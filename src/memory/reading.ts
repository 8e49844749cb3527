// Reads a statement as what it asserts and what it rejects: "log to stderr, not stdout" asserts
// `log` and `stderr` and rejects `stdout`. Statements are compared by these terms.

import { isNegative } from '../text/negation.ts'
import { unifyPhrases } from '../text/synonyms.ts'
import { type StatementTerm, termsIn } from './clauses.ts'
import { unifyQuantities } from './quantities.ts'
import { inEnglish } from './roles/in-english.ts'
import { unifySequence } from './roles/sequence.ts'

export interface StatementReading {
  /** The statement without differences of case and spacing. */
  plain: string
  /** In lower case, with phrases, quantities and order unified: what `terms` are read from. */
  said: string
  /** Its proper names. */
  names: ReadonlySet<string>
  terms: StatementTerm[]
  asserted: Set<string>
  rejected: Set<string>
  /** Asserted and rejected terms. */
  all: Set<string>
  /** "Never push without a review": pushing is rejected unless there is a review. */
  guarded: { thing: Set<string>; unless: Set<string> } | undefined
  /** Allows something and does not demand it. */
  isPermission: boolean
  /** Says that there is no duty, which is not a ban. */
  isExemption: boolean
  tense: 'past' | 'present' | 'future'
  /** Says that something is different from before: "scratch that", "from now on". */
  isChange: boolean
  isQuestion: boolean
  /** Words that tell apart statements of the same terms: whose, and or or, only, some, more. */
  particles: Set<string>
}

/** How sure it is that two statements contradict each other; undefined if they do not. */
export type ConflictCertainty = 'sure' | 'unsure' | undefined

/** Whether it says where, when or for what, and the other does not. */
export function isScoped({ terms }: StatementReading, { all }: StatementReading): boolean {
  return terms.some(({ term, preposition }) => scopes.has(preposition) && !all.has(term))
}

const scopes = new Set(['in', 'on', 'at', 'for', 'when', 'during', 'under'])

/** Keeps the last readings, because one statement is compared with many. */
export function readStatement(text: string): StatementReading {
  const found = known.get(text)
  if (found) return found
  if (known.size >= maxKnown) known.clear()
  const reading = read(text)
  known.set(text, reading)
  return reading
}

const known = new Map<string, StatementReading>()
const maxKnown = 10_000

function read(text: string): StatementReading {
  const straight = withLetters(text.normalize('NFKC').replace(/[‘’]/g, "'").trim())
  const names = namesIn(straight)
  const lower = inEnglish(straight.toLowerCase().replace(/["`“”]/g, '')).replace(arrow, ' to ')
  const plain = lower.replace(changeMarks, ' ').replace(reasons, '').trim()
  const rule = unifyQuantities(unifyPhrases(unifySequence(plain)))
  // "Never push without a review" demands the same as "a review before you push".
  const said = rule.replace(guard, '$2 before $1')
  const [, bound, condition] = guard.exec(rule) ?? []
  const terms = termsIn(said, names)
  const isForeignDenial = !terms.some(({ isRejected }) => isRejected) && !englishDenial.test(lower) && isNegative(lower)
  const found = isForeignDenial ? terms.map((term) => ({ ...term, isRejected: true })) : terms
  const asserted = new Set(found.filter(({ isRejected }) => !isRejected).map(({ term }) => term))
  const rejected = new Set(found.filter(({ isRejected }) => isRejected).map(({ term }) => term))
  return {
    plain: plainStatement(text),
    ...{ said, names },
    ...{ terms: found, asserted, rejected, all: new Set([...asserted, ...rejected]) },
    guarded: bound && condition ? { thing: termSet(bound, names), unless: termSet(condition, names) } : undefined,
    isPermission: !/\bonly\b/.test(rule) && permission.test(rule) && !deniedPermission.test(rule),
    isExemption: exemption.test(rule),
    tense: /\b(?:was|were|used to|had)\b/.test(rule)
      ? 'past'
      : /\b(?:will|going to|plans? to)\b/.test(rule)
        ? 'future'
        : 'present',
    particles: particlesIn(rule),
    isQuestion: /[?？]\s*$/.test(straight) || asking.test(lower),
    isChange: lower.search(changeMarks) >= 0 || transition.test(lower),
  }
}

function particlesIn(said: string): Set<string> {
  // "Comments that only repeat the code": not the rule is limited.
  const found = said
    .replace(/ (?:that|which|who) only /g, ' ')
    .match(
      /\b(?:my|your|and|or|more|only|exclusively|solely|anyone|anybody|everyone|everybody|sometimes|occasionally|often|mostly|some|must|needs?|required?|requires)\b/g,
    )
  return new Set(found?.map((word) => particles[word] ?? word))
}

const particles: Readonly<Record<string, string>> = {
  ...{ exclusively: 'only', solely: 'only' },
  ...{ need: 'must', needs: 'must', require: 'must', required: 'must', requires: 'must' },
  ...{ anyone: 'any', anybody: 'any', everyone: 'any', everybody: 'any' },
  ...{ sometimes: 'some', occasionally: 'some', often: 'some', mostly: 'some' },
}

/** Punctuation inside the text is kept: `C` is not `C++`. */
function plainStatement(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[ .!]+$/, '')
    .trim()
}

function termSet(text: string, names: ReadonlySet<string>): Set<string> {
  return new Set(termsIn(text, names).map(({ term }) => term))
}

/** Marks an A that names something, as in "service A", or beside a B: it is no article. */
function withLetters(text: string): string {
  const isLettered = /\b[B-HJ-Z]\b(?!')/.test(text) && /\p{Ll}/u.test(text)
  return text.replace(isLettered ? /\bA\b/g : /(?<=\p{Ll} )A\b/gu, 'A_')
}

/** Words in capitals within a sentence; a capital at its start says nothing. */
function namesIn(text: string): Set<string> {
  if (!/\p{Ll}/u.test(text)) return new Set()
  const found = text.matchAll(/(?<=[^.!?:\s]\s+["'`(]?)\p{Lu}[\p{L}\p{N}]*|\b\p{Lu}[\p{N}\p{Lu}]+\b|\p{Ll}\p{Lu}/gu)
  return new Set([...found].map(([name]) => name.toLowerCase()).filter((name) => name !== 'i'))
}

const arrow = / ?(?:[-=]>|[→⇒➜]) ?/g
/** "Should we use pnpm" without its mark. */
const asking = /^(?:should|shall|can|could|would|does|do|is|are) (?:we|i|it|they)\b/

const guard =
  /\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|cannot|can't|no) ([^,;.]{3,60}?) (?:without|until|unless|before(?= (?:i|we|you|they|(?:the |an? )?\w+ (?:is|are|has|have|\w{3,}(?:s|ed))\b))) (?:a |an |the |any )?([^,;.]+)/

/** Says why, which is not part of the rule. */
const reasons = /(?<=.{9})[,;]?\s\b(?:because|since|so that|otherwise|due to|as (?:it|they) (?:is|are|has|have))\b.*$/s

const changeMarks =
  /\b(?:scratch that|(?:i|we)(?:'ve| have)? changed (?:my|our) minds?|on second thou?ghts?|(?:never ?mind|forget|ignore)(?: (?:what|that) i (?:just |have )?said(?: about \S+)?)?(?=[,.:;!–-])|(?:from|as of|starting|since) (?:now|today|tomorrow|next \w+|this \w+)(?: on(?:wards?)?)?|from here on|going forward|in (?:the )?future|(?:any ?more|any longer)|again|actually|nowadays|these days|meanwhile|by now|now|after all)\b[,:]?/g

const transition =
  /\b(?:moved|switch(?:ed|ing)|migrat(?:ed|ing)|upgraded|changed|replaced|went back|going back|go back|dropped|retired|no longer|not .{1,40} any ?more)\b/

const englishDenial = /\b(?:no|not|never|stop|avoid)\b|n't\b/
const permission =
  /\b(?:fine|ok|okay|allowed|permitted|acceptable|welcome|may|you can|feel free)\b(?! (?:only|not|never|be (?:below|minimum|above))\b)/
const deniedPermission =
  /(?:\b(?:not|never|no longer)|n't) (?:\w+ )?(?:fine|ok|okay|allowed|permitted|acceptable|welcome)\b/
const exemption =
  /\b(?:(?:not|n't|no longer|never) (?:have to|need(?:ed)?|require[ds]?|necessary|mandatory)|no need|needs? no|optional|(?:don't|doesn't|needn't|isn't|aren't) (?:have to|need(?:ed)?|require[ds]?|necessary|mandatory))\b/
