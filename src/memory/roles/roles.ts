// Compares who does what to what, what comes before what, and what belongs to what: "the client calls
// the server" and "the server calls the client" have the same terms in other roles. The order of a
// list, the place of a condition and the voice of a verb say nothing.
import { jaccard, sharedCount } from '../../text/similarity.ts'
import { conceptOf } from '../../text/synonyms.ts'
import { meaningOf, tokensOf } from '../clauses.ts'
import type { ConflictCertainty, StatementReading } from '../reading.ts'
import { auxiliary, directions, infinitive, isDenial, isVerb, prepositions } from '../word-classes.ts'

/** How sure it is that the statements give the same terms different roles; undefined if they do not. */
export function differingRoles(mine: StatementReading, theirs: StatementReading): ConflictCertainty {
  // A longer statement says several things.
  if (Math.max(mine.terms.length, theirs.terms.length) > maxTerms) return undefined
  const shared = sharedCount(mine.all, theirs.all)
  if (shared < 2 || jaccard(mine.all, theirs.all) < minOverlap) return undefined
  const [one, other] = [rolesOf(mine), rolesOf(theirs)]
  const isAligned = (term: string) => isRejected(mine, term) === isRejected(theirs, term)
  const isWhole = shared === mine.all.size && shared === theirs.all.size
  const mayCompare = (a: string, b: string) =>
    isAligned(a) && isAligned(b) && isRejected(mine, a) === isRejected(mine, b)
  const pivots = reversedAround(one, other, mayCompare, (group, there) => group.isDenied === there.isDenied)
  if (pivots.length > 0) return isWhole && pivots.some((pivot) => definite.has(pivot)) ? 'sure' : 'unsure'
  const isAsserted = (term: string) => !isRejected(mine, term) && !isRejected(theirs, term)
  if (isReassigned(one, other, isAsserted)) return isWhole ? 'sure' : 'unsure'
  const isMoved = isWhole && areWordsExchanged(mine.said, theirs.said)
  return isMoved || isOtherRepeated(mine, theirs) ? 'unsure' : undefined
}

/** "When A and B disagree, A wins", "…, B wins": each says something else once more. */
function isOtherRepeated({ terms: mine }: StatementReading, { terms: theirs }: StatementReading): boolean {
  // A pronoun repeats nothing.
  const countOf = (terms: StatementReading['terms'], term: string) =>
    terms.filter((one) => one.term === term && !/^(?:it|them)$/.test(one.word)).length
  const more = (some: StatementReading['terms'], others: StatementReading['terms']) =>
    some.filter(({ term }) => countOf(some, term) > countOf(others, term)).map(({ term }) => term)
  const [one, other] = [more(mine, theirs), more(theirs, mine)]
  const isRepeated = (term: string) => countOf(mine, term) + countOf(theirs, term) > 2
  return one.length > 0 && other.length > 0 && [...one, ...other].some(isRepeated)
}

/** Whether two terms have changed places, whatever is asserted: "A calls B", "B does not call A". */
export function haveOtherOrder(mine: StatementReading, theirs: StatementReading): boolean {
  const isAny = () => true
  return reversedAround(rolesOf(mine), rolesOf(theirs), isAny, isAny).length > 0
}

/**
 * "Keep the public API stable and let the internal one change": the same sentence with two words in
 * each other's place, in whatever role. A list says nothing, nor does a word that was only moved, nor
 * two parts that were moved as a whole: then no word stays where it was between them.
 */
function areWordsExchanged(mine: string, theirs: string): boolean {
  const [one, other] = [mine, theirs].map((said) =>
    tokensOf(said.replaceAll("'s ", ' whose ')).filter((word) => !article.test(word)),
  ) as [string[], string[]]
  if (one.length !== other.length || one.toSorted().join(' ') !== other.toSorted().join(' ')) return false
  const differing = one.flatMap((word, at) => (word === other[at] ? [] : at))
  const [from, last] = [differing[0], differing.at(-1)]
  if (from === undefined || last === undefined) return false
  const [part, turned] = [one, other].map((words) => words.slice(from, last + 1)) as [string[], string[]]
  if (!isTurnedAround(part, turned))
    return part.some((word, at) => word === turned[at] && (!joins(word) || forms.test(word)))
  // "Before lint build" names no border between the two; in "Alice is Bob's boss" Bob is a part of a part.
  if (from === 1 && last === one.length - 1) return /^(?:before|after)$/.test(one[0]!)
  return one[last + 1] === 'whose'
}

const forms = /^(?:is|are)$/

/** The second half before the first; with what joins them in between, if there is such a word. */
function isTurnedAround(part: readonly string[], turned: readonly string[]): boolean {
  return part.some((_, at) => {
    if (at === 0) return false
    const end = joins(part[at]!) && part.length > at + 1 ? at + 1 : at
    return [...part.slice(end), ...part.slice(at, end), ...part.slice(0, at)].join(' ') === turned.join(' ')
  })
}

function joins(word: string): boolean {
  if (/^(?:needs?|of)$/.test(word)) return false
  return border.test(word) || prepositions.has(word) || auxiliary.test(word) || isDenial(word, '')
}

const article = /^(?:a|an|the|our|please|all|always|every|each)$/

const minOverlap = 0.6
const maxTerms = 25

/** What is before what and more than what cannot be both ways; two things may call each other. */
const definite = new Set(['⟨before⟩', '⟨after⟩', '⟨than⟩', '⟨over⟩'])

function isRejected({ rejected, asserted }: StatementReading, term: string): boolean {
  return rejected.has(term) && !asserted.has(term)
}

interface Step {
  /** A term, or a preposition in ⟨⟩. */
  key: string
  /** Its place in its group; the items of a list have the same. */
  at: number
  /** The preposition that it stands behind, '' before the first. */
  behind: string
}

/** A part that says something of its own. */
interface Group {
  steps: Step[]
  isDenied: boolean
}

interface Roles {
  /** In their order; lists are within one. */
  groups: Group[]
  /** The group of each term that is in one group only, by its number. */
  homes: Map<string, number>
}

/** What two terms have changed places around: `calls` in "client calls server". */
function reversedAround(
  mine: Roles,
  theirs: Roles,
  mayCompare: (a: string, b: string) => boolean,
  mayMatch: (group: Group, other: Group) => boolean,
): string[] {
  const pivots: string[] = []
  for (const group of mine.groups)
    for (const pivot of group.steps)
      for (const other of theirs.groups)
        for (const there of mayMatch(group, other) ? other.steps : [])
          if (there.key === pivot.key && isReversed(around(group, pivot), around(other, there), mayCompare))
            pivots.push(pivot.key)
  return pivots
}

interface Surroundings {
  left: Step[]
  right: Step[]
}

function around({ steps }: Group, { at: pivot }: Step): Surroundings {
  const terms = steps.filter(({ key }) => !key.startsWith('⟨'))
  return { left: terms.filter(({ at }) => at < pivot), right: terms.filter(({ at }) => at > pivot) }
}

/** Both have left their side for the other, into the part of the sentence where the other stood. */
function isReversed(mine: Surroundings, theirs: Surroundings, mayCompare: (a: string, b: string) => boolean): boolean {
  const find = (steps: readonly Step[], { key }: Step) => steps.find((step) => step.key === key)
  return mine.left.some((a) => {
    const back = find(theirs.right, a)
    if (!back || find(mine.right, a) || find(theirs.left, a)) return false
    return mine.right.some((b) => {
      const up = find(theirs.left, b)
      if (!up || find(mine.left, b) || find(theirs.right, b)) return false
      return a.behind === up.behind && b.behind === back.behind && mayCompare(a.key, b.key)
    })
  })
}

/** "Alice owns billing", "Bob owns billing": a thing has one owner, so far as is known. */
export function differingOwner(mine: StatementReading, theirs: StatementReading): ConflictCertainty {
  const own = owning.find((verb) => mine.asserted.has(verb) && theirs.asserted.has(verb))
  if (own === undefined) return undefined
  const [one, other] = [rolesOf(mine), rolesOf(theirs)]
  if (one.groups.length !== 1 || other.groups.length !== 1) return undefined
  const [here, there] = [one, other].map(({ groups: [group] }) => {
    const { left, right } = around(group!, group!.steps.find(({ key }) => key === own)!)
    return { owner: new Set(left.map(({ key }) => key)), thing: new Set(right.map(({ key }) => key)) }
  }) as [Ownership, Ownership]
  const isOneThing = sharedCount(here.thing, there.thing) === Math.max(here.thing.size, there.thing.size, 1)
  const isOneOwner = sharedCount(here.owner, there.owner) === Math.min(here.owner.size, there.owner.size)
  return isOneThing && !isOneOwner ? 'unsure' : undefined
}

interface Ownership {
  owner: Set<string>
  thing: Set<string>
}

/** What one person does for a thing; a review may be done by several. */
const owning = ['owns', 'approves', 'maintains', 'leads', 'manages'].map(conceptOf)

/** "X for A and Y for B", "Y for A and X for B": A was together with X and is with Y. */
function isReassigned(mine: Roles, theirs: Roles, mayCompare: (term: string) => boolean): boolean {
  if (mine.groups.length < 2 || theirs.groups.length < 2) return false
  const terms = [...mine.homes.keys()].filter((term) => theirs.homes.has(term) && mayCompare(term))
  const together = ({ homes }: Roles, a: string, b: string) => homes.get(a) === homes.get(b)
  return terms.some((term) =>
    terms.some(
      (left) =>
        left !== term &&
        together(mine, term, left) &&
        !together(theirs, term, left) &&
        terms.some((now) => together(theirs, term, now) && !together(mine, term, now)),
    ),
  )
}

/** Kept with the reading, which is kept itself. */
const known = new WeakMap<StatementReading, Roles>()

function rolesOf(reading: StatementReading): Roles {
  const found = known.get(reading)
  if (found) return found
  const groups = groupsOf(segmentsOf(reading.said), reading.names)
  const homes = new Map<string, number>()
  const several = new Set<string>()
  for (const [number, group] of groups.entries())
    for (const { key } of group.steps) {
      if (key.startsWith('⟨')) continue
      if ((homes.get(key) ?? number) !== number) several.add(key)
      homes.set(key, number)
    }
  for (const term of several) homes.delete(term)
  const roles = { groups, homes }
  known.set(reading, roles)
  return roles
}

interface Segment {
  words: string[]
  /** The mark or word before it. */
  joint: string
}

function segmentsOf(said: string): Segment[] {
  const segments: Segment[] = [{ words: [], joint: '' }]
  for (const word of tokensOf(said)) {
    if (!border.test(word)) segments.at(-1)!.words.push(word)
    else if (segments.at(-1)!.words.length > 0) segments.push({ words: [], joint: word })
    // ", and" is an "and".
    else segments.at(-1)!.joint = word
  }
  return withConditionsLast(segments.filter(({ words }) => words.length > 0))
}

const border = /^(?:[,;:!?()–—，。；：！？.]|\s-\s|and|or|but|while|whereas|then)$/

/** "If it fails, stop" as "stop if it fails". */
function withConditionsLast(segments: readonly Segment[]): Segment[] {
  const done: Segment[] = []
  for (let index = 0; index < segments.length; index++) {
    const [segment, next] = [segments[index]!, segments[index + 1]]
    const isCondition = leading.test(segment.words[0]!) && next !== undefined && /^(?:,|then)$/.test(next.joint)
    if (isCondition) {
      done.push({ words: [...next.words, ...segment.words], joint: segment.joint })
      index++
    } else done.push(segment)
  }
  return done
}

const leading = /^(?:if|when|whenever|once|unless|until|before|after|for|in|on|during|at|with)$/

/** Segments that say something of their own are groups; the others are items of a list. */
function groupsOf(segments: readonly Segment[], names: ReadonlySet<string>): Group[] {
  const steps = segments.map(({ words }) => stepsOf(words, names))
  const isOwn = steps.map((some, index) => isOwnStatement(segments, steps, index) && some.length > 0)
  const groups: Group[] = []
  const add = (some: Step[], words: readonly string[]) =>
    groups.push({ steps: some, isDenied: words.some((word, at) => isDenial(word, words[at + 1] ?? '')) })
  let waiting: Step[] = []
  for (const [index, some] of steps.entries()) {
    if (isOwn[index]) {
      add([...waiting.map((step) => ({ ...step, at: 0 })), ...some], segments[index]!.words)
      waiting = []
    } else if (groups.length > 0 && !isOwn.includes(true, index)) {
      const { steps: before } = groups.at(-1)!
      const last = before.at(-1)
      before.push(...some.map((step) => ({ ...step, at: last?.at ?? 0, behind: last?.behind ?? '' })))
    } else waiting.push(...some)
  }
  if (waiting.length > 0)
    add(
      waiting.map((step) => ({ ...step, at: 0 })),
      [],
    )
  return groups
}

function isOwnStatement(segments: readonly Segment[], steps: readonly Step[][], index: number): boolean {
  const some = steps[index]!
  const terms = some.filter(({ key }) => !key.startsWith('⟨'))
  if (segments.length === 1) return true
  if (terms.length < 2) return false
  const { words, joint } = segments[index]!
  if (terms.length < some.length && some.findIndex(({ key }) => key.startsWith('⟨')) > 0) return true
  if (words.some((word, at) => at > 0 && at < words.length - 1 && isVerb(word, words[at - 1]!))) return true
  // "Alice owns billing, Bob search": two parts without "and" are no list.
  if (segments.length === 2 && (joint === ',' || segments[1]!.joint === ',')) return true
  if (/^(?:while|whereas|but)$/.test(joint)) return true
  // "Priya maintains X and Jonas maintains Y".
  return steps.some(
    (others, other) => other !== index && others.some(({ key }) => terms.some((one) => one.key === key)),
  )
}

function stepsOf(words: readonly string[], names: ReadonlySet<string>): Step[] {
  const keys: string[] = []
  /** Where the last form of "be" stood, in keys. */
  let passiveFrom = -1
  for (const [index, word] of words.entries()) {
    const [previous, next] = [words[index - 1] ?? '', words[index + 1] ?? '']
    if (/^(?:is|are|was|were|be|been|being|gets?|got)$/.test(word)) passiveFrom = keys.length
    if (isDenial(word, next) || /^(?:it|them)$/.test(word)) continue
    if (prepositions.has(word) || word === 'than') {
      if (word === 'of' || (word === 'to' && infinitive.test(previous))) continue
      keys.push(`⟨${directions.get(word) ?? word}⟩`)
    } else keys.push(...meaningOf(word, names))
  }
  let behind = ''
  return active(keys, passiveFrom).map((key, at) => {
    if (key.startsWith('⟨')) behind = key
    return { key, at, behind }
  })
}

/** "X is owned by Y" as "Y owns X". */
function active(keys: readonly string[], passiveFrom: number): readonly string[] {
  const by = keys.indexOf('⟨by⟩')
  if (by < 0 || passiveFrom < 0 || by <= passiveFrom) return keys
  const rest = keys.findIndex((key, at) => at > by + 1 && key.startsWith('⟨'))
  const end = rest < 0 ? keys.length : rest
  return [...keys.slice(by + 1, end), ...keys.slice(passiveFrom, by), ...keys.slice(0, passiveFrom), ...keys.slice(end)]
}
